import { Gate } from "./growth.js";
import type { Joining } from "./joining.js";

/**
 * What is walked: units numbered from 0, and for each the one at which the next chunk begins. The
 * answer after a start is a function of that start alone.
 */
export interface WalkText {
  /** Units known so far; a walk may begin at any of them but the first. */
  readonly size: number;
  /** The start after a start, always greater; nothing where the text ends before `start`. */
  next(start: number): Promise<number | undefined>;
  /** Questions to be expected between two starts. Default: one a unit. */
  questions?(from: number, to: number): number;
  /**
   * Where between two starts a walk had best begin, if a share of the questions (0 to 1) is to be
   * left below it; nothing where there is no such place. Default: that share of the units.
   */
  split?(from: number, to: number, share: number): number | undefined;
  /** Whether a walk begun at a unit can be expected to join others soon. Default: yes. */
  joins?(start: number): boolean;
  /** Questions that a walk begun at a unit is expected to ask until it joins. Default: none. */
  stepsToJoin?(start: number): number;
  /** Questions that a walk is expected to lose until it joins, wherever it begins. Default: 2. */
  readonly lost?: number | undefined;
  /** Whether more units will be known. Default: no. */
  readonly growing?: boolean;
}

/** A walk: it has asked its way from `begin` to `at`, and all from `from` to `at` is covered. */
export interface Walk {
  begin: number;
  from: number;
  at: number;
  live: boolean;
  /** Steps that walks below have taken since they ran past `begin`. */
  passed: number;
}

/** What a path tells. */
interface PathEvents {
  /** A walk has come a step further. */
  step(): void;
  /** The text's `next` has failed; told once. */
  error(error: unknown): void;
  /** Nothing more is asked. */
  end(): void;
}

/** A stretch that no walk has covered, and how many walks share it. */
export interface Stretch {
  path: Path;
  from: number;
  to: number;
  questions: number;
  walks: number;
  /** Whether a walk is at its lower end, or none is to begin there. */
  led: boolean;
}

/** How much the steps that it takes to join at the end of a stretch count beside its own questions. */
const JOINING = 1 / 2;

/** Questions that a stretch must have at least for each walk in it, and as long as its text grows. */
const WORTH = 1;
const WORTH_GROWING = 64;

const END = Number.POSITIVE_INFINITY;

/**
 * The way through one text: the starts of its chunks, in order, as they are found by the walks in
 * it.
 */
export class Path implements AsyncIterable<number> {
  /** By what they cover. Walks that have ended stay until another has taken over what they did. */
  #walks: Walk[] = [];
  readonly #answers = new Map<number, number>();
  /** Each start that has been asked, and by which walk. */
  readonly #asked = new Map<number, Walk>();
  /** The start that the way from 0 has come to. */
  #front = 0;
  #stopped: { error: unknown } | undefined;
  #news = new Gate();

  constructor(
    private readonly text: WalkText,
    private readonly joining: Joining,
    private readonly on: PathEvents,
  ) {}

  /** The start of each chunk but the first, then the number of units. */
  async *[Symbol.asyncIterator](): AsyncGenerator<number, void, undefined> {
    try {
      let at = 0;
      for (;;) {
        const next = this.#answers.get(at);
        if (next === END) return;
        if (next !== undefined) {
          yield next;
          at = next;
        } else if (this.#stopped !== undefined) throw this.#stopped.error;
        else await this.#news.opened;
      }
    } finally {
      this.on.end();
    }
  }

  /** Asks nothing more; who waits for the next start gets the error. */
  stop(error: unknown): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = { error };
    this.on.end();
    this.#tell();
  }

  /** Units that walks have gone over. */
  get covered(): number {
    return this.#cover((from, to) => to - from);
  }

  /** How many more walks the text may have. */
  get room(): number {
    return this.#stopped === undefined
      ? this.joining.most(this.#coveredQuestions()) - this.#live()
      : 0;
  }

  /** Questions that a stretch must have for each walk in it: half of those lost until it joins. */
  get worth(): number {
    const { growing, lost = 0 } = this.text;
    return growing ? WORTH_GROWING : Math.max(WORTH, lost / 2);
  }

  /** The start at which the way from 0 goes on; nothing where it is being asked, or at the end. */
  front(): number | undefined {
    return this.#stopped === undefined ? this.#unasked(this.#front) : undefined;
  }

  /** Walks from a start until another walk is met or the text ends. */
  async walk(begin: number): Promise<void> {
    const walk = { begin, from: begin, at: begin, live: true, passed: 0 };
    this.#insert(walk);
    try {
      let at = this.#unasked(begin);
      while (at !== undefined && walk.live && this.#stopped === undefined) {
        const next = await this.#ask(walk, at);
        at = this.#unasked(next);
        if (at === undefined && next !== END) this.joining.meet();
        this.#pass(walk, at === undefined);
        if (at !== this.#front) walk.live &&= !this.#apart(walk.begin) && this.room >= 0;
      }
    } catch (error) {
      if (this.#stopped === undefined) this.on.error(error);
      this.stop(error);
    } finally {
      walk.live = false;
      this.#merge();
    }
  }

  /** What no walk has covered, between walks and behind the last. */
  stretches(): Stretch[] {
    const stretches: Stretch[] = [];
    const { size } = this.text;
    let below: Walk | undefined;
    const end = { begin: size, from: size, at: size, live: false, passed: 0 };
    for (const walk of [...this.#walks, end]) {
      if (below !== undefined && walk.from > below.at) {
        const from = below.at;
        const to = walk.from;
        const led = below.live || this.#unasked(from) === undefined || this.#apart(from);
        const joining = to < size ? (this.text.stepsToJoin?.(to) ?? 0) : 0;
        const questions = this.#questions(from, to) + JOINING * joining;
        stretches.push({ path: this, from, to, questions, walks: led ? 1 : 0, led });
      }
      const further = below === undefined || walk.at > below.at;
      if (further || (walk.at === below?.at && walk.live)) below = walk;
    }
    return stretches;
  }

  /** Where in a stretch a walk had best begin; nothing where that has been asked. */
  split(from: number, to: number, share: number): number | undefined {
    const begin = this.text.split
      ? this.text.split(from, to, share)
      : Math.round(from + (to - from) * share);
    if (begin === undefined || begin <= from || begin >= to) return undefined;
    return this.#asked.has(begin) ? undefined : begin;
  }

  async #ask(walk: Walk, start: number): Promise<number> {
    walk.at = start;
    this.#asked.set(start, walk);
    this.joining.ask();
    const answer = this.text.next(start);
    this.on.step();
    const next = (await answer) ?? END;
    if (!(next > start)) throw new RangeError(`The start after ${start} must be greater: ${next}`);
    this.#answers.set(start, next);
    this.joining.answer(this.#questions(start, Math.min(next, this.text.size)));
    walk.at = next;
    this.#advance();
    return next;
  }

  #questions(from: number, to: number): number {
    return this.text.questions?.(from, to) ?? to - from;
  }

  #apart(start: number): boolean {
    return this.text.joins?.(start) === false;
  }

  #live(): number {
    return this.#walks.filter((walk) => walk.live).length;
  }

  #coveredQuestions(): number {
    return this.#cover((from, to) => this.#questions(from, to));
  }

  #cover(measure: (from: number, to: number) => number): number {
    let sum = 0;
    let below = 0;
    for (const { from, at } of this.#walks) {
      const to = Math.min(at, this.text.size);
      if (to > below) sum += measure(Math.max(below, from), to);
      below = Math.max(below, to);
    }
    return sum;
  }

  /** Where the answers lead to from a start; nothing where another walk is or the text ends. */
  #unasked(start: number): number | undefined {
    let at = start;
    for (let next = this.#answers.get(at); next !== undefined; next = this.#answers.get(at))
      at = next;
    return at === END || this.#asked.has(at) ? undefined : at;
  }

  #advance(): void {
    for (let next = this.#answers.get(this.#front); next !== undefined && next !== END; ) {
      this.#front = next;
      next = this.#answers.get(next);
    }
    this.#tell();
  }

  #insert(walk: Walk): void {
    const index = this.#walks.findIndex(({ from }) => from > walk.from);
    this.#walks.splice(index < 0 ? this.#walks.length : index, 0, walk);
  }

  /**
   * Walks that a step has run past are given up when they are left behind, or have not joined for
   * long. The walk on the way has run past all that began below where it is.
   */
  #pass(walk: Walk, met: boolean): void {
    const onTheWay = this.#front >= walk.at;
    for (const other of this.#walks) {
      if (!other.live || other === walk || other.begin >= walk.at) continue;
      if (other.begin <= walk.begin && !onTheWay) continue;
      const late = !met && this.joining.miss(other);
      if (late || other.at < walk.at) other.live = false;
    }
  }

  /** Hands what ended walks have covered to the walks that they met. */
  #merge(): void {
    const merged: Walk[] = [];
    for (const walk of this.#walks) {
      const below = merged.at(-1);
      const apart = below === undefined || below.at < walk.from;
      if (!apart && !walk.live && walk.at <= below.at) continue;
      if (!apart && !below.live && walk.at >= below.at) {
        merged.pop();
        walk.from = below.from;
      }
      merged.push(walk);
    }
    this.#walks = merged;
  }

  #tell(): void {
    const news = this.#news;
    this.#news = new Gate();
    news.open();
  }
}
