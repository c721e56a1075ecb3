import { type ChapterHeading, headingsOf, takeTitleParagraph } from "./chapter-lines.js";
import type { HeadingKind } from "./chapter-words.js";
import { InvalidParameterError } from "./errors.js";
import {
  asOurs,
  type Paragraph,
  type ParagraphFunction,
  type ParagraphRule,
  pacedParagraphs,
} from "./paragraphs.js";
import type { Paced } from "./pauses.js";
import { type Block, enter, type Heading, sectionOf, withSections } from "./sections.js";
import { trim } from "./white-space.js";

const RULES: readonly unknown[] = ["auto", "blank-line", "line"];

/**
 * Paragraphs of a plain book with their sections: lines such as `CHAPTER I`, `Chapter 12. The
 * Whale`, `Act III, Scene 2`, `PROLOGUE`, `第三章` or `Erstes Kapitel` are read as headings. A
 * heading stands at the beginning of a paragraph, on a line of its own of at most 120 UTF-16 units;
 * its title may be on the next line or in the next paragraph; on the same line it is set off by a
 * mark or, if it reads as a title, by a space. (`第三章大海` is a heading where three lines or more
 * are like it.) Volumes hold parts and books, these
 * hold acts, then chapters, then scenes; of parts and books the ones that come first in the text
 * hold the others.
 *
 * A heading goes with the paragraph that follows, and the `section` is the path of headings as they
 * are written: `"VOLUME I > CHAPTER IX"`. The headings of a table of contents, those that come
 * again later in the text, are one paragraph without a section.
 *
 * @param rule How paragraphs are found: `"auto"` (the default), `"blank-line"`, `"line"`, or a
 * function, of whose paragraphs the sections are replaced.
 * @throws InvalidParameterError when `rule` is none of them.
 *
 * @example
 * ```ts
 * new LumberChunkerSplitter({ model, paragraphs: chapterParagraphs(), sectionBreaks: true });
 * ```
 */
export function chapterParagraphs(rule: ParagraphRule = "auto"): ParagraphFunction {
  if (typeof rule !== "function" && !RULES.includes(rule))
    throw new InvalidParameterError("rule", '"auto", "blank-line", "line" or a function', rule);
  return asOurs((text) => withSections(withoutContents(levelled(chapterBlocks(text, rule)))));
}

/** The headings of a text, and what stands between them. */
function* chapterBlocks(
  text: string,
  rule: ParagraphRule,
): Generator<Paragraph | ChapterHeading | undefined> {
  const paragraphs: Paragraph[] = [];
  for (const paragraph of pacedParagraphs(text, rule)) {
    if (paragraph !== undefined) paragraphs.push(paragraph);
    if (paragraph === undefined || paragraphs.length % OFTEN === 0) yield;
  }
  const found = new Map<Paragraph, ChapterHeading[]>();
  for (const [i, paragraph] of paragraphs.entries()) {
    if (i % OFTEN === 0) yield;
    const headings = headingsOf(text, paragraph);
    if (headings.length > 0) found.set(paragraph, headings);
  }
  forgetFewJoined(found);
  let title: Paragraph | undefined;
  for (const [i, paragraph] of paragraphs.entries()) {
    if (i % OFTEN === 0) yield;
    if (paragraph === title) continue;
    const headings = found.get(paragraph) ?? [];
    const last = headings.at(-1);
    const body = bodyOf(text, paragraph, last?.end ?? paragraph.start);
    const following = paragraphs.slice(i + 1, i + 3);
    if (last && !body && takeTitleParagraph(last, text, following)) [title] = following;
    yield* headings;
    if (body !== undefined) yield body;
  }
}

/** Lines such as `第三章大海`, without a mark or a space, are headings where there are so many. */
const FEWEST_JOINED = 3;

/** One or two such lines are sentences: `第一章我已经读完了`. */
function forgetFewJoined(found: Map<Paragraph, ChapterHeading[]>): void {
  const joined = [...found].filter(([, headings]) => headings.some(({ joined }) => joined));
  if (joined.length < FEWEST_JOINED) for (const [paragraph] of joined) found.delete(paragraph);
}

/** What of a paragraph stands behind its headings. */
function bodyOf(text: string, paragraph: Paragraph, start: number): Paragraph | undefined {
  if (start === paragraph.start) return paragraph;
  const span = trim(text, { start, end: paragraph.end });
  if (span.start === span.end) return undefined;
  const parts = paragraph.parts
    ?.filter(({ end }) => end > span.start)
    .map((part) => ({ start: Math.max(part.start, span.start), end: part.end }));
  return { ...span, ...(parts && { parts }) };
}

/** A block, with the labels of the path to it where it is a heading: `volume i > chapter ix`. */
interface ChapterBlock extends Block {
  place?: string;
}

/** Paragraphs that are looked at in one go. */
const OFTEN = 256;

const LEVELS = { volume: 1, part: 2, book: 2, act: 4, chapter: 5, scene: 6 };

/** Gives each heading its level: of parts and books the first in the text hold the others. */
function* levelled(blocks: Paced<Paragraph | ChapterHeading>): Generator<ChapterBlock | undefined> {
  const path: Heading[] = [];
  let outer: HeadingKind | undefined;
  for (const block of blocks) {
    if (block === undefined) {
      yield;
      continue;
    }
    const { start, end } = block;
    if (!("kind" in block)) {
      yield { start, end, ...(block.parts && { parts: block.parts }) };
      continue;
    }
    const { kind, label, text } = block;
    const splits = kind === "part" || kind === "book";
    if (splits) outer ??= kind;
    const level = LEVELS[kind] + (splits && kind !== outer ? 1 : 0);
    enter(path, { level, text: label });
    yield { start, end, heading: { level, text }, place: sectionOf(path) };
  }
}

/** Headings in a row of which so many come again are a table of contents. */
const FEWEST_CONTENTS = 2;

/** Puts the headings of a table of contents together as one block that is none. */
function* withoutContents(paced: Paced<ChapterBlock>): Generator<Block | undefined> {
  const blocks: ChapterBlock[] = [];
  const last = new Map<string, number>();
  for (const block of paced) {
    if (block?.place !== undefined) last.set(block.place, blocks.length);
    if (block !== undefined) blocks.push(block);
    else yield;
  }
  let run: ChapterBlock[] = [];
  for (const [i, block] of blocks.entries()) {
    if (block.place !== undefined && (last.get(block.place) ?? i) > i) {
      run.push(block);
      continue;
    }
    yield* contents(run);
    run = [];
    yield block;
  }
  yield* contents(run);
}

function contents(run: readonly ChapterBlock[]): readonly Block[] {
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined || run.length < FEWEST_CONTENTS) return run;
  return [
    { start: first.start, end: last.end, parts: run.map(({ start, end }) => ({ start, end })) },
  ];
}
