import {
  headingOfLine,
  isSmall,
  isTitleLine,
  LONGEST_LINE,
  withoutEmphasis,
} from "./chapter-heading.js";
import type { HeadingKind } from "./chapter-words.js";
import { lines, type Span } from "./paragraphs.js";

/** A heading in a text. */
export interface ChapterHeading extends Span {
  kind: HeadingKind;
  /** `chapter 12`: the same wherever the chapter is named. */
  label: string;
  /** As it is written, on one line. */
  text: string;
  titled: boolean;
  /** Whether its title follows the number at once: `第三章大海`. */
  joined: boolean;
}

/** What may hold what: only a later one stands under an earlier one. */
const ORDER: HeadingKind[] = ["volume", "part", "book", "act", "chapter", "scene"];

/** Lines at the beginning of a paragraph that may be headings: one a kind. */
const MOST_LINES = ORDER.length;

/**
 * The headings at the beginning of a paragraph, each under the one before, the last with its title
 * where that is on the next line. None where the lines are a table of contents or run on.
 */
export function headingsOf(text: string, paragraph: Span): ChapterHeading[] {
  const headings: ChapterHeading[] = [];
  const rest = lines(text, paragraph.start, paragraph.end);
  let line = next(rest);
  while (line !== undefined && headings.length < MOST_LINES) {
    const found = headingsOn(text, line);
    if (found.length === 0) break;
    headings.push(...found);
    line = next(rest);
  }
  const last = headings.at(-1);
  if (last === undefined || !eachUnderTheLast(headings)) return [];
  if (line === undefined) return headings;
  if (isSmall(text.charAt(line.start))) return [];
  takeTitle(last, text, line);
  return headings;
}

function next(lines: Iterator<Span>): Span | undefined {
  const { value, done } = lines.next();
  return done === true ? undefined : value;
}

/** The headings on one line: `ACT I. SCENE I.` holds two. */
function headingsOn(text: string, { start, end }: Span): ChapterHeading[] {
  if (end - start > LONGEST_LINE) return [];
  const line = withoutEmphasis(text.slice(start, end));
  const heading = headingOfLine(line);
  if (heading === undefined) return [];
  const { kind, label, titleStart, joined } = heading;
  const isPlain = line.length === end - start;
  const below =
    isPlain && titleStart < line.length ? headingsOn(text, { start: start + titleStart, end }) : [];
  const own = below.length > 0 ? line.slice(0, titleStart).trimEnd() : line;
  return [
    {
      start,
      end: below.length > 0 ? start + own.length : end,
      kind,
      label,
      text: onOneLine(below.length > 0 ? own.replace(/[,;–—-]$/, "") : own),
      titled: below.length === 0 && titleStart < line.length,
      joined,
    },
    ...below,
  ];
}

function onOneLine(text: string): string {
  return text.trim().split(/\s+/).join(" ");
}

function eachUnderTheLast(headings: readonly ChapterHeading[]): boolean {
  return headings.every(({ kind }, i) => {
    const above = headings[i - 1]?.kind;
    return above === undefined || (kind !== above && rank(kind) >= rank(above));
  });
}

/** Parts hold books, or books parts. */
function rank(kind: HeadingKind): number {
  return ORDER.indexOf(kind === "book" ? "part" : kind);
}

/** Takes the line behind a heading as its title, if it reads as one. */
function takeTitle(heading: ChapterHeading, text: string, line: Span): void {
  const title = text.slice(line.start, line.end);
  if (heading.titled || !isTitleLine(title.replace(/\.$/, ""))) return;
  heading.end = line.end;
  heading.text += ` ${onOneLine(withoutEmphasis(title))}`;
  heading.titled = true;
}

/**
 * Takes the paragraph behind a heading without a title as its title, if it is one line that reads
 * as a title, and a longer paragraph follows.
 */
export function takeTitleParagraph(
  heading: ChapterHeading,
  text: string,
  [title, body]: readonly (Span | undefined)[],
): boolean {
  if (title === undefined || body === undefined) return false;
  const length = title.end - title.start;
  if (heading.titled || length > LONGEST_LINE || length >= body.end - body.start) return false;
  const line = text.slice(title.start, title.end);
  if (/[\r\n\f\u2028\u2029]/.test(line) || !isTitleLine(line) || headingOfLine(line)) return false;
  takeTitle(heading, text, title);
  return true;
}
