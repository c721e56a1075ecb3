import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineStart, shallow } from "../../src/markdown/lines.js";
import { offsetOf, parseBlocks } from "../../src/markdown/parser.js";
import { textBlocks } from "../../src/markdown/pieces.js";
import { withoutPauses } from "../../src/pauses.js";

const LINES = [
  "",
  "",
  " ",
  "words of the sea",
  "海は広い。",
  "(and more)",
  "# One",
  "===",
  "---",
  "+++",
  "    indented",
  "\ttabbed",
  " - item",
  "- item",
  "1. first",
  "> quote",
  "```",
  "````",
  "~~~js",
  "| a | b |",
  "a | b",
  "- | -",
  "<div>",
  "<script>",
  "<!--",
  "-->",
  "[a]: /url",
  "[^1]: note",
  ": a",
  "\u00a0",
  "\f",
  "\ud800 lone",
];

const markdown = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...LINES) }, fc.constant("plain words")),
      fc.constantFrom("\n", "\n", "\r\n", "\r"),
    ),
    { maxLength: 250 },
  )
  .map((lines) => lines.flat().join(""));

/** Blocks that are read whole, however the text is cut into pieces: no lists of many lines. */
const pieced = fc.tuple(markdown, fc.constantFrom(0, 3, 30)).map(([text, times]) => {
  const prose = "It was so, and again it was not so. ".repeat(3);
  return text + `\n\n${prose}\n\n${text}`.repeat(Math.min(times, 2)) + prose.repeat(times);
});

describe("textBlocks", () => {
  test("finds the blocks that the parser finds in the whole text", () => {
    fc.assert(
      fc.property(pieced, (text) => {
        const whole = shallow(text);
        const expected = parseBlocks(whole, true).map((node) => [
          node.type,
          lineStart(whole, offsetOf(node)),
        ]);
        const found = [...withoutPauses(textBlocks(text))].map(({ node, start }) => [
          node.type,
          start,
        ]);
        expect(found).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ["code", "\t".repeat(1_000_000)],
    ["paragraph", "[".repeat(1_000_000)],
    ["heading", `# ${"*a **b ".repeat(200_000)}`],
    ["list", `- ${"[a](".repeat(300_000)}`],
    ["blockquote", `> ${"`a``b".repeat(200_000)}`],
    ["html", `<div ${"b ".repeat(500_000)}`],
  ])("reads the beginning of a long line: %s", (type, line) => {
    const text = `${line}x\n\n# One\n\nwords`;
    const found = [...withoutPauses(textBlocks(text))].map(({ node, start }) => [node.type, start]);
    expect(found).toEqual([
      [type, 0],
      ["heading", line.length + 3],
      ["paragraph", line.length + 10],
    ]);
  });

  test("pauses before each piece that it parses", () => {
    const pauses = [...textBlocks("- a\n".repeat(10_000))].filter((block) => block === undefined);
    expect(pauses.length).toBeGreaterThan(30);
  });

  test("needs no parser for plain prose, however long it is", () => {
    const text = `${"Plain words of the sea.\n".repeat(50_000)}\n`.repeat(2);
    expect([...textBlocks(text)].map((block) => block?.start)).toEqual([0, text.length / 2]);
  });
});
