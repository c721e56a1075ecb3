/**
 * A scanned book, cleaned before it is split: npx tsx examples/clean-book.ts
 *
 * A splitter cuts and changes nothing. Page numbers, running heads, words hyphenated at line ends
 * and a licence are the loader's work, done here on pages as a PDF loader gives them.
 */
import { Document } from "@langchain/core/documents";
import { chapterParagraphs, LumberChunkerSplitter } from "langchain-lumberchunker";
import { LexicalCohesionChatModel } from "langchain-lumberchunker/offline";

const pages = [
  `THE MILL ON THE FLOOD
This book is free to all. Copy it as you like.
*** START OF THE BOOK ***
CHAPTER I. THE RIVER
  The rain had come down all night, and in the mor-
ning the river stood at the garden wall. The mil-
ler counted the stones that were still dry.
  His daughter carried the flour sacks up to the
loft, one after the other, and did not speak. When
1`,
  `THE MILL ON THE FLOOD
the last one was up she looked out of the window.
  The bridge was gone.
CHAPTER II. THE BOAT
  They found the boat where they had left it, on
the far side of the orchard, full of apples and rain-
water. It took an hour to empty it.
2`,
  `THE MILL ON THE FLOOD
  “We must go,” said the miller, and took down his
coat from the nail by the door.
*** END OF THE BOOK ***
No warranty is given with this book.
3`,
].map((pageContent, i) => new Document({ pageContent, metadata: { loc: { pageNumber: i + 1 } } }));

const text = paragraphsApart(dehyphenated(withoutLicence(joined(pages))));
console.log(`${text}\n`);

const splitter = new LumberChunkerSplitter({
  model: new LexicalCohesionChatModel(),
  paragraphs: chapterParagraphs(),
  sectionBreaks: true,
  minChunkSize: 30,
});
for (const { pageContent, metadata } of await splitter.createDocuments([text])) {
  console.log(`${metadata.section}: ${metadata.tokenCount} tokens`);
  console.log(`  ${pageContent.split(/\s+/).slice(0, 12).join(" ")} …`);
}

/** One text of all pages, without the running head and the page number of each. */
function joined(pages: Document[]): string {
  const [head] = pages[0]?.pageContent.split("\n") ?? [];
  return pages
    .flatMap(({ pageContent }) => pageContent.split("\n"))
    .filter((line) => line !== head && !/^\s*\d+\s*$/.test(line))
    .join("\n");
}

/** What stands between the lines that say where the book starts and ends. */
function withoutLicence(text: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith("*** START OF"));
  const end = lines.findIndex((line) => line.startsWith("*** END OF"));
  return lines.slice(start + 1, end < 0 ? undefined : end).join("\n");
}

/** Words put together again. A word with a hyphen of its own at a line end loses it. */
function dehyphenated(text: string): string {
  return text.replaceAll(/(\p{Ll})-\n(\p{Ll}+\S*) ?/gu, "$1$2\n");
}

/** A blank line before each paragraph, that is an indented line, and around each heading. */
function paragraphsApart(text: string): string {
  return text.replaceAll(/\n {2}/g, "\n\n").replaceAll(/\n(?=CHAPTER )/g, "\n\n");
}
