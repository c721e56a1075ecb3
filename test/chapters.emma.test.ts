import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { chapterParagraphs } from "../src/chapters.js";

const EMMA = fileURLToPath(new URL("../../shared/gutenqa-emma/paragraphs.json", import.meta.url));

interface BookParagraph {
  /** `VOLUME I. CHAPTER I` */
  chapter: string;
  text: string;
}

describe.skipIf(!existsSync(EMMA))("a novel of three volumes and 55 chapters", () => {
  const book = existsSync(EMMA) ? (JSON.parse(readFileSync(EMMA, "utf8")) as BookParagraph[]) : [];

  test.each([
    ["blank lines", "\n\n"],
    ["CRLF", "\r\n\r\n"],
    ["single newlines", "\n"],
  ])("each paragraph has its chapter, with %s", (_, gap) => {
    const text = withHeadings(book).join(gap);
    const paragraphs = [...chapterParagraphs()(text)];
    expect(paragraphs.map(({ section }) => section)).toEqual(
      book.map(({ chapter }) => chapter.replace(". ", " > ")),
    );
    expect(paragraphs.filter(({ startsSection }) => startsSection)).toHaveLength(55);
  });
});

/** The book as it is printed: a line for each volume and chapter where it begins. */
function withHeadings(book: readonly BookParagraph[]): string[] {
  let before: string[] = [];
  return book.flatMap(({ chapter, text }) => {
    const headings = chapter.split(". ");
    const news = headings.slice(headings[0] === before[0] ? 1 : 0);
    const changed = chapter !== before.join(". ");
    before = headings;
    return changed ? [...news, text] : [text];
  });
}
