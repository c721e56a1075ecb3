import { afterEach, describe, expect, it, vi } from "vitest";
import { Pace } from "../src/pace.js";

let now = 0;

afterEach(() => vi.restoreAllMocks());

/** Steps of a millisecond each, with so many promises awaited in each, until all have been taken. */
async function task(pace: Pace, steps: number, promises: number, taken: () => void) {
  for (let step = 0; step < steps; step++) {
    for (let i = 0; i < promises; i++) await undefined;
    now += 1;
    taken();
    await pace.giveWay();
  }
}

describe("Pace", () => {
  it.each([2, 3, 5])("gives each of %d tasks its share of the time", async (count) => {
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const pace = new Pace();
    const taken = Array.from({ length: count }, () => 0);
    let ended: number[] | undefined;
    const tasks = taken.map((_, i) =>
      // the first never awaits anything else, the others several promises in each step
      task(pace, 400, i === 0 ? 0 : 5, () => {
        taken[i] = (taken[i] ?? 0) + 1;
      }).then(() => {
        ended ??= [...taken];
      }),
    );
    await Promise.all(tasks);
    expect(Math.min(...(ended ?? []))).toBeGreaterThan(400 / 2);
  });

  it("leaves the event loop to others once in a slice", async () => {
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const pace = new Pace();
    let turns = 0;
    let running = true;
    const others = async () => {
      while (running) {
        turns += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const counting = others();
    await task(pace, 440, 0, () => undefined);
    running = false;
    await counting;
    expect(turns).toBeGreaterThan(40);
  });
});
