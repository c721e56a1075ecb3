import { type Habit, type Habits, scatter } from "./habits.js";

/** A text is looked at in at most so many regions, and in about `FEWEST` where it is short. */
const MOST = 1000;
const FEWEST = 40;

/** Units in a region, unless the text is too long or too short for that. */
const LENGTH = 16;

/** What is found in a region is averaged with so many on both sides. */
const AROUND = 10;

/** After so many steps two walks are taken never to join, and to have lost so many. */
const NEVER = 40;
const LOST = 160;

/** A pair that comes to the end of the text in fewer steps tells nothing. */
const TELLING = 12;

/** Walks join where pairs take so many steps on average: on a novel 2 to 6, on rows of a table 15. */
const SOON = 20;

/** The windows of a text, as far as they are known. */
interface Windows {
  readonly size: number;
  /** How many candidates the window from a start has; 0 where the text ends. */
  candidates(start: number): number;
}

/**
 * Where in a text walks join: in each region it is tried how soon two meet, if the answers go on as
 * they have been. For this no question is asked. Before there are answers to go by, walks are taken
 * to join: to see that they don't costs a question for each place, once in a run.
 */
export class Joins {
  #length = LENGTH;
  #size = 0;
  #version = -1;
  /** For each region, the steps on average; not a number where nothing can be told. */
  #steps: number[] = [];
  #mean = Number.NaN;

  constructor(
    private readonly windows: Windows,
    private readonly habits: Habits,
  ) {}

  /** Whether a walk that begins at a unit can be expected to join soon. */
  soon(start: number): boolean {
    this.#look();
    const region = Math.min(Math.floor(start / this.#length), this.#steps.length - 1);
    return !((this.#steps[region] ?? 0) > SOON);
  }

  /** The last unit of the region that a unit is in, seen upwards (1) or downwards (-1). */
  edge(start: number, step: 1 | -1): number {
    const region = Math.floor(start / this.#length);
    return step < 0 ? region * this.#length : (region + 1) * this.#length - 1;
  }

  /** Steps that it takes where walks join soon, on average; not a number where they join nowhere. */
  get mean(): number {
    this.#look();
    return this.#mean;
  }

  #look(): void {
    const { size } = this.windows;
    const { version } = this.habits;
    if (version === this.#version && size < 2 * this.#size) return;
    this.#version = version;
    this.#size = size;
    this.#length = Math.max(Math.min(LENGTH, Math.ceil(size / FEWEST)), Math.ceil(size / MOST), 1);
    const readings = this.habits.readings.map((habit) => this.#tried(habit));
    this.#steps = (readings[0] ?? []).map((_, region) =>
      Math.max(...readings.map((steps) => steps[region] ?? 0)),
    );
    this.#mean = mean(this.#steps.filter((steps) => steps <= SOON));
  }

  #tried(habit: Habit): number[] {
    const steps: number[] = [];
    for (let start = 0; start + 1 < this.#size; start += this.#length)
      steps.push(this.#pair(start, habit));
    return steps.map((_, i) => mean(steps.slice(Math.max(0, i - AROUND), i + AROUND + 1)));
  }

  /**
   * Steps until walks from a start and from within its window are one. Not a number where the text
   * ends too soon to tell, whether they have met by then or not.
   */
  #pair(start: number, habit: Habit): number {
    let one = start;
    let other = start + 1 + (scatter(start) % Math.max(1, this.windows.candidates(start)));
    let joined: number | undefined;
    let steps = 0;
    for (; steps < NEVER && other < this.#size; steps++) {
      if (one === other) joined ??= steps;
      if (joined !== undefined && steps >= TELLING) break;
      const after = this.#after(one, habit);
      [one, other] = joined !== undefined ? [after, after] : [after, other];
      if (one > other) [one, other] = [other, one];
    }
    return steps < TELLING ? Number.NaN : (joined ?? LOST);
  }

  #after(start: number, habit: Habit): number {
    const candidates = this.windows.candidates(start);
    return start + Math.min(Math.max(1, habit(start, candidates)), Math.max(1, candidates));
  }
}

/** Of those that are numbers. */
function mean(numbers: readonly number[]): number {
  const known = numbers.filter((number) => !Number.isNaN(number));
  return known.reduce((sum, number) => sum + number, 0) / known.length;
}
