/** A count that grows to its end while others wait for it to pass an index. */
export class Growth {
  size = 0;
  #complete = false;
  #failure: { error: unknown } | undefined;
  #wanted = Number.POSITIVE_INFINITY;
  #gate = new Gate();

  /** Whether it grows no more. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Whether the count passes an index, once that is known; throws what it failed with. */
  async passes(index: number): Promise<boolean> {
    while (index >= this.size && !this.#complete) {
      if (this.#failure !== undefined) throw this.#failure.error;
      this.#wanted = Math.min(this.#wanted, index);
      await this.#gate.opened;
    }
    return index < this.size;
  }

  to(size: number): void {
    this.size = size;
    if (size > this.#wanted) this.#wake();
  }

  end(): void {
    this.#complete = true;
    this.#wake();
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.#wake();
  }

  #wake(): void {
    this.#wanted = Number.POSITIVE_INFINITY;
    const gate = this.#gate;
    this.#gate = new Gate();
    gate.open();
  }
}

/** A promise that others wait for until it is opened, once. */
export class Gate {
  readonly opened: Promise<void>;
  #open!: () => void;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }
}
