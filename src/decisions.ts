import type { BaseStore } from "@langchain/core/stores";
import { sha256 } from "@langchain/core/utils/hash";
import { Digests } from "./digests.js";
import { Growth } from "./growth.js";
import type { Pace } from "./pace.js";
import { Pages } from "./pages.js";
import type { Units } from "./units.js";
import { isForced, type Window, type WindowOptions, windowAt } from "./window.js";

/** A store for decisions: what LangChain's key-value stores are. */
export type DecisionStore = BaseStore<string, Uint8Array>;

/** Starts whose answers are read from the store at a time. */
const BATCH = 256;

/** Answers that are written between two looks at whether the store is still there. */
const BETWEEN_LOOKS = 32;

const PREFIX = "lumberchunker-2-";

export interface DecisionsOptions {
  store: DecisionStore;
  /** Names all that an answer depends on but the text. */
  identity: string;
  window: WindowOptions;
  pace: Pace;
  /** Ends the reading ahead. */
  signal: AbortSignal;
}

/**
 * The decisions that a store remembers of one text. The key of an answer is made of hashes of what
 * was shown, the value the place in the window: an edited text finds all answers but those of the
 * windows that see the edit.
 *
 * All starts are read ahead, a batch at a time, as the units become known.
 */
export class TextDecisions {
  /** Called when more starts are known. */
  onGrowth: (() => void) | undefined;
  readonly #places = new Pages<number | undefined>();
  #any = false;
  readonly #covered = new Pages<boolean>();
  readonly #digests: Digests;
  readonly #identity: string;
  readonly #growth = new Growth();
  #known = 0;
  #coveredTo = 0;
  #begun = false;
  #written: string | undefined;
  #sinceLook = 0;

  constructor(
    private readonly units: Units,
    private readonly options: DecisionsOptions,
  ) {
    const { chunkSize, minChunkSize, sectionBreaks } = options.window;
    const identity = [options.identity, chunkSize, minChunkSize, sectionBreaks].join("\n");
    this.#identity = sha256(identity).slice(0, 32);
    this.#digests = new Digests(units, options.pace);
  }

  /**
   * Starts, counted from the first, whose remembered answers are known. Where there are any, none
   * counts until all are: walks that begin sooner would begin between ways that end further on.
   */
  get known(): number {
    return this.#known;
  }

  /** Whether a remembered answer leads over a start: a walk that comes by will hardly ask there. */
  covers(start: number): boolean {
    return this.#covered.at(start) === true;
  }

  /** Whether an answer is remembered of the starts that are known. */
  get any(): boolean {
    return this.#any;
  }

  /** The start nearest to a place, between two, to which remembered answers lead and no further. */
  wayEnd(place: number, from: number, to: number): number | undefined {
    const furthest = Math.max(place - from, to - place);
    for (let distance = 0; distance <= furthest; distance++) {
      for (const start of [place - distance, place + distance])
        if (start >= from && start <= to && this.covers(start - 1) && !this.covers(start))
          return start;
    }
    return undefined;
  }

  /** The remembered place in a window: how many units stand before the boundary, 0 for no shift. */
  async recall({ start }: Window): Promise<number | undefined> {
    if (!this.#begun) {
      this.#begun = true;
      this.#read().catch((error: unknown) => this.#growth.fail(error));
    }
    await this.#growth.passes(start);
    return this.#places.at(start);
  }

  /** Writes the place of a boundary in a window; the promise waits for the store. */
  async remember(window: Window, place: number): Promise<void> {
    const key = await this.#key(window);
    await write(this.options.store, [key, encode(key, place)]);
    this.#written = key;
    this.#sinceLook += 1;
    if (this.#sinceLook >= BETWEEN_LOOKS) await this.settle();
  }

  /**
   * Reads the last answer that was written, whatever the store has made of it: `RedisByteStore`
   * drops all errors of writing, and says only when it is read that the server is gone.
   */
  async settle(): Promise<void> {
    if (this.#written === undefined || this.#sinceLook === 0) return;
    this.#sinceLook = 0;
    await this.options.store.mget([this.#written]);
  }

  async #read(): Promise<void> {
    let before: Window | undefined;
    for (let start = 0; (await this.units.at(start)) !== undefined; start = this.#growth.size) {
      const windows: Window[] = [];
      const keys = new Map<Window, string>();
      for (let i = start; i < start + BATCH && (await this.units.at(i)) !== undefined; i++) {
        const window = await windowAt(this.units, i, this.options.window, before);
        before = window;
        windows.push(window);
        if (!isForced(window)) keys.set(window, await this.#key(window));
        await this.options.pace.giveWay();
      }
      this.options.signal.throwIfAborted();
      await this.#look(windows, keys);
      this.#growth.to(start + windows.length);
      if (!this.any) this.#grow();
    }
    this.#growth.end();
    this.#grow();
  }

  #grow(): void {
    this.#known = this.#growth.size;
    this.onGrowth?.();
  }

  /** Takes in what the store has of the next starts. */
  async #look(windows: readonly Window[], keys: ReadonlyMap<Window, string>): Promise<void> {
    const values = keys.size > 0 ? await this.options.store.mget([...keys.values()]) : [];
    let asked = 0;
    for (const window of windows) {
      const key = keys.get(window);
      const place = key === undefined ? undefined : decode(key, values[asked++]);
      this.#take(window, place !== undefined && isPlace(window, place) ? place : undefined);
    }
  }

  #take(window: Window, place: number | undefined): void {
    const { start, end, closed, last } = window;
    const forced = start === this.#coveredTo && isForced(window);
    let to = start;
    if (place !== undefined && place > 0) to = start + place;
    else if (place === 0 || forced) to = closed ? end : last;
    this.#coveredTo = Math.max(this.#coveredTo, to);
    this.#places.push(place);
    if (place !== undefined) this.#any = true;
    this.#covered.push(start < this.#coveredTo);
  }

  /** Says what is shown of a window, and what it is asked of, in fewer than 200 characters. */
  async #key({ start, end, closed, first, last }: Window): Promise<string> {
    const units = await this.#digests.of(start, end);
    const overflow = closed ? "" : await this.#digests.ofBeginning(end);
    // what is shown as one paragraph is shown with what lies between its units
    const above = await this.#digests.ofGaps(start, first);
    const below = closed ? await this.#digests.ofGaps(last, end) : "";
    const shape = [end - start, first - start, last - start];
    return PREFIX + [this.#identity, ...shape, units, overflow, above, below].join("-");
  }
}

function isPlace({ start, first, last }: Window, place: number): boolean {
  return place === 0 || (place >= first - start && place <= last - start);
}

/** Times that a write is tried which another process has spoiled. */
const TRIES = 5;

async function write(store: DecisionStore, pair: [string, Uint8Array]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await store.mset([pair]);
    } catch (error) {
      if (tries === TRIES || !lostItsFile(error)) throw error;
    }
  }
}

/**
 * `LocalFileStore.fromPath` deletes all temporary files in its folder, those that another process
 * is about to rename included.
 */
function lostItsFile(error: unknown): boolean {
  return error instanceof Error && /"code":"ENOENT".*"syscall":"rename"/.test(error.message);
}

/** A value that can be told from a damaged one. */
function encode(key: string, place: number): Uint8Array {
  return new TextEncoder().encode(written(key, place));
}

/** The place in a value; nothing where the value is missing, damaged or not ours. */
function decode(key: string, value: unknown): number | undefined {
  if (!ArrayBuffer.isView(value) || value.byteLength > LONGEST_VALUE) return undefined;
  const text = new TextDecoder().decode(value);
  const place = Number.parseInt(text, 10);
  return text === written(key, place) ? place : undefined;
}

function written(key: string, place: number): string {
  return `${place} ${sha256(`${key} ${place}`).slice(0, 16)}`;
}

/** More than any value of ours has bytes. */
const LONGEST_VALUE = 64;
