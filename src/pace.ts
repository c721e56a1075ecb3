/** Longest stretch of our own work between two turns of the event loop, in milliseconds. */
const SLICE = 10;

const nextTurn: () => Promise<void> =
  typeof setImmediate === "function"
    ? () => new Promise((resolve) => setImmediate(resolve))
    : () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Shares the event loop: tasks that all ask the same `Pace` after each small step take no more than
 * one slice together, however many they are.
 */
export class Pace {
  #sliceStart = performance.now();
  #turn: Promise<void> | undefined;

  /** A promise to await when the slice is used up, else nothing. */
  breathe(): Promise<void> | undefined {
    if (this.#turn === undefined && performance.now() - this.#sliceStart > SLICE) {
      this.#turn = nextTurn().then(() => {
        this.#turn = undefined;
        this.#sliceStart = performance.now();
      });
    }
    return this.#turn;
  }

  /** The same for work ahead: whoever has used up the slice lets all go first who wait for it. */
  giveWay(): Promise<void> | undefined {
    const isFirst = this.#turn === undefined;
    const turn = this.breathe();
    return isFirst ? turn?.then(nextTurn) : turn;
  }
}
