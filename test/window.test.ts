import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Paragraph } from "../src/paragraphs.js";
import type { Units } from "../src/units.js";
import { isForced, type Window, type WindowOptions, windowAt } from "../src/window.js";
import { allUnits } from "./helpers/units.js";

/** Paragraphs of so many characters; a negative length starts a section. One newline parts them. */
function unitsOf(lengths: readonly number[], chunkSize: number): Promise<Units> {
  const text = lengths.map((length) => "x".repeat(Math.abs(length))).join("\n");
  let end = -1;
  const paragraphs = lengths.map((length): Paragraph => {
    const start = end + 1;
    end = start + Math.abs(length);
    return { start, end, startsSection: length < 0 };
  });
  return allUnits(text, { chunkSize, paragraphs: () => paragraphs });
}

const lengths = fc.array(
  fc
    .oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 60 }))
    .chain((length) => fc.constantFrom(length, length, length, -length)),
  { minLength: 1, maxLength: 30 },
);
const options = fc
  .record({
    chunkSize: fc.integer({ min: 1, max: 40 }),
    share: fc.constantFrom(0, 0, 0.2, 0.5, 1),
    sectionBreaks: fc.boolean(),
  })
  .map(({ chunkSize, share, sectionBreaks }) => ({
    chunkSize,
    minChunkSize: Math.round(chunkSize * share),
    sectionBreaks,
  }));

/** Checks a property of the windows at all starts. */
function everyWindow(
  check: (
    window: Awaited<ReturnType<typeof windowAt>>,
    units: Units,
    options: WindowOptions,
  ) => unknown,
): Promise<void> {
  return fc.assert(
    fc.asyncProperty(lengths, options, async (lengths, options) => {
      const units = await unitsOf(lengths, options.chunkSize);
      for (let start = 0; start < units.list.length; start++) {
        const window = await windowAt(units, start, options);
        expect(window.start).toBe(start);
        await check(window, units, options);
      }
    }),
    { numRuns: 300 },
  );
}

describe("windowAt", () => {
  it("holds all units that fit into the budget, and ends at the one that exceeds it", () =>
    everyWindow(({ start, end, closed }, units, { chunkSize, sectionBreaks }) => {
      let fitting = start + 1;
      const isOver = (unit: number) =>
        unit === units.list.length ||
        (sectionBreaks && units.list.at(unit)?.startsSection === true);
      while (!isOver(fitting) && units.tokens(start, fitting + 1) <= chunkSize) fitting++;
      expect(end).toBe(fitting);
      expect(closed).toBe(isOver(end));
    }));

  it("gives candidates that advance, and leave a chunk that fits", () =>
    everyWindow(({ start, end, closed, first, last }, units, { chunkSize }) => {
      expect(first).toBeGreaterThan(start);
      expect(last).toBeLessThanOrEqual(closed ? end - 1 : end);
      expect(last).toBeGreaterThanOrEqual(closed ? start : start + 1);
      for (let candidate = start + 2; candidate <= last; candidate++)
        expect(units.tokens(start, candidate)).toBeLessThanOrEqual(chunkSize);
    }));

  it("offers every unit but the first when no chunk is too short", () =>
    everyWindow(({ start, end, closed, first, last }, units, { minChunkSize }) => {
      if (minChunkSize > 0) return;
      expect(first).toBe(start + 1);
      expect(last).toBe(closed ? end - 1 : end);
      expect(last).toBeLessThanOrEqual(units.list.length);
    }));

  it("offers exactly the candidates that leave no short chunk", () =>
    everyWindow(({ start, end, closed, first, last }, units, { minChunkSize, sectionBreaks }) => {
      const { list } = units;
      let over = end;
      while (over < list.length && !(sectionBreaks && list.at(over)?.startsSection)) over++;
      const all = Array.from({ length: end - start }, (_, i) => start + 1 + i);
      const offered = closed ? all.slice(0, -1) : all;
      const leaves = (from: number, to: number) => units.tokens(from, to) >= minChunkSize;
      const long = offered.filter((candidate) => leaves(start, candidate));
      const good = long.filter((candidate) => leaves(candidate, over));
      // in an open window there is one, if nothing else will do: the first that is long enough
      const one = closed ? [] : [long[0] ?? end];
      expect(offered.filter((candidate) => first <= candidate && candidate <= last)).toEqual(
        good.length > 0 ? good : one,
      );
    }));

  it("is forced where there is nothing to choose", () =>
    everyWindow((window) => {
      const { first, last, closed } = window;
      const answers = Math.max(0, last - first + 1) + (closed ? 1 : 0);
      expect(isForced(window)).toBe(answers === 1);
      expect(answers).toBeGreaterThan(0);
    }));

  it("is the same where the window before is known", () => {
    let before: Window | undefined;
    return everyWindow(async (window, units, options) => {
      before = window.start === 0 ? undefined : before;
      before = await windowAt(units, window.start, options, before);
      expect(before).toEqual(window);
    });
  });

  it("reads each unit a few times where all windows are asked for in turn", async () => {
    const units = await unitsOf(
      Array.from({ length: 2000 }, () => 1),
      1000,
    );
    const options = { chunkSize: 1000, minChunkSize: 600, sectionBreaks: false };
    const { tokens } = units;
    let reads = 0;
    units.tokens = (from, to) => {
      reads += 1;
      return tokens.call(units, from, to);
    };
    let before: Window | undefined;
    for (let start = 0; start < 2000; start++)
      before = await windowAt(units, start, options, before);
    expect(reads).toBeLessThan(6 * 2000);
  });

  it("is the paper's window in an example", async () => {
    const units = await unitsOf([9, 9, 9, 9], 30);
    const window = { chunkSize: 30, minChunkSize: 0, sectionBreaks: false };
    expect(await windowAt(units, 0, window)).toMatchObject({
      start: 0,
      end: 3,
      closed: false,
      first: 1,
      last: 3,
    });
    expect(await windowAt(units, 1, window)).toMatchObject({
      start: 1,
      end: 4,
      closed: true,
      first: 2,
      last: 3,
    });
    expect(isForced(await windowAt(units, 3, window))).toBe(true);
  });
});
