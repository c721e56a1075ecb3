import type { TextDecisions } from "./decisions.js";
import type { Habits } from "./habits.js";
import { Joins } from "./joins.js";
import type { Units } from "./units.js";

/** How much the steps that walks take to join weigh against an even division, and by themselves. */
const STEPS_WEIGH = 6;
const STEPS_COST = 2;

/** Places that are looked at for a walk to begin: of a long stretch not each, but everywhere. */
const MOST_PLACES = 4096;

/** As long as a text grows, its end is looked at again when it has grown by so much. */
const GROWTH = 1.5;

/**
 * What can be told of a text's walks from its units alone, before a question is asked, when every
 * answer to a window is taken to be equally likely: how likely each unit is to be a start,
 * how many questions a stretch will take, where walks join soon.
 *
 * The text is read once, as its units become known.
 */
export class Forecast {
  /** For each unit, how likely it is to be a start. */
  readonly #visits: number[] = [];
  /** For each unit, the questions expected before it, what is remembered left out. */
  readonly #questions: number[] = [0];
  /** For each unit, the end of its window. */
  readonly #ends: number[] = [];
  /** By how much a unit is more likely to be a start than the one before it. */
  readonly #changes = [1, -1];
  /** For each unit, the steps that a walk begun there is expected to take until it joins. */
  #steps: Float64Array = new Float64Array(0);
  readonly #joins: Joins;

  constructor(
    private readonly units: Units,
    private readonly chunkSize: number,
    private readonly habits: Habits,
    private readonly decisions?: TextDecisions | undefined,
  ) {
    this.#joins = new Joins(this, habits);
  }

  /** Units whose windows are known. */
  get size(): number {
    return this.#ends.length;
  }

  /** Candidates in the window from a start. */
  candidates(start: number): number {
    return this.#choices(start)[0];
  }

  /** Whether a walk that begins at a unit joins others soon, if the answers go on as they have been. */
  joins(start: number): boolean {
    return this.#joins.soon(start);
  }

  /** Questions that a walk begun at a unit is expected to ask until it joins. */
  stepsToJoin(start: number): number {
    return this.#joining()[start] ?? 0;
  }

  /** Questions that a walk loses until it joins, by the answers so far: half the steps of a pair. */
  get lost(): number | undefined {
    const { mean } = this.#joins;
    return this.habits.version === 0 || Number.isNaN(mean) ? undefined : mean / 2;
  }

  /** Takes in the units that have come since. */
  grow(): void {
    const { list, complete } = this.units;
    const known = Math.min(list.length, this.decisions?.known ?? list.length);
    for (let start = this.size; start < known; start++) {
      let end = Math.max(this.#ends[start - 1] ?? 0, start + 1);
      while (end < list.length && this.units.tokens(start, end + 1) <= this.chunkSize) end++;
      if (end === list.length && !complete) return;
      this.#take(start, end);
    }
  }

  /** Questions expected from one start to before another. */
  questions(from: number, to: number): number {
    return (this.#questions[to] ?? 0) - (this.#questions[from] ?? 0);
  }

  /**
   * Where between two starts a walk had best begin if a share of the questions is to be left below
   * it: where both parts take as long, the steps of the lower walk until it joins included. Nothing
   * where walks that begin there would not join.
   */
  split(from: number, to: number, share: number): number | undefined {
    const steps = this.#joining();
    const part = Math.max(share, 1 - share);
    let best: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    const step = Math.ceil((to - from) / MOST_PLACES);
    for (let begin = from + 1; begin < to; begin += step) {
      if (!this.joins(begin)) continue;
      const lost = steps[begin] ?? 0;
      const below = (this.questions(from, begin) + STEPS_WEIGH * lost) / share;
      const above = this.questions(begin, to) / (1 - share);
      const cost = part * Math.max(below, above) + STEPS_COST * lost;
      if (cost < least) {
        least = cost;
        best = begin;
      }
    }
    return best;
  }

  #take(start: number, end: number): void {
    const visits = (this.#visits[start - 1] ?? 0) + (this.#changes[start] ?? 0);
    this.#ends.push(end);
    this.#visits.push(visits);
    const [candidates, answers] = this.#choices(start);
    const asked = answers > 1 && this.decisions?.covers(start) !== true;
    this.#questions.push((this.#questions[start] ?? 0) + (asked ? visits : 0));
    if (candidates === 0) return;
    this.#change(start + 1, visits / answers);
    this.#change(start + 1 + candidates, -visits / answers);
  }

  /** How many candidates a window has, and how many answers: where the text ends, one more. */
  #choices(start: number): [number, number] {
    const end = this.#ends[start] ?? start + 1;
    const closed = end === this.units.list.length;
    return closed ? [end - start - 1, end - start] : [end - start, end - start];
  }

  #change(index: number, by: number): void {
    this.#changes[index] = (this.#changes[index] ?? 0) + by;
  }

  /** From the end: a start joins if it is one of the way, else after a step, from where that leads. */
  #joining(): Float64Array {
    const { size } = this;
    const known = this.#steps.length;
    if (size === known || (!this.units.complete && size < GROWTH * known)) return this.#steps;
    const steps = new Float64Array(size);
    const sums = new Float64Array(size + 2); // of the steps of all units from one on
    for (let start = size - 1; start >= 0; start--) {
      const [candidates, answers] = this.#choices(start);
      const last = Math.min(start + candidates, size - 1);
      const after = ((sums[start + 1] ?? 0) - (sums[last + 1] ?? 0)) / answers;
      const off = 1 - Math.min(1, this.#visits[start] ?? 0);
      steps[start] = off * ((answers > 1 ? 1 : 0) + after);
      sums[start] = (sums[start + 1] ?? 0) + (steps[start] ?? 0);
    }
    this.#steps = steps;
    return steps;
  }
}
