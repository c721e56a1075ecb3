import { Gate } from "./growth.js";

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

/** What has been seen of walks that ran past the beginning of others: steps that met them or not. */
export interface Joins {
  hits: number;
  misses: number;
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

/** A walk that others have run past for so many steps without joining is given up. */
const PATIENCE = 10;

/** The share of the questions that walks which never join may cost, beside a question for each. */
const WASTE = 1 / 5;

/** Of that, the questions kept for probes. */
const RESERVE = 2 * PATIENCE;

/** For so many walks there is a probe at a time, and so many probes may come to nothing. */
const WALKS_A_PROBE = 8;
const PROBES = 3;

/** How many questions a stretch must have for each walk in it, beside those lost until they join. */
const WORTH = 2;

/** As many hits, with `WORTH` misses each, are taken as seen before there are enough to go by. */
const FEW = 3;

const END = Number.POSITIVE_INFINITY;

/**
 * The way through one text: the starts of its chunks, in order, as they are found by the walks in
 * it.
 *
 * That walks join is checked, not assumed: a probe begins right behind the lowest walk. Until two
 * walks have been seen to join, they may not ask more in vain than a share of what the whole way
 * will take: first all but the lowest and the probe are given up, then the probe too.
 */
export class Path implements AsyncIterable<number> {
  /** By what they cover. Walks that have ended stay until another has taken over what they did. */
  #walks: Walk[] = [];
  readonly #answers = new Map<number, number>();
  /** Each start that has been asked, and by which walk. */
  readonly #asked = new Map<number, Walk>();
  /** The starts on the way from 0, and the one that it has come to. */
  readonly #way = new Set<number>();
  #front = 0;
  /** Questions that were to be expected where walks have gone. */
  #expected = 0;
  /** Probes that joined, and that came to nothing. */
  #joinedProbes = 0;
  #failedProbes = 0;
  #stopped: { error: unknown } | undefined;
  #news = new Gate();

  constructor(
    private readonly text: WalkText,
    private readonly maxConcurrency: number,
    private readonly joins: Joins,
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

  /** How many more walks the text may have, the probe not counted. */
  get room(): number {
    if (this.#stopped !== undefined) return 0;
    if (!this.#trusted()) return this.text.joins !== false && this.#left() > RESERVE ? END : 0;
    return this.#most() - this.#live();
  }

  /** Questions that a stretch must have for each walk in it. */
  get worth(): number {
    return Math.max(WORTH, this.#missesPerHit());
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

  /**
   * The walk behind which a probe is to begin, to see whether walks join: as long as none have been
   * seen to, and not too many probes are under way or have come to nothing.
   */
  trial(): Walk | undefined {
    const probes = this.#walks.filter(({ live, behind }) => live && behind !== undefined);
    const most = this.text.joins === false ? 1 : Math.ceil(this.maxConcurrency / WALKS_A_PROBE);
    const worth = this.#questions(this.#front, this.text.size) > 2 * this.maxConcurrency;
    if (this.#trusted() || !worth || this.#left() < 0) return undefined;
    if (probes.length >= most || this.#failedProbes >= PROBES * most) return undefined;
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
    this.on.step();
    const next = (await this.text.next(start)) ?? END;
    if (!(next > start)) throw new RangeError(`The start after ${start} must be greater: ${next}`);
    this.#answers.set(start, next);
    this.#expected += this.#questions(start, Math.min(next, this.text.size));
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

  #missesPerHit(): number {
    return (this.joins.misses + FEW * WORTH) / (this.joins.hits + FEW);
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

  /** Whether walks are taken to join: where that is not to be expected, more probes must have. */
  #trusted(): boolean {
    if (this.text.remembers) return true;
    return this.text.joins === false ? this.#joinedProbes >= FEW : this.joins.hits > 0;
  }

  /** Questions that were asked for each that was expected. */
  #ratio(): number {
    return this.#asked.size / Math.max(1, this.#expected);
  }

  /** Questions that may be asked in vain. */
  #budget(): number {
    return WASTE * this.#ratio() * this.#questions(0, this.text.size) + this.maxConcurrency;
  }

  /** What is left of that, if nothing that is not on the way will ever be. */
  #left(): number {
    return this.#budget() - (this.#asked.size - this.#way.size);
  }

  /** The most walks that the text may have once they have been seen to join. */
  #most(): number {
    const once = this.#cover((from, to) => this.#questions(from, to));
    const twice = this.#ratio() * Math.max(0, this.#expected - once);
    return 1 + Math.floor((this.#budget() - twice) / (1 + this.#missesPerHit()));
  }

  /** Whether a walk may go on. */
  #may(walk: Walk): boolean {
    if (walk.at === this.#front) return true;
    if (this.#trusted()) return this.#live() <= this.#most();
    return this.#left() > (walk.behind ? 0 : RESERVE);
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
      this.#way.add(this.#front);
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
   * After a step that met another walk. Until walks have been seen to join, only a probe and the
   * walk before it tell: others may step in time, and meet where one began or never.
   */
  #meet(walk: Walk, at: number): void {
    const met = this.#asked.get(at);
    const told = (met?.behind === walk && at !== met.begin) || (met && met === walk.behind);
    if (told) this.#joinedProbes += 1;
    if (this.#trusted() || told) this.joins.hits += 1;
  }

  /**
   * After a step that met no other walk. Walks above that this one has run past are given up when
   * they are left behind, or when they have not joined for long; and this one where there are more
   * than the text may have, the lowest excepted.
   */
  #pass(walk: Walk): void {
    for (const other of this.#walks) {
      if (!other.live || other.begin <= walk.begin || other.begin >= walk.at) continue;
      other.passed += 1;
      const isProbe = other.behind !== undefined;
      const late = other.passed > PATIENCE;
      if (late && isProbe) this.#failedProbes += 1;
      if (!isProbe) this.joins.misses += 1;
      else if (late) this.joins.misses += PATIENCE;
      if (late || (other.at < walk.at && !isProbe)) other.live = false;
    }
    if (!this.#may(walk)) walk.live = false;
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
