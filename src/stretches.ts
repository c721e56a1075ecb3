/** A prime below 2³¹ for each lane, and the number to whose powers its hashes are multiplied. */
const LANES = [
  { prime: 2_147_483_647, base: 1_640_531_527 },
  { prime: 2_147_483_629, base: 739_982_445 },
  { prime: 2_147_483_587, base: 1_181_783_497 },
  { prime: 2_147_483_579, base: 362_437_069 },
] as const;

const WIDTH = LANES.length;

/**
 * Digests of stretches of items that have a hash each: polynomials in four lanes, some 124 bits,
 * so that the digest of any stretch is the difference of two sums that are kept for all items.
 *
 * Equal stretches have equal digests wherever they stand. That others have equal digests by chance
 * takes some 2⁶² of them. Whoever sets out to can write two texts whose digests are equal, as with
 * any polynomial: all that comes of it is that a boundary of his text moves inside its window.
 */
export class Stretches {
  /** For each number of items from the first, the lanes of their digest. */
  readonly #sums = new Lanes([0, 0, 0, 0]);
  readonly #powers = new Lanes([1, 1, 1, 1]);

  /** @param hashOf the hash of an item, in hexadecimal digits. */
  constructor(private readonly hashOf: (index: number) => Promise<string>) {}

  /** The digest of the items from `from` to before `to`: 24 digits and small letters; none of none. */
  async digest(from: number, to: number): Promise<string> {
    if (from >= to) return "";
    while (this.#sums.length <= to) await this.#add(this.#sums.length - 1);
    while (this.#powers.length <= to - from) this.#powers.push(this.#nextPower);
    return LANES.map(({ prime }, lane) => {
      const before = times(this.#sums.at(from, lane), this.#powers.at(to - from, lane), prime);
      return digits((this.#sums.at(to, lane) + prime - before) % prime);
    }).join("");
  }

  async #add(index: number): Promise<void> {
    const hash = await this.hashOf(index);
    if (this.#sums.length !== index + 1) return; // another has added it meanwhile
    this.#sums.push((before, lane) => {
      const { prime, base } = LANES[lane] as (typeof LANES)[number];
      const item = Number.parseInt(hash.slice(8 * lane, 8 * lane + 8), 16);
      return (times(before, base, prime) + item) % prime;
    });
  }

  #nextPower(before: number, lane: number): number {
    const { prime, base } = LANES[lane] as (typeof LANES)[number];
    return times(before, base, prime);
  }
}

/** Rows of a number for each lane, as many as are pushed. */
class Lanes {
  length = 1;
  #numbers = new Uint32Array(WIDTH * 64);

  constructor(first: readonly number[]) {
    this.#numbers.set(first);
  }

  at(row: number, lane: number): number {
    return this.#numbers[row * WIDTH + lane] as number;
  }

  /** Adds a row, each number by the one before it in its lane. */
  push(next: (before: number, lane: number) => number): void {
    const at = this.length * WIDTH;
    if (at === this.#numbers.length) {
      const longer = new Uint32Array(2 * at);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    for (let lane = 0; lane < WIDTH; lane++)
      this.#numbers[at + lane] = next(this.at(this.length - 1, lane), lane);
    this.length += 1;
  }
}

/** A product of two numbers below 2³¹ modulo a third, exact in a double at each step. */
function times(a: number, b: number, modulus: number): number {
  const high = (a * (b >>> 16)) % modulus;
  return (high * 0x10000 + a * (b & 0xffff)) % modulus;
}

function digits(lane: number): string {
  return lane.toString(36).padStart(6, "0");
}
