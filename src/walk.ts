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
  /** Where between two starts a walk had best begin. Default: in the middle. */
  place?(from: number, to: number): number;
  /** Whether walks begun at neighbours can be trusted to join. Default: yes. */
  readonly joins?: boolean;
}

/** A walk: it has asked its way from `begin` to `at`. */
interface Walk {
  begin: number;
  at: number;
  live: boolean;
  /** Steps that the walk below has taken since it ran past `begin`. */
  passed: number;
}

/** A stretch that no walk has covered: its units, and how many walks will share it. */
interface Stretch {
  path: Path;
  from: number;
  to: number;
  questions: number;
  walks: number;
}

/** Questions that a stretch must have for each walk in it. */
const WORTH = 4;

/** A walk that the one below has run past for so many steps without joining is given up. */
const PATIENCE = 10;

const END = Number.POSITIVE_INFINITY;

/**
 * Walks through many texts, and at many places of one text, with at most `maxConcurrency` questions
 * in flight. A walk ends where it meets another: from there they are one.
 */
export class Walks {
  readonly #paths = new Set<Path>();
  #free: number;

  constructor(maxConcurrency: number) {
    this.#free = maxConcurrency;
  }

  /** Begins to walk a text as soon as there is a place free. `onError` is called at most once. */
  add(text: WalkText, onError: (error: unknown) => void): Path {
    const path = new Path(text, onError, () => this.#paths.delete(path));
    this.#paths.add(path);
    queueMicrotask(() => this.pump());
    return path;
  }

  /** Sends out walks as long as there are places free: first where each text goes on, then more. */
  pump(): void {
    for (const path of this.#paths) {
      if (this.#free === 0) return;
      const front = path.front();
      if (front !== undefined) this.#start(path, front);
    }
    if (this.#free > 0) for (const stretch of this.#shared()) this.#divide(stretch);
  }

  #start(path: Path, begin: number): void {
    this.#free -= 1;
    path.walk(begin).finally(() => {
      this.#free += 1;
      this.pump();
    });
  }

  /** The stretches that get another walk, the free places being given to the largest shares. */
  #shared(): Stretch[] {
    const stretches = [...this.#paths].flatMap((path) => path.stretches());
    const room = new Map([...this.#paths].map((path) => [path, path.room]));
    for (let free = this.#free; free > 0; free--) {
      let best: Stretch | undefined;
      for (const stretch of stretches) {
        if ((room.get(stretch.path) ?? 0) <= 0 || share(stretch, 1) < WORTH) continue;
        if (best === undefined || share(stretch, 1) > share(best, 1)) best = stretch;
      }
      if (best === undefined) break;
      best.walks += 1;
      room.set(best.path, (room.get(best.path) ?? 0) - 1);
    }
    return stretches;
  }

  #divide({ path, from, to, walks }: Stretch): void {
    for (let i = 1; i < walks; i++) {
      const begin = path.place(from + ((to - from) * i) / walks, (to - from) / walks);
      this.#start(path, begin);
    }
  }
}

function share({ questions, walks }: Stretch, more: number): number {
  return questions / (walks + more);
}

/** The way through one text: the starts of its chunks, in order, as they are found. */
export class Path implements AsyncIterable<number> {
  /** By where they begin. Walks that have ended stay until another has taken over what they did. */
  walks: Walk[] = [];
  readonly #answers = new Map<number, number>();
  readonly #asked = new Set<number>();
  #front = 0;
  #joined = 0;
  #parted = 0;
  #stopped: { error: unknown } | undefined;
  #news = new Gate();

  constructor(
    private readonly text: WalkText,
    private readonly onError: (error: unknown) => void,
    private readonly onEnd: () => void,
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
      this.onEnd();
    }
  }

  /** Asks nothing more; who waits for the next start gets the error. */
  stop(error: unknown): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = { error };
    this.onEnd();
    this.#tell();
  }

  /** How many more walks the text may have: few where they were seen not to join. */
  get room(): number {
    if (this.#stopped !== undefined) return 0;
    const live = this.walks.filter((walk) => walk.live).length;
    const trusted = this.text.joins !== false || this.#joined > 0;
    if (this.#parted === 0) return trusted ? END : 2 - live;
    return 1 + Math.floor(this.#joined / (4 * this.#parted)) - live;
  }

  /** The start at which the way from 0 goes on; nothing where it is being asked, or at the end. */
  front(): number | undefined {
    if (this.#stopped !== undefined) return undefined;
    for (let next = this.#answers.get(this.#front); next !== undefined && next !== END; ) {
      this.#front = next;
      next = this.#answers.get(next);
    }
    return this.#unasked(this.#front);
  }

  /** Units that walks have gone over. */
  get covered(): number {
    let covered = 0;
    let from = 0;
    for (const { begin, at } of this.walks) {
      const to = Math.min(at, this.text.size);
      covered += Math.max(0, to - Math.max(from, begin));
      from = Math.max(from, to);
    }
    return covered;
  }

  async walk(begin: number): Promise<void> {
    const walk = { begin, at: begin, live: true, passed: 0 };
    this.#insert(walk);
    try {
      let at = this.#unasked(begin);
      while (at !== undefined && walk.live && this.#stopped === undefined) {
        walk.at = at;
        this.#asked.add(at);
        const next = (await this.text.next(at)) ?? END;
        if (!(next > at))
          throw new RangeError(`The start after ${at} must be greater. Found: ${next}`);
        this.#answers.set(at, next);
        walk.at = next;
        at = this.#unasked(next);
        if (at === undefined && next !== END) this.#joined += 1;
        this.#pass(walk);
        this.#tell();
      }
    } catch (error) {
      if (this.#stopped === undefined) this.onError(error);
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
    let from = END;
    for (const { begin, at } of [...this.walks, { begin: size, at: size }]) {
      if (begin > from) {
        const questions = this.text.questions?.(from, begin) ?? begin - from;
        stretches.push({ path: this, from, to: begin, questions, walks: 1 });
        from = at;
      }
      from = from === END ? at : Math.max(from, at);
    }
    return stretches;
  }

  /** Where near a place a walk had best begin. */
  place(near: number, length: number): number {
    const reach = length / 4;
    const place = this.text.place?.(near - reach, near + reach) ?? near;
    return Math.max(1, Math.round(place));
  }

  /** Where the answers lead to from a start; nothing where another walk is or the text ends. */
  #unasked(start: number): number | undefined {
    let at = start;
    for (let next = this.#answers.get(at); next !== undefined; next = this.#answers.get(at))
      at = next;
    return at === END || this.#asked.has(at) ? undefined : at;
  }

  #insert(walk: Walk): void {
    const index = this.walks.findIndex(({ begin }) => begin > walk.begin);
    this.walks.splice(index < 0 ? this.walks.length : index, 0, walk);
  }

  /** Walks above that this one has run past without joining are given up, if not at once. */
  #pass(walk: Walk): void {
    for (const other of this.walks) {
      if (!other.live || other.begin <= walk.begin || other.begin >= walk.at) continue;
      other.passed += 1;
      if (other.passed > PATIENCE) this.#parted += 1;
      if (other.passed > PATIENCE || other.at < walk.at) other.live = false;
    }
  }

  /** Hands what ended walks have covered to the walks that they met. */
  #merge(): void {
    const merged: Walk[] = [];
    for (const walk of this.walks) {
      const below = merged.at(-1);
      if (below === undefined || below.at < walk.begin) merged.push(walk);
      else if (!walk.live && walk.at <= below.at) continue;
      else if (!below.live) {
        merged.pop();
        walk.begin = below.begin;
        walk.at = Math.max(walk.at, below.at);
        merged.push(walk);
      } else merged.push(walk);
    }
    this.walks = merged;
  }

  #tell(): void {
    const news = this.#news;
    this.#news = new Gate();
    news.open();
  }
}
