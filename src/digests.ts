import { sha256 } from "@langchain/core/utils/hash";
import type { Pace } from "./pace.js";
import type { Units } from "./units.js";

/** UTF-16 units that are hashed in one go: some milliseconds. */
const PIECE = 16_384;

/** Numbers of 32 bits in a digest. */
const LANES = 4;

/**
 * Digests of the units of a text, and of stretches of units.
 *
 * Each unit is hashed once, by SHA-256. A stretch is folded from the digests of its units, 128 bits
 * in four lanes: core's SHA-256 hashes some 20 MB a second, and with it the digests in a thousand
 * windows of short lines would take longer than the lines.
 */
export class Digests {
  /** Of each unit, four numbers. */
  readonly #lanes: number[] = [];

  constructor(
    private readonly units: Units,
    private readonly pace: Pace,
  ) {}

  /** The digest of the units from `from` to before `to`, whatever lies between them. */
  async of(from: number, to: number): Promise<string> {
    while (this.#lanes.length < to * LANES) await this.#add(this.#lanes.length / LANES);
    return hex(fold(this.#lanes, from * LANES, to * LANES));
  }

  /** The digest of what is shown of a unit that exceeds the budget. */
  async ofBeginning(index: number): Promise<string> {
    const beginning = await this.units.beginning(index);
    const [unit] = this.units.ends(index, index + 1);
    if (beginning.length === unit.end - unit.start) return this.of(index, index + 1);
    return hex(fold(await this.#lanesOf(beginning), 0, LANES));
  }

  async #add(index: number): Promise<void> {
    const lanes = await this.#lanesOf(this.units.slice(index, index + 1));
    if (this.#lanes.length === index * LANES) this.#lanes.push(...lanes);
  }

  async #lanesOf(text: string): Promise<number[]> {
    const pieces: number[] = [];
    for (let start = 0; start < text.length; start += PIECE) {
      // core's SHA-256 takes lone surrogates for halves of pairs; JSON escapes them
      const hash = sha256(JSON.stringify(text.slice(start, start + PIECE)));
      for (let lane = 0; lane < LANES; lane++)
        pieces.push(Number.parseInt(hash.slice(8 * lane, 8 * lane + 8), 16) | 0);
      if (text.length > PIECE) await this.pace.breathe();
    }
    return pieces.length === LANES ? pieces : fold(pieces, 0, pieces.length);
  }
}

/**
 * Every lane takes in the numbers of its own. A step can be undone both ways, so that lanes which
 * differ in one number stay different.
 */
function fold(numbers: readonly number[], from: number, to: number): number[] {
  const folded = [1, 2, 3, 4];
  for (let i = from; i < to; i++) {
    const lane = i % LANES;
    const before = folded[lane] as number;
    const turned = (before << 13) | (before >>> 19);
    folded[lane] = Math.imul(turned ^ (numbers[i] as number), 0x9e3779b1);
  }
  return folded;
}

function hex(lanes: readonly number[]): string {
  return lanes.map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}
