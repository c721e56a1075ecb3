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
   * left below it. Default: that share of the units.
   */
  split?(from: number, to: number, share: number): number;
  /** Whether walks begun at neighbours can be expected to join soon. Default: yes. */
  readonly joins?: boolean;
  /** Whether answers are remembered, of walks that have joined before. Default: no. */
  readonly remembers?: boolean;
}

/** A walk: it has asked its way from `begin` to `at`, and all from `from` to `at` is covered. */
export interface Walk {
  begin: number;
  from: number;
  at: number;
  live: boolean;
  /** Steps that walks below have taken since they ran past `begin`. */
  passed: number;
  /** Of a probe: the walk right behind which it began. */
  behind?: Walk | undefined;
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
  /** Whether a walk is at its lower end. */
  led: boolean;
}

/** Questions that must lie ahead for a probe to be worth its own. */
const TRIAL = 20;

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

  /** How many more walks the text may have, probes not counted. */
  get room(): number {
    return this.#stopped === undefined
      ? this.joining.most(this.#coveredQuestions()) - this.#live()
      : 0;
  }

  /** Questions that a stretch must have for each walk in it. */
  get worth(): number {
    return this.joining.worth;
  }

  /** The start at which the way from 0 goes on; nothing where it is being asked, or at the end. */
  front(): number | undefined {
    return this.#stopped === undefined ? this.#unasked(this.#front) : undefined;
  }

  /** Walks from a start, or as a probe behind a walk, until another walk is met or the text ends. */
  async walk(begin: number, behind?: Walk): Promise<void> {
    const walk = { begin, from: begin, at: begin, live: true, passed: 0, behind };
    this.#insert(walk);
    try {
      let at = this.#unasked(begin);
      while (at !== undefined && walk.live && this.#stopped === undefined) {
        const next = await this.#ask(walk, at);
        at = this.#unasked(next);
        if (at !== undefined) this.#pass(walk);
        else if (next !== END) this.#meet(walk, next);
      }
    } catch (error) {
      if (this.#stopped === undefined) this.on.error(error);
      this.stop(error);
    } finally {
      walk.live = false;
      for (const other of this.#walks) if (other.behind === walk) other.behind = undefined;
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
        const led = below.live || this.#unasked(from) === undefined;
        const questions = this.#questions(from, to);
        stretches.push({ path: this, from, to, questions, walks: led ? 1 : 0, led });
      }
      const further = below === undefined || walk.at > below.at;
      if (further || (walk.at === below?.at && walk.live)) below = walk;
    }
    return stretches;
  }

  /** The walk behind which a probe is to begin, to see whether walks join. */
  trial(): Walk | undefined {
    const most = this.joining.probes;
    if (most === 0 || this.#questions(this.#front, this.text.size) < TRIAL) return undefined;
    const probes = this.#walks.filter(({ live, behind }) => live && behind !== undefined);
    if (probes.length >= most) return undefined;
    return this.#walks.find(
      (walk) =>
        walk.live &&
        walk.behind === undefined &&
        this.#asked.has(walk.at) &&
        !this.#asked.has(walk.at + 1) &&
        walk.at + 1 < this.text.size &&
        !probes.some(({ behind }) => behind === walk),
    );
  }

  /** Where in a stretch a walk had best begin; nothing where that has been asked. */
  split(from: number, to: number, share: number): number | undefined {
    const begin = this.text.split?.(from, to, share) ?? Math.round(from + (to - from) * share);
    return begin > from && begin < to && !this.#asked.has(begin) ? begin : undefined;
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
      this.joining.advance();
      this.#front = next;
      next = this.#answers.get(next);
    }
    this.#tell();
  }

  #insert(walk: Walk): void {
    const index = this.#walks.findIndex(({ from }) => from > walk.from);
    this.#walks.splice(index < 0 ? this.#walks.length : index, 0, walk);
  }

  #meet(walk: Walk, at: number): void {
    const met = this.#asked.get(at);
    if (met !== undefined) this.joining.meet(walk, met, at);
  }

  /**
   * After a step that met no other walk: those that this one has run past are given up when they
   * are left behind, or have not joined for long; this one, when it is not on the way, where there
   * are too many.
   */
  #pass(walk: Walk): void {
    for (const other of this.#walks) {
      if (!other.live || other.begin <= walk.begin || other.begin >= walk.at) continue;
      const late = this.joining.miss(other);
      if (late || (other.at < walk.at && other.behind === undefined)) other.live = false;
    }
    if (walk.at === this.#front) return;
    walk.live &&= this.joining.mayGoOn(walk, this.#live(), this.#coveredQuestions());
  }

  /** Hands what ended walks have covered to the walks that they met. */
  #merge(): void {
    const merged: Walk[] = [];
    for (const walk of this.#walks) {
      const below = merged.at(-1);
      const apart = below === undefined || below.at < walk.from;
      if (!apart && !walk.live && walk.at <= below.at) continue;
      if (!apart && !below.live) {
        merged.pop();
        walk.from = below.from;
        walk.at = Math.max(walk.at, below.at);
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
