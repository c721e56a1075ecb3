const WIDTH = 30;
const REDRAW_MS = 100;

/**
 * Shows how far a long part has come, on stderr: a bar that moves on a terminal, a line at each
 * quarter elsewhere.
 */
export class ProgressBar {
  #drawn = Number.NEGATIVE_INFINITY;
  #quarter = 0;
  #done = false;

  constructor(private readonly label: string) {}

  /** @param share of the work that is done, from 0 to 1. */
  show(share: number, note = ""): void {
    if (this.#done) return;
    this.#done = share >= 1;
    if (process.stderr.isTTY) this.#draw(Math.min(share, 1), note);
    else this.#report(Math.min(Math.floor(share * 4), 4), note);
  }

  #draw(share: number, note: string): void {
    if (!this.#done && performance.now() - this.#drawn < REDRAW_MS) return;
    this.#drawn = performance.now();
    const filled = Math.round(share * WIDTH);
    const bar = "#".repeat(filled).padEnd(WIDTH, "-");
    const line = `${this.label} [${bar}] ${note}`.slice(0, (process.stderr.columns ?? 80) - 1);
    process.stderr.write(`\r\x1b[K${line}${this.#done ? "\n" : ""}`);
  }

  #report(quarter: number, note: string): void {
    if (quarter <= this.#quarter) return;
    this.#quarter = quarter;
    process.stderr.write(`${this.label} ${quarter * 25} % ${note}\n`);
  }
}
