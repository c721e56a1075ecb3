import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chapterParagraphs } from "../src/chapters.js";
import { InvalidParameterError } from "../src/errors.js";
import {
  lines,
  type Paragraph,
  type ParagraphRule,
  pacedParagraphs,
  paragraphsOf,
} from "../src/paragraphs.js";
import { anyText, LINE_ENDS, someText, stretchOf, trimmed } from "./helpers/texts.js";

const RULES = ["auto", "blank-line", "line", chapterParagraphs()] as const;
const LINE_END = /\r\n|[\n\r\f\u2028\u2029]/;

function texts(text: string, rule: ParagraphRule): string[] {
  return [...paragraphsOf(text, rule)].map(({ start, end }) => text.slice(start, end));
}

describe("paragraphsOf", () => {
  it.each(["auto", "blank-line", "line"] as const)("%s leaves white space out only", (rule) => {
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0;
        for (const span of paragraphsOf(text, rule)) {
          const content = text.slice(span.start, span.end);
          expect(span.start).toBeGreaterThanOrEqual(end);
          expect(content).toBe(trimmed(content));
          expect(content).not.toBe("");
          expect(text.slice(end, span.start).trim()).toBe("");
          end = span.end;
        }
        expect(text.slice(end).trim()).toBe("");
      }),
      { numRuns: 400 },
    );
  });

  it("line gives the lines that are not blank", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const expected = text.split(LINE_END).map(trimmed).filter(Boolean);
        expect(texts(text, "line")).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  it("blank-line cuts at blank lines and page breaks, and nowhere else", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = text.replace(/\r\n|[\r\u2028]/g, "\n").replace(/[\f\u2029]/g, "\n\n");
        const expected = plain
          .split(/\n\s*\n/)
          .map(trimmed)
          .filter(Boolean);
        const found = texts(text, "blank-line").map((block) =>
          block.replace(/\r\n|[\r\u2028]/g, "\n"),
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  it("auto is blank-line where a blank line stands between two lines, else line", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parts = text.trim().replace(/\r\n|[\r\u2028]/g, "\n");
        const rule = /\n[^\S\n\f\u2029]*\n/.test(parts) ? "blank-line" : undefined;
        const found = texts(text, "auto");
        if (rule !== undefined && !/[\f\u2029]/.test(text))
          expect(found).toEqual(texts(text, "blank-line"));
        if (rule === undefined) expect(found).toEqual(texts(text, "line"));
      }),
      { numRuns: 400 },
    );
  });

  it.each(LINE_ENDS.slice(0, 4))("finds the same paragraphs with line ends %j", (lineEnd) => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("One.", "Two words", "  indented", "", " "), { maxLength: 20 }),
        (content) => {
          const plain = content.join("\n");
          for (const rule of ["auto", "blank-line", "line"] as const) {
            const found = texts(content.join(lineEnd), rule);
            expect(found.map((text) => text.replaceAll(lineEnd, "\n"))).toEqual(texts(plain, rule));
          }
        },
      ),
    );
  });

  it("a page break parts paragraphs, and is no blank line", () => {
    expect(texts("one\ntwo\fthree\nfour", "blank-line")).toEqual(["one\ntwo", "three\nfour"]);
    expect(texts("one\ntwo\fthree", "auto")).toEqual(["one", "two", "three"]);
  });

  it("blank lines before the first line and after the last decide nothing", () => {
    expect(texts("\n\n\none\ntwo\n\n\n", "auto")).toEqual(["one", "two"]);
  });

  it("\\n\\r is two line ends, as in no file but a broken one", () => {
    expect(texts("one\n\rtwo", "blank-line")).toEqual(["one", "two"]);
  });

  it("reads the built-in rules lazily", () => {
    const text = "one two three\n".repeat(1_000_000);
    const [first] = paragraphsOf(text, "line");
    expect(first).toMatchObject({ start: 0, end: 13 });
  });

  it("reads a million blank lines and a million lines", () => {
    expect(texts(`a${"\n".repeat(1_000_000)}b`, "auto")).toEqual(["a", "b"]);
    expect(texts("a\n".repeat(1_000_000), "auto")).toHaveLength(1_000_000);
  });
});

describe("auto", () => {
  it("is blank-line where a blank line is between two lines, else line", () => {
    const gaps = fc.array(fc.constantFrom("a", " ", ...LINE_ENDS), { maxLength: 12 });
    const text = fc.oneof(
      anyText,
      gaps.map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, (text) => {
        const isBlankBefore = [...lines(text)].some(({ after }) => after === "blank-line");
        expect(texts(text, "auto")).toEqual(texts(text, isBlankBefore ? "blank-line" : "line"));
      }),
      { numRuns: 500 },
    );
  });
});

describe("pacedParagraphs", () => {
  it.each<[string, ParagraphRule, string, number]>([
    ["of lines, where there is no blank line", "auto", "a\n".repeat(500_000), 15],
    ["of blank lines", "auto", `a\nb${"\n".repeat(1_000_000)}c`, 15],
    ["of white space at its end", "line", `a${" \n".repeat(500_000)}`, 15],
    ["of one block", "blank-line", "a\n".repeat(500_000), 15],
    ["without headings", chapterParagraphs(), "a\n\n".repeat(100_000), 300],
    ["of contents", chapterParagraphs("line"), "CHAPTER I\n".repeat(10_000), 30],
  ])("gives others their turn all along a text %s", (_, rule, text, turns) => {
    let pauses = 0;
    for (const found of pacedParagraphs(text, rule)) if (found === undefined) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(turns);
  });

  it("finds what paragraphsOf gives out", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...RULES), (text, rule) => {
        const found = [...pacedParagraphs(text, rule)].filter((one) => one !== undefined);
        expect([...paragraphsOf(text, rule)]).toEqual(found);
      }),
    );
  });
});

describe("a paragraph function", () => {
  it("is taken at its word when its spans cover the text", () => {
    fc.assert(
      fc.property(someText, fc.array(fc.nat()), (text, seeds) => {
        const offsets = [...new Set(seeds.map((seed) => seed % text.length))].sort((a, b) => a - b);
        const spans = [0, ...offsets]
          .map((start, i) => ({ start, end: offsets[i] ?? text.length }))
          .filter(({ start, end }) => text.slice(start, end).trim() !== "");
        expect([...paragraphsOf(text, () => spans)]).toEqual(spans);
      }),
      { numRuns: 300 },
    );
  });

  it("may be a generator, and is called once with the whole text", () => {
    const seen: string[] = [];
    function* rule(text: string) {
      seen.push(text);
      yield { start: 0, end: 3, section: "A", startsSection: true };
      yield {
        start: 4,
        end: 7,
        parts: [
          { start: 4, end: 5 },
          { start: 5, end: 7 },
        ],
      };
    }
    expect([...paragraphsOf("one two", rule)]).toHaveLength(2);
    expect(seen).toEqual(["one two"]);
  });

  it("may return nothing for a blank text", () => {
    expect([...paragraphsOf(" \n", () => [])]).toEqual([]);
  });

  const text = "one two three";
  const refused: [string, unknown, unknown][] = [
    [
      "overlap",
      [
        { start: 0, end: 7 },
        { start: 4, end: 13 },
      ],
      { start: 4, end: 13 },
    ],
    [
      "repeat",
      [
        { start: 0, end: 13 },
        { start: 0, end: 13 },
      ],
      { start: 0, end: 13 },
    ],
    [
      "go back",
      [
        { start: 4, end: 13 },
        { start: 0, end: 3 },
      ],
      "one",
    ],
    ["run backwards", [{ start: 13, end: 0 }], { start: 13, end: 0 }],
    ["are empty", [{ start: 0, end: 0 }], { start: 0, end: 0 }],
    [
      "are blank",
      [
        { start: 0, end: 3 },
        { start: 3, end: 4 },
      ],
      { start: 3, end: 4 },
    ],
    ["leave the beginning out", [{ start: 4, end: 13 }], "one"],
    [
      "leave the middle out",
      [
        { start: 0, end: 3 },
        { start: 8, end: 13 },
      ],
      "two",
    ],
    ["leave the end out", [{ start: 0, end: 7 }], "three"],
    ["leave all out", [], "one two three"],
    ["end behind the text", [{ start: 0, end: 14 }], { start: 0, end: 14 }],
    ["start before the text", [{ start: -1, end: 13 }], { start: -1, end: 13 }],
    ["are fractions", [{ start: 0, end: 12.5 }], { start: 0, end: 12.5 }],
    ["are strings", [{ start: "0", end: "13" }], { start: "0", end: "13" }],
    ["are no spans", ["one two three"], "one two three"],
    ["are null", [null], null],
    ["are no list", undefined, undefined],
    ["are a promise", Promise.resolve([]), expect.any(Promise)],
    [
      "have parts outside",
      [{ start: 0, end: 13, parts: [{ start: 0, end: 20 }] }],
      { start: 0, end: 20 },
    ],
    [
      "have parts that leave text out",
      [{ start: 0, end: 13, parts: [{ start: 0, end: 3 }] }],
      "two three",
    ],
    ["have a section that is no string", [{ start: 0, end: 13, section: 7 }], 7],
  ];

  it.each(refused)("is refused when its spans %s", (_, spans, value) => {
    const read = () => [...paragraphsOf(text, () => spans as Paragraph[])];
    expect(read).toThrow(InvalidParameterError);
    expect(read).toThrow(expect.objectContaining({ parameter: "paragraphs", value }));
  });

  it.each<[unknown[], string]>([
    [[7], "whose spans[0] is { start, end }, whole UTF-16 offsets in the text. Found: 7"],
    [
      [
        { start: 0, end: 7 },
        { start: 5, end: 13 },
      ],
      'whose spans[1] starts at 7, where the one before ends, or behind. Found: {"start":5,"end":13}',
    ],
    [[{ start: 0, end: 14 }], "whose spans[0] ends at 13 or before"],
    [[{ start: 5, end: 5 }], "whose spans[0] ends behind its start"],
    [
      [
        { start: 0, end: 3 },
        { start: 8, end: 13 },
      ],
      '(before spans[1] they leave out offsets 3 to 8). Found: "two"',
    ],
    [[{ start: 0, end: 7 }], '(before the end they leave out offsets 7 to 13). Found: "three"'],
    [
      [{ start: 0, end: 13, parts: [{ start: 0, end: 20 }] }],
      "whose spans[0].parts[0] ends at 13 or before",
    ],
    [[{ start: 0, end: 13, headingEnd: 0 }], "whose spans[0].headingEnd is from 1 to 13. Found: 0"],
    [[{ start: 0, end: 13, section: 7 }], "whose spans[0].section is a string. Found: 7"],
  ])("says which span it is and what it should be: %j", (spans, message) => {
    const read = () => [...paragraphsOf(text, () => spans as Paragraph[])];
    expect(read).toThrow(message);
  });

  it("is refused before its first paragraph is given out", () => {
    const spans = [
      { start: 0, end: 3 },
      { start: 0, end: 13 },
    ];
    expect(() => paragraphsOf(text, () => spans)).toThrow(InvalidParameterError);
  });

  it("keeps its own error", () => {
    const error = new Error("no paragraphs today");
    const rule = () => {
      throw error;
    };
    expect(() => paragraphsOf(text, rule)).toThrow(error);
  });
});

describe("lines", () => {
  it("of a stretch stay inside it", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
        const [start, end] = stretchOf(text, a, b);
        const found = [...lines(text, start, end)].map((line) => text.slice(line.start, line.end));
        const expected = text.slice(start, end).split(LINE_END).map(trimmed).filter(Boolean);
        expect(found).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });
});
