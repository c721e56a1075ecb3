/** The least or the most of a stretch of values, in steps that grow with its logarithm. */
export class Extremes {
  readonly #tree: Float64Array;

  constructor(
    private readonly length: number,
    private readonly pick: (a: number, b: number) => number,
    private readonly none: number,
  ) {
    this.#tree = new Float64Array(2 * length).fill(none);
  }

  at(index: number): number {
    return this.#tree[index + this.length] ?? this.none;
  }

  set(index: number, value: number): void {
    let i = index + this.length;
    this.#tree[i] = value;
    for (i >>= 1; i > 0; i >>= 1)
      this.#tree[i] = this.pick(this.#node(2 * i), this.#node(2 * i + 1));
  }

  /** Of the values from `first` to `last`; of none, where that is less. */
  of(first: number, last: number): number {
    let found = this.none;
    let [low, high] = [first + this.length, last + this.length + 1];
    for (; low < high; low >>= 1, high >>= 1) {
      if (low & 1) found = this.pick(found, this.#node(low++));
      if (high & 1) found = this.pick(found, this.#node(--high));
    }
    return found;
  }

  #node(i: number): number {
    return this.#tree[i] ?? this.none;
  }
}
