/** A sum of stretches that rise evenly, read from left to right while more are added ahead. */
export class Steps {
  readonly #jumps: Float64Array;
  readonly #rises: Float64Array;
  #value = 0;
  #rise = 0;

  constructor(length: number) {
    this.#jumps = new Float64Array(length + 1);
    this.#rises = new Float64Array(length + 1);
  }

  /** From an index on, so many values, the first one given, each by `rise` more than the last. */
  add(from: number, count: number, first: number, rise: number): void {
    this.#jump(from, first - rise, rise);
    this.#jump(from + count, -(first - rise) - rise * count, -rise);
  }

  /** The value at the next index. */
  next(index: number): number {
    this.#value += this.#jumps[index] ?? 0;
    this.#rise += this.#rises[index] ?? 0;
    this.#value += this.#rise;
    return this.#value;
  }

  #jump(index: number, by: number, rise: number): void {
    this.#jumps[index] = (this.#jumps[index] ?? 0) + by;
    this.#rises[index] = (this.#rises[index] ?? 0) + rise;
  }
}
