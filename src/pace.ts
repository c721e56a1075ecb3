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
    if (this.#turn !== undefined) return this.#turn;
    if (performance.now() - this.#sliceStart <= SLICE) return undefined;
    this.#turn = nextTurn().then(() => {
      this.#turn = undefined;
      this.#sliceStart = performance.now();
    });
    // whoever has used up the slice lets those go first who wait for it
    return this.#turn.then(nextTurn);
  }
}
