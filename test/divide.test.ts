import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Counted, divide } from "../src/divide.js";
import type { Paragraph, Span } from "../src/paragraphs.js";
import {
  breaks,
  breaksBeside,
  type Granularity,
  outsideSurrogatePair,
  spacesBeside,
} from "../src/segments.js";
import { cutGraphemes, isBlank, LENGTHS, someText } from "./helpers/texts.js";

async function divided(
  text: string,
  chunkSize: number,
  length: (text: string) => number | Promise<number> = (text) => text.length,
  paragraph: Paragraph = { start: 0, end: text.length },
): Promise<Counted[]> {
  const count = async ({ start, end }: Span) => length(text.slice(start, end));
  const counted = { ...paragraph, tokens: await count(paragraph) };
  const options = { chunkSize, locale: "en", count, breathe: () => undefined };
  const units: Counted[] = [];
  for await (const unit of divide(text, counted, options)) units.push(unit);
  return units;
}

async function units(...args: Parameters<typeof divided>): Promise<string[]> {
  return (await divided(...args)).map(({ start, end }) => args[0].slice(start, end));
}

const lengthName = fc.constantFrom(...Object.keys(LENGTHS));
const size = fc.oneof(
  fc.integer({ min: 1, max: 60 }),
  fc.double({ min: 0.3, max: 8, noNaN: true }),
);

describe("divide", () => {
  it("gives units that fit and leave white space out only", async () => {
    await fc.assert(
      fc.asyncProperty(someText, size, lengthName, async (text, chunkSize, name) => {
        const length = LENGTHS[name] as (text: string) => number;
        let end = 0;
        for (const unit of await divided(text, chunkSize, length)) {
          const content = text.slice(unit.start, unit.end);
          expect(unit.start).toBeGreaterThanOrEqual(end);
          expect(isBlank(text.slice(end, unit.start))).toBe(true);
          expect(content.trim()).not.toBe("");
          expect(unit.tokens).toBe(await length(content));
          if (unit.tokens > chunkSize) expect([...content]).toHaveLength(1);
          end = unit.end;
        }
        expect(isBlank(text.slice(end))).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  it("cuts a grapheme only where it alone is too long, and never a surrogate pair", async () => {
    await fc.assert(
      fc.asyncProperty(someText, size, lengthName, async (text, chunkSize, name) => {
        const length = LENGTHS[name] as (text: string) => number;
        const cuts = (await divided(text, chunkSize, length)).flatMap(({ start, end }) => [
          start,
          end,
        ]);
        for (const grapheme of cutGraphemes(text, cuts))
          expect(await length(grapheme), JSON.stringify(grapheme)).toBeGreaterThan(chunkSize);
        for (const cut of cuts) expect(outsideSurrogatePair(text, cut)).toBe(cut);
      }),
      { numRuns: 600 },
    );
  });

  it("cuts at lines before sentences, and at sentences before words", async () => {
    const line = "It was so. It was not so.";
    expect(await units(`${line}\n${line}\r\n${line}`, 30)).toEqual([line, line, line]);
    expect(await units(`${line} ${line}`, 20)).toEqual([
      "It was so.",
      "It was not so.",
      "It was so.",
      "It was not so.",
    ]);
    expect(await units("one two three four", 9)).toEqual(["one two", "three", "four"]);
  });

  it("puts short lines together up to a quarter of the budget", async () => {
    const found = await units("a bc\n".repeat(40), 64);
    expect(found.every((unit) => unit.length <= 24)).toBe(true);
    expect(found).toHaveLength(10);
  });

  it("cuts at the parts that a rule names before any line", async () => {
    const text = "head\nrow one\nrow two\nrow three";
    const parts = [
      { start: 0, end: 12 },
      { start: 13, end: 30 },
    ];
    const paragraph = { start: 0, end: text.length, parts };
    expect(await units(text, 20, undefined, paragraph)).toEqual([
      "head\nrow one",
      "row two\nrow three",
    ]);
  });

  it("cuts a word between graphemes, and a long grapheme between code points", async () => {
    const family = "👨‍👩‍👧‍👦";
    expect(await units(family.repeat(3), 11)).toEqual([family, family, family]);
    for (const unit of await units(`a${"\u0301".repeat(50)}`, 8))
      expect(unit.length).toBeLessThan(9);
    expect(await units("🐳🐳", 1)).toEqual(["🐳", "🐳"]);
  });

  it("cuts Chinese, Japanese, Thai and Hindi, which part words without spaces", async () => {
    for (const text of [
      "我看见一条鲸鱼".repeat(20),
      "海は広いな大きいな。月がのぼるし日が沈む。".repeat(8),
      "ที่นี่มีปลาวาฬตัวใหญ่มาก".repeat(8),
      "यह एक बड़ी व्हेल है। ".repeat(10),
    ]) {
      const found = await units(text, 40);
      expect(found.join("").length).toBeGreaterThan(0.8 * text.length);
      expect(Math.max(...found.map((unit) => unit.length))).toBeLessThanOrEqual(40);
      expect(found.length).toBeLessThan(text.length / 4);
    }
  });

  it.each([
    ["a long word before short ones", `${"x".repeat(1050)}${" a".repeat(400)}`],
    ["a long word behind short ones", `${"a ".repeat(400)}${"x".repeat(1050)}`],
    ["a long word between short ones", `${"a ".repeat(200)}${"x".repeat(900)}${" a".repeat(200)}`],
  ])("gives few units for %s", async (_, text) => {
    expect((await divided(text, 1000)).length).toBeLessThanOrEqual(4);
  });

  it.each([
    ["a", "a".repeat(300_000)],
    ["spaces and letters", "a ".repeat(150_000)],
    ["Thai", "ที่นี่มีปลาวาฬ".repeat(10_000)],
    ["combining marks", `e${"\u0301".repeat(300_000)}`],
    ["emoji sequences", "👨‍👩‍👧‍👦".repeat(20_000)],
    ["one emoji sequence", "👩‍".repeat(60_000)],
    ["lone surrogates", "\ud800".repeat(200_000)],
    ["sentences", "It was so. ".repeat(20_000)],
    ["lines", "a\n".repeat(150_000)],
  ])("divides much of the same: %s", async (_, text) => {
    const found = await divided(text, 2000);
    expect(found.length).toBeLessThan((8 * text.length) / 2000);
    expect(Math.max(...found.map(({ tokens }) => tokens))).toBeLessThanOrEqual(2000);
  });

  it("counts each character a few times, however long a line or a grapheme is", async () => {
    for (const unit of ["a", "a ", "ab. ", "海", "\u0301", "👩\u200d", "a\n"]) {
      const text = unit.repeat(100_000);
      let counted = 0;
      await divided(text, 100, (piece) => {
        counted += piece.length;
        return piece.length;
      });
      expect(counted).toBeLessThan(5 * text.length);
    }
  });

  it("leaves the event loop to others all along", async () => {
    for (const unit of ["a", "a ", "ab. ", "海", "\u0301", "a\n"]) {
      const text = unit.repeat(100_000);
      let most = 0;
      let since = 0;
      const count = async ({ start, end }: Span) => {
        since += 1;
        most = Math.max(most, since);
        return end - start;
      };
      const breathe = async () => {
        since = 0;
      };
      const paragraph = { start: 0, end: text.length, tokens: text.length };
      const options = { chunkSize: 100, locale: "en", count, breathe };
      let end = 0;
      for await (const unit of divide(text, paragraph, options)) end = unit.end;
      expect(end).toBe(text.trimEnd().length);
      expect(most).toBeLessThan(10);
    }
  });

  it("cuts no grapheme that fits, also where a heading leaves little room", async () => {
    const family = "👩\u200d👩\u200d👧";
    const text = `第三章\n\n${family}日本日本日本`;
    const paragraph = { start: 0, end: text.length, headingEnd: 3 };
    const parts = await units(text, 12, (text) => text.length, paragraph);
    expect(parts.join("")).toContain(family);
    expect(parts.filter((part) => part.includes(family))).toHaveLength(1);
  });

  it("gives out the first unit before the rest is looked at", async () => {
    for (const unit of ["a", "a ", "ab. ", "海", "a\n"]) {
      const text = unit.repeat(100_000).trimEnd();
      let counted = 0;
      const count = ({ start, end }: Span) => {
        counted += end - start;
        return end - start;
      };
      const paragraph = { start: 0, end: text.length, tokens: text.length };
      const options = { chunkSize: 100, locale: "en", count, breathe: () => undefined };
      const first = await divide(text, paragraph, options).next();
      expect(first.done).toBe(false);
      expect(counted).toBeLessThan(1000);
    }
  });

  it("ends whatever the length function says", async () => {
    const anyLength = fc.func(
      fc.oneof(fc.nat({ max: 100 }), fc.constantFrom(1e15, Number.MAX_VALUE)),
    );
    await fc.assert(
      fc.asyncProperty(someText, fc.integer({ min: 1, max: 60 }), anyLength, async (text, n, f) => {
        const found = await divided(text, n, f);
        for (const { start, end, tokens } of found)
          if (tokens > n) expect([...text.slice(start, end)]).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  });
});

function segments(text: string, granularity: Granularity): number[] {
  const found = [...new Intl.Segmenter("en", { granularity }).segment(text)];
  return found.slice(1).map(({ index }) => index);
}

/** Longer than what is fed to the segmenter at a time. */
const longText = fc
  .array(
    fc.oneof(
      fc.tuple(someText, fc.integer({ min: 1, max: 8 })),
      fc.tuple(
        fc.constantFrom(
          "👩‍",
          "\u0301",
          "🇳🇱",
          "👨‍👩‍👧‍👦",
          "क्",
          "ᄀ",
          "a",
          "a.b",
          "e\u0301 ",
          "\ud800",
          "\r\n",
        ),
        fc.integer({ min: 1, max: 900 }),
      ),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.map(([text, times]) => text.repeat(times)).join(""));

const everything = (text: string): Span => ({ start: 0, end: text.length });

describe("breaks", () => {
  it("finds the graphemes of Intl.Segmenter, however long they are", () => {
    fc.assert(
      fc.property(longText, (text) => {
        expect([...breaks(text, everything(text), "grapheme", "en")].flat()).toEqual(
          segments(text, "grapheme"),
        );
      }),
      { numRuns: 60 },
    );
  });

  it.each(["word", "sentence"] as const)(
    "finds the %ss of Intl.Segmenter in prose",
    (granularity) => {
      const word = fc.constantFrom(
        "I",
        "can't",
        "3.14",
        "e.g.",
        "whale",
        "Mr.",
        "U.S.A",
        "naïve",
        "so",
      );
      const end = fc.constantFrom(" ", " ", " ", ". ", "? ", "! ", "... ", '." ', ", ");
      const prose = fc.array(fc.tuple(word, end), { minLength: 400, maxLength: 900 });
      fc.assert(
        fc.property(prose, (words) => {
          const text = words.flat().join("");
          expect([...breaks(text, everything(text), granularity, "en")].flat()).toEqual(
            segments(text, granularity),
          );
        }),
        { numRuns: 40 },
      );
    },
  );

  it.each(["sentence", "word", "grapheme"] as const)(
    "%s: inside the span, in order",
    (granularity) => {
      fc.assert(
        fc.property(longText, fc.nat(), fc.nat(), (text, a, b) => {
          const [start = 0, end = 0] = [a % (text.length + 1), b % (text.length + 1)].sort(
            (x, y) => x - y,
          );
          let last = start;
          for (const at of [...breaks(text, { start, end }, granularity, "en")].flat()) {
            expect(at).toBeGreaterThan(last);
            expect(at).toBeLessThan(end);
            last = at;
          }
        }),
        { numRuns: 100 },
      );
    },
  );

  it.each(["sentence", "word", "grapheme"] as const)(
    "%s: reads 300,000 characters",
    (granularity) => {
      for (const text of ["a".repeat(300_000), `e${"\u0301".repeat(300_000)}`]) {
        const found = [...breaks(text, everything(text), granularity, "en")].flat();
        expect(found.length).toBeLessThan(300_000);
      }
    },
  );
});

describe("breaks of sentences and words", () => {
  it.each(["sentence", "word"] as const)("no %s ends inside a grapheme", (granularity) => {
    fc.assert(
      fc.property(longText, (text) => {
        const starts = new Set(segments(text, "grapheme"));
        const found = [...breaks(text, everything(text), granularity, "en")].flat();
        expect(found.filter((at) => !starts.has(at))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

const granularities = ["sentence", "word", "grapheme"] as const;
const noWait = () => undefined;

/** What `Beside` functions are to find, by the list of all breaks. */
function beside(all: readonly number[], { start, end }: Span, place: number): [number, number] {
  const inside = all.filter((at) => at > start && at < end);
  return [inside.findLast((at) => at <= place) ?? start, inside.find((at) => at > place) ?? end];
}

describe("breaksBeside", () => {
  it.each(granularities)("finds the breaks of %ss beside any place", async (granularity) => {
    await fc.assert(
      fc.asyncProperty(longText, fc.nat(), fc.nat(), async (text, a, b) => {
        fc.pre(text !== "");
        const all = [...breaks(text, everything(text), granularity, "en")].flat();
        const start = [0, ...all][a % (all.length + 1)] ?? 0;
        const span = { start, end: text.length };
        const place = start + (b % (text.length - start));
        expect(await breaksBeside(text, span, place, granularity, "en", noWait)).toEqual(
          beside(all, span, place),
        );
      }),
      { numRuns: 300 },
    );
  });

  it.each(granularities)(
    "finds no break of %ss in a grapheme of any length",
    async (granularity) => {
      for (const length of [900, 1024, 30_000, 40_000, 200_000]) {
        const text = `one two. e${"\u0301".repeat(length)} Three.`;
        const all = [...breaks(text, everything(text), granularity, "en")].flat();
        expect(all.filter((at) => at > 10 && at < 10 + length)).toEqual([]);
        for (const place of [8, 9, 500, length / 2, length, length + 12])
          expect(
            await breaksBeside(text, everything(text), place, granularity, "en", noWait),
          ).toEqual(beside(all, everything(text), place));
      }
    },
  );

  it("gives others their turn while there is none in sight", async () => {
    let turns = 0;
    const breathe = async () => {
      turns += 1;
    };
    const text = "x".repeat(1_000_000);
    expect(await breaksBeside(text, everything(text), 10, "word", "en", breathe)).toEqual([
      0,
      text.length,
    ]);
    expect(turns).toBeGreaterThan(20);
    expect([...breaks(text, everything(text), "word", "en")].length).toBeGreaterThan(20);
  });
});

describe("spacesBeside", () => {
  it("finds where words begin", async () => {
    const text = "one  two\u3000three\n";
    for (let place = 0; place < text.length; place++)
      expect(await spacesBeside(text, everything(text), place, noWait)).toEqual(
        beside([5, 9], everything(text), place),
      );
  });

  it("finds no place inside a grapheme", async () => {
    await fc.assert(
      fc.asyncProperty(longText, fc.nat(), async (text, a) => {
        fc.pre(text !== "");
        const starts = new Set([0, ...segments(text, "grapheme"), text.length]);
        const found = await spacesBeside(text, everything(text), a % text.length, noWait);
        expect(found.filter((at) => !starts.has(at))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
