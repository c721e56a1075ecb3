import type { TextDecisions } from "./decisions.js";
import type { Habits } from "./habits.js";
import { Joins } from "./joins.js";
import { Numbers } from "./pages.js";
import type { Units } from "./units.js";

/** How much the steps that walks take to join weigh against an even division, and by themselves. */
const STEPS_WEIGH = 6;
const STEPS_COST = 2;

/** Of what it would have in an even division, each part has at least so much. */
const LEAST_PART = 1 / 2;

/** Units whose steps to join are worked out together, from as many more behind them. */
const BLOCK = 4096;

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
  readonly #visits = new Numbers();
  /** For each unit, the questions expected before it, what is remembered left out. */
  readonly #questions = new Numbers();
  /** For each unit, the end of its window. */
  readonly #ends = new Numbers();
  /** By how much a unit is more likely to be a start than the one before it. */
  readonly #changes = new Numbers();
  /** By blocks, for each unit the steps that a walk begun there is expected to take until it joins. */
  readonly #steps: Float64Array[] = [];
  readonly #joins: Joins;

  constructor(
    private readonly units: Units,
    private readonly chunkSize: number,
    private readonly habits: Habits,
    private readonly decisions?: TextDecisions | undefined,
  ) {
    this.#joins = new Joins(this, habits);
    this.#questions.push(0);
    this.#change(0, 1);
    this.#change(1, -1);
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
    const block = Math.floor(start / BLOCK);
    return this.#joining(block)[start - block * BLOCK] ?? 0;
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
      let end = Math.max(this.#ends.at(start - 1), start + 1);
      while (end < list.length && this.units.tokens(start, end + 1) <= this.chunkSize) end++;
      if (end === list.length && !complete) return;
      this.#take(start, end);
    }
  }

  /** Questions expected from one start to before another. */
  questions(from: number, to: number): number {
    return this.#questions.at(to) - this.#questions.at(from);
  }

  /**
   * Where between two starts a walk had best begin if a share of the questions is to be left below
   * it: where both parts take as long, the steps of the lower walk until it joins included. Nothing
   * where walks that begin there would not join.
   */
  split(from: number, to: number, share: number): number | undefined {
    const part = Math.max(share, 1 - share);
    let best: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    const cost = (begin: number, lost: number) => {
      const below = (this.questions(from, begin) + STEPS_WEIGH * lost) / share;
      const above = this.questions(begin, to) / (1 - share);
      return part * Math.max(below, above) + STEPS_COST * lost;
    };
    const all = this.questions(from, to);
    const even = this.#afterQuestions(from, to, share * all);
    const lowest = this.#afterQuestions(from, to, LEAST_PART * share * all);
    const highest = this.#afterQuestions(from, to, all - LEAST_PART * (1 - share) * all);
    const isWithin = (begin: number) => begin >= lowest && begin < highest;
    // on both sides of an even division, as far as one can be better that joins at once
    for (const [first, step] of [
      [even, 1],
      [even - 1, -1],
    ] as const)
      for (let begin = first; isWithin(begin) && cost(begin, 0) < least; begin += step) {
        if (!this.joins(begin)) begin = this.#joins.edge(begin, step);
        else if (cost(begin, this.stepsToJoin(begin)) < least) {
          best = begin;
          least = cost(begin, this.stepsToJoin(begin));
        }
      }
    return best;
  }

  /** The first start behind one, at which so many questions are expected since. */
  #afterQuestions(from: number, to: number, questions: number): number {
    let [low, high] = [from + 1, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.questions(from, middle) < questions) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #take(start: number, end: number): void {
    const visits = this.#visits.at(start - 1) + this.#changes.at(start);
    this.#ends.push(end);
    this.#visits.push(visits);
    const [candidates, answers] = this.#choices(start);
    const asked = answers > 1 && this.decisions?.covers(start) !== true;
    this.#questions.push(this.#questions.at(start) + (asked ? visits : 0));
    if (candidates === 0) return;
    this.#change(start + 1, visits / answers);
    this.#change(start + 1 + candidates, -visits / answers);
  }

  /** How many candidates a window has, and how many answers: where the text ends, one more. */
  #choices(start: number): [number, number] {
    const end = this.#ends.at(start) || start + 1;
    const closed = end === this.units.list.length;
    return closed ? [end - start - 1, end - start] : [end - start, end - start];
  }

  #change(index: number, by: number): void {
    this.#changes.put(index, this.#changes.at(index) + by);
  }

  /** From the end: a start joins if it is one of the way, else after a step, from where that leads. */
  #joining(block: number): Float64Array {
    const from = block * BLOCK;
    const size = Math.min(2 * BLOCK, this.size - from);
    const known = this.#steps[block];
    if (known?.length === size) return known;
    if (known !== undefined && !this.units.complete && size < GROWTH * known.length) return known;
    const steps = new Float64Array(size);
    const sums = new Float64Array(size + 2); // of the steps of all units from one on
    for (let i = size - 1; i >= 0; i--) {
      const [candidates, answers] = this.#choices(from + i);
      const last = Math.min(i + candidates, size - 1);
      const after = ((sums[i + 1] ?? 0) - (sums[last + 1] ?? 0)) / answers;
      const off = 1 - Math.min(1, this.#visits.at(from + i));
      steps[i] = off * ((answers > 1 ? 1 : 0) + after);
      sums[i] = (sums[i + 1] ?? 0) + (steps[i] ?? 0);
    }
    this.#steps[block] = steps;
    return steps;
  }
}
