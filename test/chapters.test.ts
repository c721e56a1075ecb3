import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chapterParagraphs } from "../src/chapters.js";
import { InvalidParameterError } from "../src/errors.js";
import { type ParagraphRule, paragraphsOf } from "../src/paragraphs.js";
import { expectParagraphs, texts } from "./helpers/spans.js";
import { anyText } from "./helpers/texts.js";

const HEADINGS = [
  "VOLUME I",
  "PART ONE",
  "Book II. The Sea",
  "Act III, Scene 2",
  "CHAPTER IX.",
  "CHAPTER I",
  "Chapter 12. The Whale",
  "PROLOGUE",
  "第三章",
  "Kapitel 3",
];
const OTHERS = [
  "The Carpet-Bag",
  "It was a dark night, and the wind went through the house.",
  "of the house, that is",
  "Chapter 12 of my life was over.",
  "“Yes.”",
  " ",
  "",
];

const bookText = fc
  .array(
    fc.tuple(
      fc.constantFrom(...HEADINGS, ...OTHERS),
      fc.constantFrom("\n", "\n\n", "\r\n", "\r\n\r\n", "\f", "\n \n"),
    ),
    { maxLength: 30 },
  )
  .map((lines) => lines.flat().join(""));
const text = fc.oneof(bookText, anyText);
const rule = fc.constantFrom<ParagraphRule>("auto", "blank-line", "line");

type Section = [text: string, section: string | undefined, starts: boolean | undefined];

function sections(text: string, rule?: ParagraphRule): Section[] {
  return [...chapterParagraphs(rule)(text)].map(({ start, end, section, startsSection }) => [
    text.slice(start, end),
    section,
    startsSection,
  ]);
}

/** The section of a text that begins with a line, and whether the line was read as a heading. */
function sectionOf(line: string): string {
  const [first] = sections(`${line}\n\nWhat follows is a longer paragraph, of a book or of none.`);
  return first?.[1] ?? "none";
}

describe("for every text", () => {
  test("paragraphs and their parts leave out white space only", () => {
    fc.assert(
      fc.property(text, rule, (text, rule) => {
        expectParagraphs(text, [...chapterParagraphs(rule)(text)]);
      }),
      { numRuns: 500 },
    );
  });

  test("no paragraph begins or ends inside one of the rule's, unless headings end there", () => {
    fc.assert(
      fc.property(text, rule, (text, rule) => {
        const starts = new Set([...paragraphsOf(text, rule)].map(({ start }) => start));
        const headed = [...chapterParagraphs(rule)(text)];
        for (const { start } of headed) {
          const before = text.slice(0, start).trimEnd();
          const behindHeading = HEADINGS.some((heading) => before.endsWith(heading));
          expect(starts.has(start) || behindHeading).toBe(true);
        }
      }),
    );
  });

  test("a section starts where its name changes", () => {
    fc.assert(
      fc.property(text, (text) => {
        let before = "";
        for (const [, section = "", starts] of sections(text)) {
          if (section !== before) expect(starts).toBe(true);
          expect(section).not.toMatch(/[\r\n\f]/);
          before = section;
        }
      }),
    );
  });

  test("a text without headings is cut as by the rule", () => {
    const plain = bookText.filter((text) => !HEADINGS.some((heading) => text.includes(heading)));
    fc.assert(
      fc.property(plain, rule, (text, rule) => {
        expect(texts(text, chapterParagraphs(rule)(text))).toEqual(
          texts(text, paragraphsOf(text, rule)),
        );
      }),
    );
  });
});

describe("headings", () => {
  test.each([
    "CHAPTER I",
    "CHAPTER I.",
    "Chapter 12. The Whale",
    "CHAPTER 1. Loomings.",
    "Chapter 1 Loomings",
    "CHAPTER TWENTY-ONE",
    "CHAPTER TWENTY ONE",
    "Chapter the First",
    "CHAPTER XII—THE END",
    "THE FIRST PART",
    "PART ONE",
    "Part 2 – The Sea",
    "BOOK II",
    "VOLUME I",
    "Vol. 2",
    "Act III",
    "Scene 2",
    "PROLOGUE",
    "EPILOGUE",
    "Epilogue: Ten Years Later",
    "PREFACE",
    "PREFACE TO THE SECOND EDITION",
    "Letter 4",
    "STAVE ONE: THE GHOST",
    "Item 1A. Risk Factors",
    "Appendix B",
    "第三章",
    "第三章 大海",
    "第三章：大海",
    "第12回 武松打虎",
    "序章",
    "第十章　海へ",
    "プロローグ",
    "제3장",
    "제3장 바다",
    "Kapitel 3",
    "Erstes Kapitel",
    "3. Bölüm",
    "Chapitre IV",
    "Première partie",
    "Épilogue",
    "Capítulo 5",
    "Segunda parte",
    "Capitolo secondo",
    "Глава 7",
    "Часть первая",
    "Rozdział 4",
    "الفصل الأول: البداية",
    "الفصل ٣",
    "अध्याय ३",
    "บทที่ ๓ ทะเล",
    "CHAP. III.",
    "Ch. 3",
    "Kap. 3: Das Meer",
    "chapter one",
    "chapter 3",
    "ITEM 1A RISK FACTORS",
    "Första kapitlet",
    "Femte delen",
    "Kapittel 3",
    "Zwölftes Kapitel",
    "Chapitre onzième",
    "Capitolo undicesimo",
    "Twaalfde hoofdstuk",
    "Розділ 3",
    "Розділ перший",
    "Глава двенадцатая",
    "Глава двадцать первая",
    "卷一",
    "卷之三",
    "卷二 大海",
    "第一部分",
    "Chương 1",
    "Chương 2: Biển",
    "Bab 1",
  ])("%s", (line) => {
    expect(sectionOf(line)).toBe(line.replace(/\s+/g, " "));
  });

  test.each([
    ["_CHAPTER I_", "CHAPTER I"],
    ["*Chapter 1*", "Chapter 1"],
    ["**Chapter 2. The Sea**", "Chapter 2. The Sea"],
  ])("%s, without its emphasis", (line, section) => {
    expect(sectionOf(line)).toBe(section);
  });

  test("a title right behind the number, where three lines or more have one", () => {
    const chapters = ["第一章陨落的天才", "第二章大海", "第三章归来"];
    const text = chapters.map((line) => `${line}\n\n他第一次看见大海。`);
    expect(sections(text.join("\n\n")).map(([, section]) => section)).toEqual(chapters);
    expect(sections(text.slice(1).join("\n\n")).map(([, section]) => section)).toEqual([
      "",
      "",
      "",
      "",
    ]);
  });
});

describe("lines that are no headings", () => {
  test.each([
    "Chapter 12 of my life was over.",
    "Chapter One told us nothing.",
    "In Chapter 3",
    "CHAPTER I ........ 12",
    "Part of it",
    "Part I played was small.",
    "Part II, he said, was worse.",
    "The first part of it was easy",
    "Act now",
    "Act 5 was the best one, I thought.",
    "Scene of the crime",
    "Book me a room",
    "Introduction to the theme of this book",
    "Item 7 was sold out.",
    "第三章的内容如下",
    "第一章我已经读完了",
    "第三章讲的是鲸",
    "第三章大海",
    "第一回合结束了",
    "第一回合",
    "卷一册书给我",
    "Item 2 Apples",
    "Letter 3 June",
    "Chapter 12    45",
    "Chapter 12 The Whale\t45",
    "chapter one of it",
    "item 5",
    "book 2",
    "chapter 3.",
    "Ch 3 Main Street",
    "Cap 3 Euros",
    "第三章讲的是大海，很有意思。",
    "제3장에서는",
    `Chapter 1. ${"A long line is a paragraph. ".repeat(5)}`,
  ])("%s", (line) => {
    expect(sectionOf(line)).toBe("");
  });

  test("a sentence that runs on in the next line", () => {
    expect(sectionOf("Chapter 12\nof the book was lost, and so\nwas the rest.")).toBe("");
  });

  test("a heading inside a paragraph", () => {
    expect(sections("One line\nCHAPTER I\nand another\n\nText")).toEqual([
      ["One line\nCHAPTER I\nand another", "", false],
      ["Text", "", false],
    ]);
  });
});

describe("sections", () => {
  test("a heading goes with the paragraph that follows", () => {
    const text = "Title\n\nVOLUME I\n\nCHAPTER I\n\nOne.\n\nTwo.\n\nCHAPTER II\n\nThree.";
    expect(sections(text)).toEqual([
      ["Title", "", false],
      ["VOLUME I\n\nCHAPTER I\n\nOne.", "VOLUME I > CHAPTER I", true],
      ["Two.", "VOLUME I > CHAPTER I", false],
      ["CHAPTER II\n\nThree.", "VOLUME I > CHAPTER II", true],
    ]);
    expect(sections(text.replaceAll("\n\n", "\r\n"))).toEqual(
      sections(text).map(([paragraph, ...rest]) => [paragraph.replaceAll("\n\n", "\r\n"), ...rest]),
    );
  });

  test("a heading is the paragraph's first line where no blank line follows", () => {
    expect(sections("CHAPTER I\nIt was late,\nand dark.\n\nMore.")).toEqual([
      ["CHAPTER I\nIt was late,\nand dark.", "CHAPTER I", true],
      ["More.", "CHAPTER I", false],
    ]);
  });

  test("a title is on the next line or in the next paragraph", () => {
    const body = "It was late, and dark in all of the rooms.";
    for (const gap of ["\n", "\n\n"]) {
      expect(sections(`CHAPTER I${gap}The Carpet-Bag\n\n${body}`)).toEqual([
        [`CHAPTER I${gap}The Carpet-Bag\n\n${body}`, "CHAPTER I The Carpet-Bag", true],
      ]);
    }
    expect(sections(`第二章\n\n大海\n\n他第一次看见大海。`)[0]?.[1]).toBe("第二章 大海");
  });

  test("a short first paragraph is no title", () => {
    const body = "It was late, and dark in all of the rooms.";
    for (const first of ["“Yes.”", "She played.", "He had time only to say,", "Emma was silenced."])
      expect(sections(`CHAPTER I\n\n${first}\n\n${body}`)[0]?.[1]).toBe("CHAPTER I");
  });

  test("one line can hold two headings", () => {
    const text = "ACT I. SCENE I. Elsinore.\n\nWho is there?\n\nAct III, Scene 2\n\nHe speaks.";
    expect(sections(text).map(([, section]) => section)).toEqual([
      "ACT I. > SCENE I. Elsinore.",
      "Act III > Scene 2",
    ]);
  });

  test("of parts and books the first in the text hold the others", () => {
    const path = (text: string) => sections(text).at(-1)?.[1];
    expect(path("PART I\n\nBOOK I\n\na b c\n\nBOOK II\n\nd e f")).toBe("PART I > BOOK II");
    expect(path("BOOK I\n\nPART I\n\na b c\n\nPART II\n\nd e f")).toBe("BOOK I > PART II");
  });

  test("headings at the end stand alone", () => {
    expect(sections("Text.\n\nPART II\n\nCHAPTER I")).toEqual([
      ["Text.", "", false],
      ["PART II\n\nCHAPTER I", "PART II > CHAPTER I", true],
    ]);
  });

  test("a table of contents is no section", () => {
    const entries = ["CHAPTER 1. Loomings.", "CHAPTER 2. The Carpet-Bag.", "EPILOGUE"];
    const book = entries.map((entry) => `${entry}\n\nThe text of it.`).join("\n\n");
    for (const gap of ["\n", "\n\n"]) {
      const contents = entries.join(gap);
      expect(sections(`${contents}\n\nA note.\n\n${book}`)).toEqual([
        [contents, "", false],
        ["A note.", "", false],
        ...entries.map((entry) => [`${entry}\n\nThe text of it.`, entry, true]),
      ]);
      expect(sections(`${contents}\n\n${book}`).slice(1)).toEqual(
        entries.map((entry) => [`${entry}\n\nThe text of it.`, entry, true]),
      );
    }
  });

  test("a table of contents names chapters of the same number in several volumes", () => {
    const entries = ["VOLUME I", "CHAPTER I", "CHAPTER II", "VOLUME II", "CHAPTER I"];
    const book = "VOLUME I\n\nCHAPTER I\n\na\n\nCHAPTER II\n\nb\n\nVOLUME II\n\nCHAPTER I\n\nc";
    expect(sections(`${entries.join("\n\n")}\n\n${book}`).map(([, section]) => section)).toEqual([
      "",
      "VOLUME I > CHAPTER I",
      "VOLUME I > CHAPTER II",
      "VOLUME II > CHAPTER I",
    ]);
  });

  test("the parts of a function's paragraphs stay", () => {
    const text = "CHAPTER I\nOne line\nAnother line";
    const whole = () => [{ start: 0, end: text.length, parts: [...paragraphsOf(text, "line")] }];
    const [paragraph] = chapterParagraphs(whole)(text);
    expect(texts(text, paragraph?.parts)).toEqual(["CHAPTER I", "One line", "Another line"]);
  });
});

test("a rule that is none is refused", () => {
  expect(() => chapterParagraphs("words" as ParagraphRule)).toThrow(InvalidParameterError);
});

describe("long input", () => {
  test.each([
    ["headings", "CHAPTER I\n\n".repeat(50_000)],
    [
      "headings of many names",
      Array.from({ length: 20_000 }, (_, i) => `Chapter ${i % 9999}\n\n`).join(""),
    ],
    ["one line", "CHAPTER I ".repeat(100_000)],
    ["white space", `CHAPTER I${" ".repeat(1_000_000)}\n\nText`],
    ["marks", `CHAPTER I${".:—".repeat(300_000)}`],
  ])("%s", (_, text) => {
    expectParagraphs(text, [...chapterParagraphs()(text)]);
  });
});
