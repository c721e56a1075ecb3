import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Habit, Habits, scatter } from "../src/habits.js";
import { Joins } from "../src/joins.js";

/** Windows of a text in which each start has so many candidates. */
function windows(candidates: readonly number[]) {
  return { size: candidates.length, candidates: (start: number) => candidates[start] ?? 0 };
}

/** What a decider has answered in a walk through the text. */
function seen(candidates: readonly number[], decide: Habit): Habits {
  const habits = new Habits();
  for (let start = 0; start < candidates.length; ) {
    const count = candidates[start] ?? 1;
    const place = Math.min(Math.max(1, decide(start, count)), count);
    habits.saw(place, count);
    start += place;
  }
  return habits;
}

const anywhere: Habit = (start, count) => 1 + (scatter(start + 7) % count);
const last: Habit = (_, count) => count;
const second: Habit = () => 2;
const middle: Habit = (_, count) => Math.ceil(count / 2);

/** Starts of a text, one in so many. */
const starts = (size: number) => Array.from({ length: Math.floor(size / 5) }, (_, i) => 5 * i);

const uneven = fc
  .array(fc.integer({ min: 3, max: 9 }), { minLength: 300, maxLength: 2000 })
  .map((sizes) => sizes.map((size, i) => Math.max(size, (sizes[i - 1] ?? 0) - 1)));

describe("Joins", () => {
  it("are expected nearly everywhere where answers fall anywhere in windows of a few candidates", () => {
    fc.assert(
      fc.property(uneven, (candidates) => {
        const joins = new Joins(windows(candidates), seen(candidates, anywhere));
        const all = starts(candidates.length);
        const apart = all.filter((start) => !joins.soon(start));
        expect(apart.length).toBeLessThan(all.length / 2);
        expect(joins.mean).toBeLessThan(12);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ["the last", last, 2],
    ["the second", second, 3],
    ["the middle", middle, 3],
  ])("are expected nowhere where windows are equal and it is always %s", (_, decide, least) => {
    fc.assert(
      fc.property(
        fc.integer({ min: least, max: 30 }),
        fc.integer({ min: 20, max: 200 }),
        (count, chunks) => {
          const candidates = new Array<number>(count * chunks).fill(count);
          const joins = new Joins(windows(candidates), seen(candidates, decide));
          // where the text ends before it could be told, a walk more costs next to nothing
          const told = starts(candidates.length - 13 * count);
          expect(told.filter((start) => joins.soon(start))).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("are expected where paragraphs differ in length, and not where they are equal, in one text", () => {
    const prose = Array.from({ length: 1000 }, (_, i) => 4 + (scatter(i) % 4));
    const rows = new Array<number>(2000).fill(7);
    const candidates = [...prose, ...rows, ...prose];
    const joins = new Joins(windows(candidates), seen(candidates, last));
    const soon = starts(candidates.length).filter((start) => joins.soon(start));
    // regions at the seams are averaged with those on the other side
    const inRows = soon.filter((start) => start > 1200 && start < 2800);
    const inProse = soon.filter((start) => start < 800 || start > 3200);
    expect(inRows).toEqual([]);
    expect(inProse.length).toBeGreaterThan(200);
  });

  it("are judged anew when answers have come", () => {
    const candidates = new Array<number>(3000).fill(8);
    const habits = new Habits();
    const joins = new Joins(windows(candidates), habits);
    expect(joins.soon(1500)).toBe(true);
    for (let i = 0; i < 4; i++) habits.saw(8, 8);
    expect(joins.soon(1500)).toBe(false);
    for (let start = 0; start < 60; start++) habits.saw(anywhere(start, 8), 8);
    expect(joins.soon(1500)).toBe(true);
  });

  it("can be asked about any text, however short", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5 }), { maxLength: 12 }), (candidates) => {
        const joins = new Joins(windows(candidates), new Habits());
        for (let start = 0; start <= candidates.length; start++)
          expect(typeof joins.soon(start)).toBe("boolean");
      }),
    );
  });
});

describe("Habits", () => {
  it("go on in windows of the same length as they were, in every reading", () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 40 })
          .chain((count) => fc.tuple(fc.constant(count), fc.integer({ min: 1, max: count }))),
        fc.nat(),
        ([count, place], start) => {
          const habits = new Habits();
          for (let i = 0; i < 8; i++) habits.saw(place, count);
          for (const reading of habits.readings) expect(reading(start, count)).toBe(place);
        },
      ),
    );
  });

  it("are read from the start, from the end and as a share where windows are of another length", () => {
    const habits = new Habits();
    for (let i = 0; i < 8; i++) habits.saw(3, 4);
    expect(habits.readings.map((reading) => reading(0, 8))).toEqual([3, 7, 6]);
  });
});
