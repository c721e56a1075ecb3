/** Items on a page: a power of two. */
const BITS = 14;
const MASK = 2 ** BITS - 1;

/**
 * A list that grows page by page. An array that grows is copied, all in one go: with millions of
 * items that keeps the event loop from others.
 */
export class Pages<T> implements Iterable<T> {
  readonly #pages: T[][] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get last(): T | undefined {
    return this.at(this.#length - 1);
  }

  at(index: number): T | undefined {
    return this.#pages[index >> BITS]?.[index & MASK];
  }

  push(item: T): void {
    if ((this.#length & MASK) === 0) this.#pages.push([]);
    this.#pages.at(-1)?.push(item);
    this.#length += 1;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const page of this.#pages) yield* page;
  }
}

/** The same for numbers, which stand in their places: 0 where none was put. */
export class Numbers {
  readonly #pages: Float64Array[] = [];
  #length = 0;

  /** One more than the last index at which a number was put. */
  get length(): number {
    return this.#length;
  }

  /** The number at an index, 0 outside. */
  at(index: number): number {
    return this.#pages[index >> BITS]?.[index & MASK] ?? 0;
  }

  push(number: number): void {
    this.put(this.#length, number);
  }

  put(index: number, number: number): void {
    while (this.#pages.length <= index >> BITS) this.#pages.push(new Float64Array(MASK + 1));
    (this.#pages[index >> BITS] as Float64Array)[index & MASK] = number;
    if (index >= this.#length) this.#length = index + 1;
  }
}
