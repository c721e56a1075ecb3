import type { BaseStore } from "@langchain/core/stores";
import { sha256 } from "@langchain/core/utils/hash";
import { Growth } from "./growth.js";
import type { Pace } from "./pace.js";
import type { Units } from "./units.js";
import { isForced, type Window, type WindowOptions, windowAt } from "./window.js";

/** A store for decisions: what LangChain's key-value stores are. */
export type DecisionStore = BaseStore<string, Uint8Array>;

/** Starts whose answers are read from the store at a time. */
const BATCH = 256;

const PREFIX = "lumberchunker-1-";

export interface DecisionsOptions {
  store: DecisionStore;
  /** Names all that an answer depends on but the text. */
  identity: string;
  window: WindowOptions;
  pace: Pace;
}

/**
 * The decisions that a store remembers of one text. The key of an answer is a hash of what was
 * shown, the value the place in the window: an edited text finds all answers but those of the
 * windows that see the edit.
 *
 * All starts are read ahead, a batch at a time, as the units become known.
 */
export class TextDecisions {
  readonly #places: (number | undefined)[] = [];
  readonly #hashes: string[] = [];
  readonly #identity: string;
  readonly #growth = new Growth();
  /** Called when more starts are known. */
  onGrowth: (() => void) | undefined;
  #begun = false;

  constructor(
    private readonly units: Units,
    private readonly options: DecisionsOptions,
  ) {
    const { chunkSize, minChunkSize, sectionBreaks } = options.window;
    this.#identity = sha256([options.identity, chunkSize, minChunkSize, sectionBreaks].join("\n"));
  }

  /** Starts, counted from the first, whose remembered answers are known. */
  get known(): number {
    return this.#growth.size;
  }

  /** The remembered place in a window: how many units stand before the boundary, 0 for no shift. */
  async recall({ start, first, last }: Window): Promise<number | undefined> {
    if (!this.#begun) {
      this.#begun = true;
      this.#read().catch((error: unknown) => this.#growth.fail(error));
    }
    await this.#growth.passes(start);
    const place = this.#places[start];
    const valid =
      place === 0 || (place !== undefined && place >= first - start && place <= last - start);
    return valid ? place : undefined;
  }

  async remember(window: Window, place: number): Promise<void> {
    const key = await this.#key(window);
    await this.options.store.mset([[key, encode(key, place)]]);
  }

  /** The remembered start that is nearest to the middle between two. */
  near(from: number, to: number): number | undefined {
    const middle = Math.round((from + to) / 2);
    for (let distance = 0; distance <= (to - from) / 2; distance++) {
      if (this.#places[middle - distance] !== undefined) return middle - distance;
      if (this.#places[middle + distance] !== undefined) return middle + distance;
    }
    return undefined;
  }

  async #read(): Promise<void> {
    for (let start = 0; (await this.units.at(start)) !== undefined; start = this.known) {
      const keys: string[] = [];
      const starts: number[] = [];
      let end = start;
      for (; end < start + BATCH && (await this.units.at(end)) !== undefined; end++) {
        const window = await windowAt(this.units, end, this.options.window);
        if (!isForced(window)) {
          starts.push(end);
          keys.push(await this.#key(window));
        }
        await this.options.pace.breathe();
      }
      const values = keys.length > 0 ? await this.options.store.mget(keys) : [];
      keys.forEach((key, i) => {
        this.#places[starts[i] as number] = decode(key, values[i]);
      });
      this.#growth.to(end);
      this.onGrowth?.();
    }
    this.#growth.end();
  }

  async #key({ start, end, closed, first, last }: Window): Promise<string> {
    const parts = [this.#identity, closed ? "closed" : "open", first - start, last - start];
    for (let unit = start; unit < end; unit++) parts.push(this.#hash(unit));
    if (!closed) parts.push(sha256(await this.units.beginning(end)));
    return PREFIX + sha256(parts.join(" "));
  }

  #hash(unit: number): string {
    const hash = this.#hashes[unit] ?? sha256(this.units.slice(unit, unit + 1));
    this.#hashes[unit] = hash;
    return hash;
  }
}

/** A value that can be told from a damaged one. */
function encode(key: string, place: number): Uint8Array {
  return new TextEncoder().encode(`${place} ${check(key, place)}`);
}

/** The place in a value; nothing where the value is missing, damaged or not ours. */
function decode(key: string, value: unknown): number | undefined {
  if (!(value instanceof Uint8Array)) return undefined;
  const [digits, sum] = new TextDecoder().decode(value.subarray(0, LONGEST_VALUE)).split(" ");
  const place = Number(digits);
  return Number.isSafeInteger(place) && sum === check(key, place) ? place : undefined;
}

function check(key: string, place: number): string {
  return sha256(`${key} ${place}`).slice(0, 16);
}

/** More than any value of ours has bytes. */
const LONGEST_VALUE = 64;
