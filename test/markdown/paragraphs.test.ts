import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markdownParagraphs } from "../../src/markdown/index.js";
import type { Paragraph } from "../../src/paragraphs.js";
import { expectParagraphs, texts } from "../helpers/spans.js";

const LINES = [
  "",
  "  ",
  "# One",
  "## Two *of* them",
  "Set",
  "===",
  "---",
  "+++",
  "plain words",
  "    indented",
  "\ttabbed",
  "- item",
  "  - nested",
  "1. first",
  "> quote",
  "> - in a quote",
  "```",
  "~~~js",
  "| a | b |",
  "| - | - |",
  "<div>",
  "<!--",
  "-->",
  "[a]: /url",
  "[^1]: note",
  "\u00a0",
  "\u2028",
  "\ud800 lone",
  "nul \u0000",
  "\ufeff# After a mark",
  "[[[[![*_`~~<",
];

const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const markdown = fc
  .array(fc.tuple(fc.constantFrom(...LINES), lineEnd), { maxLength: 40 })
  .map((lines) => lines.flat().join(""));
const anyText = fc.oneof(
  markdown,
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(..."#>-*`|=<[]!1. \t\n\r\u0000\ufeff\udc00a") }),
);

function read(text: string): Paragraph[] {
  return [...markdownParagraphs(text)];
}

function blocks(text: string): string[] {
  return texts(text, markdownParagraphs(text));
}

function partsOf(text: string): string[] {
  const [paragraph] = read(text);
  return texts(text, paragraph?.parts);
}

describe("for every text", () => {
  test("paragraphs and their parts leave out white space only", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expectParagraphs(text, read(text));
      }),
      { numRuns: 1000 },
    );
  });

  test("the same text gives the same paragraphs", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(read(text)).toEqual(read(text));
      }),
    );
  });

  test("a heading is followed by more in its paragraph, but at the end of its section", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const [i, { end, headingEnd }] of read(text).entries()) {
          if (headingEnd === undefined || headingEnd < end) continue;
          expect(read(text)[i + 1]?.startsSection ?? true).toBe(true);
        }
      }),
    );
  });

  test("a section starts where its name changes, and only sections have names", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        let before = "";
        for (const { section, startsSection } of read(text)) {
          expect(section).not.toMatch(/[\r\n]/);
          if (section !== before) expect(startsSection).toBe(true);
          before = section ?? "";
        }
      }),
    );
  });

  test("a long text is read as its pieces are", () => {
    const piece =
      "## Head\n\n- a\n\n  b\n- c\n\n```\nx\n\ny\n```\n\n> q\n\n| a |\n| - |\n| b |\n\nwords\n\n";
    const one = blocks(piece);
    const many = piece.repeat(300);
    expect(blocks(many)).toEqual(Array.from({ length: 300 }, () => one).flat());
    expectParagraphs(many, read(many));
  });
});

describe("blocks", () => {
  test("an empty or blank text has none", () => {
    for (const text of ["", " \n\t\r\n", "\ufeff", "\u00a0\n\n\u2028"])
      expect(read(text)).toEqual([]);
  });

  test("a fence with blank lines is one paragraph, divided at its lines", () => {
    const fence = "```js\nif (a) {\n\n  b();\n}\n```";
    expect(blocks(`Before\n\n${fence}\nAfter`)).toEqual(["Before", fence, "After"]);
    expect(partsOf(fence)).toEqual(["```js", "if (a) {", "  b();", "}", "```"]);
  });

  test("an indented fence keeps the indentation of its lines", () => {
    expect(blocks("Say:\n\n    a = 1\n\n    b = 2\n\nDone")).toEqual([
      "Say:",
      "    a = 1\n\n    b = 2",
      "Done",
    ]);
  });

  test("a table is one paragraph, divided at its rows, the head with the first", () => {
    const table = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |";
    expect(blocks(`Text\n\n${table}\n\nMore`)).toEqual(["Text", table, "More"]);
    expect(partsOf(table)).toEqual(["| a | b |\n|---|---|\n| 1 | 2 |", "| 3 | 4 |", "| 5 | 6 |"]);
  });

  test("a list is one paragraph, divided at its own items", () => {
    const list = "- one\n\n  more of one\n  - below one\n- two\n- [x] three";
    expect(blocks(list)).toEqual([list]);
    expect(partsOf(list)).toEqual([
      "- one\n\n  more of one\n  - below one",
      "- two",
      "- [x] three",
    ]);
  });

  test("a quote is one paragraph, divided at its blocks", () => {
    const quote = "> one\n> more\n>\n> - two\nlazy";
    expect(blocks(`${quote}\n\nText`)).toEqual([quote, "Text"]);
    expect(partsOf(quote)).toEqual(["> one\n> more\n>", "> - two\nlazy"]);
  });

  test("front matter is one paragraph, at the beginning only", () => {
    const yaml = "---\ntitle: A\n\ntags: [b]\n---";
    expect(blocks(`${yaml}\nText`)).toEqual([yaml, "Text"]);
    expect(blocks("+++\na = 1\n\n+++\nText")).toEqual(["+++\na = 1\n\n+++", "Text"]);
    expect(blocks(`Text\n\n${yaml}`)).toEqual(["Text", "---", "title: A", "tags: [b]\n---"]);
    expect(blocks(`\ufeff${yaml}\nText`)).toEqual([yaml, "Text"]);
  });

  test("long front matter is found", () => {
    const yaml = `---\n${"key: a value of some length\n".repeat(700)}---`;
    expect(blocks(`${yaml}\n\nText`)).toEqual([yaml, "Text"]);
  });

  test("HTML is one paragraph, a comment with its blank lines", () => {
    const comment = "<!--\nhidden\n\n# not a heading\n-->";
    expect(blocks(`<div>\na\n</div>\n\n${comment}\n\nText`)).toEqual([
      "<div>\na\n</div>",
      comment,
      "Text",
    ]);
  });

  test("link definitions in a row are one paragraph", () => {
    const definitions = "[a]: /a\n[b]: /b\n\n[c]: /c";
    expect(blocks(`Text\n\n${definitions}\n\n[^1]: A note`)).toEqual([
      "Text",
      definitions,
      "[^1]: A note",
    ]);
  });

  test("CR and CRLF are line ends", () => {
    expect(blocks("# A\r\rb\r\rc")).toEqual(["# A\r\rb", "c"]);
    expect(blocks("# A\r\n\r\nb\r\n\r\n```\r\n\r\n```")).toEqual([
      "# A\r\n\r\nb",
      "```\r\n\r\n```",
    ]);
  });
});

describe("sections", () => {
  function sections(text: string): [string, string, boolean][] {
    return read(text).map(({ start, end, section, startsSection }) => [
      text.slice(start, end),
      section ?? "none",
      startsSection ?? false,
    ]);
  }

  test("a heading goes with what follows, and names the path", () => {
    expect(sections("Before\n\n# One\n\na\n\nb\n\n## Two\nc\n\n# Three\n\nd")).toEqual([
      ["Before", "", false],
      ["# One\n\na", "One", true],
      ["b", "One", false],
      ["## Two\nc", "One > Two", true],
      ["# Three\n\nd", "Three", true],
    ]);
  });

  test("headings in a row go with the block behind the last", () => {
    expect(sections("# Part One\n\n## The Whale\n\nCall me")).toEqual([
      ["# Part One\n\n## The Whale\n\nCall me", "Part One > The Whale", true],
    ]);
  });

  test("headings at the end stand alone", () => {
    expect(sections("a\n\n# One\n\n## Two")).toEqual([
      ["a", "", false],
      ["# One\n\n## Two", "One > Two", true],
    ]);
  });

  test("a skipped level keeps the path", () => {
    expect(sections("# A\n\n### B\n\nb\n\n## C\n\nc").map(([, section]) => section)).toEqual([
      "A > B",
      "A > C",
    ]);
  });

  test("a heading's Markdown is left out of its name, its text is not", () => {
    const text = "## The *White* `Whale` & [his](/u) ![sea](/s) <b>x</b> 5 > 4 #\n\na";
    expect(sections(text)[0]?.[1]).toBe("The White Whale & his sea x 5 > 4");
    expect(sections("[1.2.0] - *now*\n  and   then\n===\na")[0]?.[1]).toBe(
      "[1.2.0] - now and then",
    );
    expect(sections("# #\n\na")[0]?.slice(1)).toEqual(["", true]);
  });

  test.each([
    ["## [1.2.0] - 2024-01-01\n\na\n\n[1.2.0]: https://example.org", "1.2.0 - 2024-01-01"],
    ["## [The *White*\tWhale][Book]\n\na\n\n> [book]: /b", "The White Whale"],
    ["## [Unreleased]\n\na\n\n[unreleased]: /u\n[other]: /o", "Unreleased"],
    ["## ![a map][map] of it\n\na\n\n[map]: /m.png", "a map of it"],
    ["## Whales[^1]\n\na\n\n[^1]: And others.", "Whales"],
    ["## Of [nothing] else\n\na\n\n[other]: /o", "Of [nothing] else"],
    ["# T<br>x<br/>y <i>z</i>\n\na", "T x y z"],
    ["# &lt;b&gt; &amp; &#99;\n\na", "<b> & c"],
  ])("what a reader sees of %j", (text, section) => {
    expect(sections(text)[0]?.[1]).toBe(section);
  });

  test("a heading in a fence, a list or a quote is none", () => {
    const text = "```\n# a\n```\n\n- # b\n\n> # c";
    expect(sections(text).map(([, section]) => section)).toEqual(["", "", ""]);
  });

  test("a heading is a part of its own before those of what follows it", () => {
    expect(partsOf("# One\n\n## Two\n\n- a\n- b")).toEqual(["# One", "## Two", "- a", "- b"]);
    expect(read("# One\n\ntext")[0]).toEqual({
      start: 0,
      end: 11,
      headingEnd: 5,
      section: "One",
      startsSection: true,
    });
  });

  test("headings of empty sections are paragraphs of their own", () => {
    expect(sections("## a\n## b\n# c\n## d\ntext\n# e\n## f")).toEqual([
      ["## a", "a", true],
      ["## b", "b", true],
      ["# c\n## d\ntext", "c > d", true],
      ["# e\n## f", "e > f", true],
    ]);
  });
});

describe("hostile input", () => {
  const nested = (marker: string) => `${marker.repeat(10_000)}deep\n\nafter`;
  const inputs = {
    "nested quotes": nested(">"),
    "nested lists": nested("- "),
    "nested numbers": nested("1. "),
    "a long rule": `${"- ".repeat(10_000)}\n\nafter`,
    brackets: "[".repeat(100_000),
    "images and links": "![a](".repeat(20_000),
    emphasis: "*a **b ".repeat(20_000),
    "stars around letters": "a**b".repeat(25_000),
    backticks: Array.from({ length: 400 }, (_, i) => "`".repeat(i)).join(" "),
    entities: "&#".repeat(50_000),
    "lazy lines": `> a\n${"b\n".repeat(10_000)}`,
    "setext headings": "a\n=\n".repeat(2000),
    "a line": "word ".repeat(100_000),
    "open HTML": "<a ".repeat(30_000),
    "blank lines": `a${"\n".repeat(1_000_000)}b`,
    spaces: `a${" ".repeat(1_000_000)}b`,
    tabs: `${"\t".repeat(1_000_000)}b`,
    "tabs behind a line": `a\n${"\t".repeat(100_000)}\n${"\t".repeat(100_000)}b`,
    "long items": `- ${"a ".repeat(20_000)}\n`.repeat(8),
    "long lines of a quote": `> ${"> ".repeat(20_000)}a\n`.repeat(4),
    "a long row": `| a |\n| - |\n| ${"b | ".repeat(20_000)}\n| c |`,
  };
  for (const [name, text] of Object.entries(inputs)) {
    test(name, () => expectParagraphs(text, read(text)));
  }

  test("a rule of many marks is a rule", () => {
    expect(blocks(inputs["a long rule"])).toEqual([
      inputs["a long rule"].split("\n")[0]?.trim(),
      "after",
    ]);
  });

  test("a fence larger than a piece stays a fence", () => {
    const text = `\`\`\`\n${"# no heading\n\n".repeat(3000)}\`\`\`\n\n# Heading\n\ntext`;
    const paragraphs = read(text);
    expectParagraphs(text, paragraphs);
    expect(new Set(paragraphs.map(({ section }) => section))).toEqual(new Set(["", "Heading"]));
    expect(paragraphs.at(-1)?.start).toBe(text.indexOf("# Heading"));
  });

  test("a table larger than a piece is divided at its rows", () => {
    const row = "| a cell | another |";
    const text = `| a | b |\n| - | - |\n${`${row}\n`.repeat(2000)}\nafter`;
    const paragraphs = read(text);
    expectParagraphs(text, paragraphs);
    expect(
      texts(
        text,
        paragraphs.slice(1, -1).flatMap(({ parts }) => parts ?? []),
      ).every(isRow),
    ).toBe(true);
    function isRow(part: string): boolean {
      return part.split("\n").every((line) => line === row);
    }
  });

  test("a list larger than a piece is divided at its items", () => {
    const text = `${"- one\n\n  more\n".repeat(1500)}\nafter`;
    for (const { start } of read(text).slice(0, -1))
      expect(text.slice(start, start + 5)).toBe("- one");
    expectParagraphs(text, read(text));
  });
});
