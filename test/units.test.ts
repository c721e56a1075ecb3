import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { InvalidParameterError } from "../src/errors.js";
import { type Paragraph, paragraphsOf } from "../src/paragraphs.js";
import { outsideSurrogatePair } from "../src/segments.js";
import { tokenLength } from "../src/tokens.js";
import { anyText, isBlank, LENGTHS, someText } from "./helpers/texts.js";
import { allUnits, unitsOf } from "./helpers/units.js";

const lengthName = fc.constantFrom(...Object.keys(LENGTHS));
const size = fc.integer({ min: 1, max: 60 });

describe("Units", () => {
  it("are the paragraphs, or parts of one, in order and without a gap but white space", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, size, lengthName, async (text, chunkSize, name) => {
        const lengthFunction = LENGTHS[name]!;
        const { list, complete } = await allUnits(text, { chunkSize, lengthFunction });
        const paragraphs = [...paragraphsOf(text, "auto")];
        expect(complete).toBe(true);
        expect([...new Set(Array.from(list, ({ paragraph }) => paragraph))]).toEqual(
          paragraphs.map((_, i) => i + 1),
        );
        let end = 0;
        for (const unit of list) {
          const paragraph = paragraphs[unit.paragraph - 1]!;
          const content = text.slice(unit.start, unit.end);
          expect(isBlank(text.slice(end, unit.start))).toBe(true);
          expect(unit.start).toBeGreaterThanOrEqual(Math.max(end, paragraph.start));
          expect(unit.end).toBeLessThanOrEqual(paragraph.end);
          expect(unit.tokens).toBe(await lengthFunction(content));
          if (unit.tokens > chunkSize) expect([...content]).toHaveLength(1);
          end = unit.end;
        }
        expect(isBlank(text.slice(end))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("a paragraph that fits is one unit", async () => {
    await fc.assert(
      fc.asyncProperty(someText, size, async (text, chunkSize) => {
        const { list } = await allUnits(text, { chunkSize });
        const paragraphs = [...paragraphsOf(text, "auto")];
        for (const [i, { start, end }] of paragraphs.entries()) {
          const parts = [...list].filter(({ paragraph }) => paragraph === i + 1);
          if (end - start <= chunkSize) expect(parts).toMatchObject([{ start, end }]);
          else if (text.slice(start, end).match(/\S/gu)?.length !== 1)
            expect(parts.length).toBeGreaterThan(1);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("tokens of a stretch are exact for a length that adds up", async () => {
    await fc.assert(
      fc.asyncProperty(someText, size, fc.nat(), fc.nat(), async (text, chunkSize, a, b) => {
        const units = await allUnits(text, { chunkSize });
        const [from = 0, last = 0] = [a, b].map((n) => n % units.list.length).sort((x, y) => x - y);
        const [first, end] = units.ends(from, last + 1);
        expect(units.tokens(from, last + 1)).toBe(end.end - first.start);
        expect(units.slice(from, last + 1)).toBe(text.slice(first.start, end.end));
      }),
      { numRuns: 300 },
    );
  });

  it("gives the first units of a long paragraph out before it is counted", async () => {
    for (const sentence of ["The whale spoke slowly. ", "鯨は海に帰った。", "a\n"]) {
      const text = sentence.repeat(1_000_000 / sentence.length);
      const units = unitsOf(text, { lengthFunction: tokenLength(), paragraphs: "blank-line" });
      await units.at(0);
      const first = units.list.last?.end ?? 0;
      expect(first).toBeLessThan(text.length / 2);
      await units.at(Number.MAX_SAFE_INTEGER);
      for (const { start, end, tokens } of [...units.list].slice(-50))
        expect(tokens).toBe(await tokenLength()(text.slice(start, end)));
    }
  });

  it("shows the beginning of a unit: all of it, or at most a quarter of chunkSize", async () => {
    await fc.assert(
      fc.asyncProperty(someText, size, lengthName, async (text, chunkSize, name) => {
        const lengthFunction = LENGTHS[name]!;
        const units = await allUnits(text, { chunkSize, lengthFunction });
        for (const [i, { start, end, tokens }] of [...units.list].entries()) {
          const beginning = await units.beginning(i);
          expect(text.startsWith(beginning, start)).toBe(true);
          expect(beginning).not.toBe("");
          expect(outsideSurrogatePair(text, start + beginning.length)).toBe(
            start + beginning.length,
          );
          if (tokens <= chunkSize / 4) expect(beginning).toBe(text.slice(start, end));
          if ((await lengthFunction(beginning)) > chunkSize / 4)
            expect([...beginning]).toHaveLength(1);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("shows whole words, and as many as a quarter holds", async () => {
    const units = await allUnits("the whale and the sea and the ship that sank", {
      chunkSize: 100,
    });
    expect(await units.beginning(0)).toBe("the whale and the sea and");
  });

  it("counts a beginning once", async () => {
    const lengthFunction = vi.fn((text: string) => text.length);
    const units = await allUnits("one two three four", { chunkSize: 20, lengthFunction });
    await units.beginning(0);
    const calls = lengthFunction.mock.calls.length;
    await units.beginning(0);
    expect(lengthFunction).toHaveBeenCalledTimes(calls);
  });

  it("nothing is counted before the first is asked for, and no paragraph twice", async () => {
    const lengthFunction = vi.fn((text: string) => text.length);
    const units = unitsOf("one\n\ntwo\n\nthree", { lengthFunction });
    expect(lengthFunction).not.toHaveBeenCalled();
    await Promise.all([units.at(2), units.at(0), units.at(7)]);
    for (const word of ["one", "two", "three"])
      expect(lengthFunction.mock.calls.filter(([text]) => text === word)).toHaveLength(1);
  });

  it("a unit can be had before the text has been read to its end", async () => {
    const text = "one two three\n\n".repeat(200_000);
    const units = unitsOf(text);
    expect(await units.at(0)).toMatchObject({ start: 0, end: 13, paragraph: 1 });
    expect(units.complete).toBe(false);
    expect(await units.at(200_000)).toBeUndefined();
    expect(units.list).toHaveLength(200_000);
  });

  it("tells of growth as it comes, and at the end", async () => {
    const units = unitsOf("one two three\n\n".repeat(100_000));
    const sizes: number[] = [];
    units.onGrowth = () => sizes.push(units.list.length);
    await units.at(100_000);
    expect(sizes.at(-1)).toBe(100_000);
    expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes);
  });

  it("knows the section of each unit, and marks the first of its first paragraph only", async () => {
    const paragraphs = (): Paragraph[] => [
      { start: 0, end: 3, section: "A", startsSection: true },
      { start: 3, end: 20, section: "A > B", startsSection: true },
      { start: 20, end: 24, section: "A > B" },
    ];
    const text = "one   two three four five";
    for (const chunkSize of [4, 5, 9, 30]) {
      const { list } = await allUnits(text.slice(0, 24), { chunkSize, paragraphs });
      const starts = [...list].filter(({ startsSection }) => startsSection);
      expect(starts.map(({ section, paragraph }) => [section, paragraph])).toEqual([
        ["A", 1],
        ["A > B", 2],
      ]);
      for (const { section, paragraph } of list)
        expect(section).toBe(paragraph === 1 ? "A" : "A > B");
    }
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "3", undefined, null, 3n, {}])(
    "refuses a length of %s",
    async (length) => {
      const lengthFunction = () => length as number;
      const failure = unitsOf("one", { lengthFunction }).at(0);
      await expect(failure).rejects.toThrow(InvalidParameterError);
      await expect(failure).rejects.toMatchObject({ parameter: "lengthFunction", value: length });
      const later = unitsOf("one", { lengthFunction: async () => length as number }).at(0);
      await expect(later).rejects.toMatchObject({ parameter: "lengthFunction", value: length });
    },
  );

  it("rethrows what the length function or the paragraph rule throws, to all who wait", async () => {
    const error = new Error("no");
    const fail = () => {
      throw error;
    };
    for (const options of [{ lengthFunction: fail }, { paragraphs: fail }]) {
      const units = unitsOf("one", options);
      const results = await Promise.allSettled([units.at(0), units.at(5), units.at(0)]);
      for (const result of results) expect(result).toEqual({ status: "rejected", reason: error });
    }
  });

  it("stops reading when its signal is aborted", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    let counted = 0;
    const units = unitsOf("one\n\n".repeat(1000), {
      signal: controller.signal,
      lengthFunction: async () => {
        counted += 1;
        if (counted === 5) controller.abort(reason);
        return 1;
      },
    });
    await expect(units.at(999)).rejects.toBe(reason);
    expect(counted).toBeLessThan(10);
  });
});
