import type { Units } from "./units.js";

/**
 * What can be told of a text's walks from its units alone, before a question is asked, when every
 * answer to a window is taken to be as likely as any other: how likely each unit is to be a start,
 * and so how many questions a stretch will take.
 *
 * The text is read once, as its units become known.
 */
export class Forecast {
  /** How likely each unit is to be the start of a chunk. */
  readonly visits: number[] = [];
  /** For each unit, the questions expected before it. */
  readonly questions: number[] = [0];
  readonly #changes = [1, -1];
  #end = 0;

  constructor(
    private readonly units: Units,
    private readonly chunkSize: number,
  ) {}

  /** Units whose windows are known. */
  get size(): number {
    return this.visits.length;
  }

  /** Takes in the units that have come since. */
  grow(): void {
    const { list, complete } = this.units;
    for (let start = this.size; start < list.length; start++) {
      let end = Math.max(this.#end, start + 1);
      while (end < list.length && this.units.tokens(start, end + 1) <= this.chunkSize) end++;
      this.#end = end;
      const closed = end === list.length;
      if (closed && !complete) return;
      this.#take(start, end, closed);
    }
  }

  /** The likeliest start between two; the nearest to the middle of those that are as likely. */
  place(from: number, to: number): number {
    const middle = (from + to) / 2;
    let best = Math.round(middle);
    for (let start = Math.ceil(from); start <= to; start++) {
      const gain = (this.visits[start] ?? 0) - (this.visits[best] ?? 0);
      const nearer = Math.abs(start - middle) < Math.abs(best - middle);
      if (gain > 0 || (gain === 0 && nearer)) best = start;
    }
    return best;
  }

  #take(start: number, end: number, closed: boolean): void {
    const visits = (this.visits[start - 1] ?? 0) + (this.#changes[start] ?? 0);
    this.visits.push(visits);
    const candidates = closed ? end - start - 1 : end - start;
    const answers = candidates + (closed ? 1 : 0);
    this.questions.push((this.questions[start] ?? 0) + (answers > 1 ? visits : 0));
    if (candidates === 0) return;
    this.#change(start + 1, visits / answers);
    this.#change(start + 1 + candidates, -visits / answers);
  }

  #change(index: number, by: number): void {
    this.#changes[index] = (this.#changes[index] ?? 0) + by;
  }
}
