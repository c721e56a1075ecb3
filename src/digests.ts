import { sha256 } from "@langchain/core/utils/hash";
import type { Pace } from "./pace.js";
import { Stretches } from "./stretches.js";
import type { Units } from "./units.js";

/** UTF-16 units that are hashed in one go: some milliseconds. */
const PIECE = 16_384;

/**
 * Digests of the units of a text, of stretches of units, and of what lies between units.
 *
 * Each unit is hashed once, by SHA-256, and a stretch is worked out from its units' hashes in
 * constant time: core's SHA-256 hashes some 20 MB a second, and with it the digests in a thousand
 * windows of short lines would take longer than the lines.
 */
export class Digests {
  readonly #units: Stretches;
  readonly #gaps: Stretches;
  #lastGap = { text: "", hash: sha256(JSON.stringify("")) };

  constructor(
    private readonly units: Units,
    private readonly pace: Pace,
  ) {
    this.#units = new Stretches((index) => this.#hash(units.slice(index, index + 1)));
    this.#gaps = new Stretches((index) => this.#hashOfGap(index));
  }

  /** The digest of the units from `from` to before `to`, whatever lies between them. */
  of(from: number, to: number): Promise<string> {
    return this.#units.digest(from, to);
  }

  /** The digest of what lies between the units from `from` to before `to`. */
  ofGaps(from: number, to: number): Promise<string> {
    return this.#gaps.digest(from, to - 1);
  }

  /** The digest of what is shown of a unit that exceeds the budget. */
  async ofBeginning(index: number): Promise<string> {
    const beginning = await this.units.beginning(index);
    const [unit] = this.units.ends(index, index + 1);
    if (beginning.length === unit.end - unit.start) return this.of(index, index + 1);
    return new Stretches(() => this.#hash(beginning)).digest(0, 1);
  }

  async #hash(text: string): Promise<string> {
    const hashes: string[] = [];
    for (let start = 0; start < text.length; start += PIECE) {
      // core's SHA-256 takes lone surrogates for halves of pairs; JSON escapes them
      hashes.push(sha256(JSON.stringify(text.slice(start, start + PIECE))));
      if (text.length > PIECE) await this.pace.breathe();
    }
    return hashes.length === 1 ? (hashes[0] as string) : sha256(hashes.join(" "));
  }

  /** Most gaps are like the one before. */
  async #hashOfGap(index: number): Promise<string> {
    const [above, below] = this.units.ends(index, index + 2);
    const text = this.units.text.slice(above.end, below.start);
    if (text !== this.#lastGap.text) this.#lastGap = { text, hash: await this.#hash(text) };
    return this.#lastGap.hash;
  }
}
