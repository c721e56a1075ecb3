import { InvalidParameterError } from "./errors.js";
import { type Paced, withoutPauses } from "./pauses.js";
import { isBlank, isWhiteSpace, skipWhiteSpace, trim } from "./white-space.js";

/** A stretch of a text: UTF-16 offsets, 0-based, `end` exclusive. */
export interface Span {
  start: number;
  end: number;
}

/**
 * A paragraph as a {@link ParagraphFunction} returns it.
 *
 * `section` is the path of headings that the paragraph stands under (`"Part One > The Whale"`,
 * default `""`); `startsSection` marks the first paragraph of a section. `parts` are the places
 * where the paragraph is best divided when it is longer than `chunkSize` (rows of a table, items of
 * a list): spans inside the paragraph, in order, with white space only between them. `headingEnd` is
 * where the headings end that the paragraph begins with: they stay with what follows them, or with
 * the first part, line or sentence of it that fits with them; what has parts is whole while it fits.
 */
export interface Paragraph extends Span {
  section?: string;
  startsSection?: boolean;
  parts?: readonly Span[];
  headingEnd?: number;
}

/** Cuts a text into paragraphs, in order; only white space may lie between them. */
export type ParagraphFunction = (text: string) => Iterable<Paragraph>;

/**
 * How a text is cut into paragraphs: at blank lines, at line ends, by a function of your own, or
 * `"auto"`: at blank lines where the text has one between two lines, else at line ends.
 */
export type ParagraphRule = "auto" | "blank-line" | "line" | ParagraphFunction;

/** What stands between a line and the one before it that is not blank. */
type LineBreak = "line" | "blank-line" | "page";

/** A line that is not blank, without the white space around it. */
interface Line extends Span {
  after: LineBreak;
}

/** The paragraphs of a text by a rule. */
export function paragraphsOf(text: string, rule: ParagraphRule): Iterable<Paragraph> {
  return withoutPauses(pacedParagraphs(text, rule));
}

/**
 * The paragraphs of a text by a rule. Our own rules are read lazily, in one pass, with pauses; what a
 * function of the caller's returns is checked whole before the first paragraph is given out.
 *
 * @throws InvalidParameterError when a function's spans overlap, run backwards or leave text out.
 */
export function pacedParagraphs(text: string, rule: ParagraphRule): Paced<Paragraph> {
  switch (rule) {
    case "auto":
      return byAuto(text);
    case "line":
      return pacedLines(text);
    case "blank-line":
      return blocks(text);
    default:
      return ours.get(rule)?.(text) ?? checked(text, rule(text));
  }
}

/** Rules of our own, and what they find with pauses: only those of others are checked. */
const ours = new WeakMap<ParagraphFunction, (text: string) => Paced<Paragraph>>();

export function asOurs(paced: (text: string) => Paced<Paragraph>): ParagraphFunction {
  const rule = (text: string) => withoutPauses(paced(text));
  ours.set(rule, paced);
  return rule;
}

function* byAuto(text: string): Generator<Paragraph | undefined> {
  yield* pacedParagraphs(text, yield* autoRule(text));
}

/** UTF-16 units that are searched in one go. */
const STRETCH = 65_536;

/** What `"auto"` stands for in a text. */
function* autoRule(text: string): Generator<undefined, "blank-line" | "line"> {
  let lineEnds = 0;
  let follows = false; // whether a line is before, and no page break between
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (!isWhiteSpace(code)) {
      if (follows && lineEnds > 1) return "blank-line";
      lineEnds = 0;
      follows = true;
    } else if (isPageBreak(code)) follows = false;
    else if (isLineEnd(code, text.charCodeAt(i - 1))) lineEnds += 1;
    if (i % STRETCH === STRETCH - 1) yield;
  }
  return "line";
}

/** Neighbouring lines with no blank line and no page break between them. */
function* blocks(text: string): Generator<Span | undefined> {
  let block: Span | undefined;
  let pause = STRETCH;
  for (const line of pacedLines(text)) {
    if (line === undefined) yield;
    else if (block !== undefined && line.after === "line") {
      block.end = line.end;
      if (line.end > pause) yield;
    } else {
      if (block !== undefined) yield block;
      block = { start: line.start, end: line.end };
    }
    while (line !== undefined && line.end > pause) pause += STRETCH;
  }
  if (block !== undefined) yield block;
}

const LF = 0x0a;
const FORM_FEED = 0x0c;
const CR = 0x0d;
const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;
const PAGE_BREAK = /[\f\u2029]/;

/**
 * The lines of a stretch that are not blank. Line ends are LF, CRLF, CR, U+2028, and the page
 * breaks form feed and U+2029.
 */
export function lines(text: string, from = 0, to = text.length): Generator<Line> {
  return withoutPauses(pacedLines(text, from, to));
}

export function* pacedLines(text: string, from = 0, to = text.length): Generator<Line | undefined> {
  const stretch = text.slice(from, to); // else the search for a line end might go far beyond
  const lineEnd = /[\n\f\r\u2028\u2029]/g;
  for (let at = 0; ; ) {
    const begin = yield* pacedSkip(stretch, at);
    if (begin >= stretch.length) return;
    lineEnd.lastIndex = begin;
    const next = lineEnd.test(stretch) ? lineEnd.lastIndex - 1 : stretch.length;
    const { start, end } = trim(text, { start: from + begin, end: from + next });
    // what stands before the first line parts nothing
    const after = breakIn(stretch, at, begin);
    yield { start, end, after: at === 0 && after !== "page" ? "line" : after };
    at = next;
  }
}

/** Where the white space at an offset ends. */
function* pacedSkip(text: string, from: number): Generator<undefined, number> {
  for (let at = from; ; ) {
    const end = Math.min(at + STRETCH, text.length);
    at = skipWhiteSpace(text, at, end);
    if (at < end || end === text.length) return at;
    yield;
  }
}

/** What white space is to the lines around it. */
function breakIn(text: string, from: number, to: number): LineBreak {
  let lineEnds = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (isPageBreak(code)) return "page";
    if (!isLineEnd(code, text.charCodeAt(i - 1))) continue;
    lineEnds += 1;
    if (lineEnds > 1) return PAGE_BREAK.test(text.slice(i, to)) ? "page" : "blank-line";
  }
  return "line";
}

function isPageBreak(code: number): boolean {
  return code === FORM_FEED || code === PARAGRAPH_SEPARATOR;
}

/** Whether a line ends with a character, one after another; CRLF is one line end. */
function isLineEnd(code: number, before: number): boolean {
  return code === CR || code === LINE_SEPARATOR || (code === LF && before !== CR);
}

function checked(text: string, paragraphs: Iterable<Paragraph>): Paragraph[] {
  if (typeof (paragraphs as Partial<Iterable<Paragraph>> | null)?.[Symbol.iterator] !== "function")
    throw refused("that returns spans", paragraphs);
  const list = [...paragraphs];
  checkSpans(text, list, { start: 0, end: text.length }, "spans");
  for (const [i, paragraph] of list.entries()) {
    const name = `spans[${i}]`;
    if (paragraph.parts !== undefined && paragraph.parts.length > 0)
      checkSpans(text, paragraph.parts, paragraph, `${name}.parts`);
    const { start, end, headingEnd = end } = paragraph;
    if (!(headingEnd > start && headingEnd <= end))
      throw refused(`whose ${name}.headingEnd is from ${start + 1} to ${end}`, headingEnd);
    if (paragraph.section !== undefined && typeof paragraph.section !== "string")
      throw refused(`whose ${name}.section is a string`, paragraph.section);
  }
  return list;
}

function checkSpans(text: string, spans: readonly Span[], within: Span, name: string): void {
  let end = within.start;
  let i = 0;
  for (const span of spans) {
    const fault = faultOf(span, { start: end, end: within.end });
    if (fault !== undefined) throw refused(`whose ${name}[${i}] ${fault}`, span);
    if (!isBlank(text, end, span.start)) throw leftOut(text, end, span.start, `${name}[${i}]`);
    if (isBlank(text, span.start, span.end))
      throw refused(`whose ${name}[${i}] holds more than white space`, span);
    end = span.end;
    i += 1;
  }
  if (!isBlank(text, end, within.end)) throw leftOut(text, end, within.end, "the end");
}

/** What would be right where a span does not lie within what is left; nothing where it does. */
function faultOf(span: Span, left: Span): string | undefined {
  if (!Number.isInteger(span?.start) || !Number.isInteger(span?.end))
    return "is { start, end }, whole UTF-16 offsets in the text";
  if (span.end <= span.start) return "ends behind its start";
  if (span.start < left.start)
    return `starts at ${left.start}, where the one before ends, or behind`;
  return span.end > left.end ? `ends at ${left.end} or before` : undefined;
}

function refused(expected: string, value: unknown): InvalidParameterError {
  const plain =
    typeof value === "object" && value !== null && "start" in value && "end" in value
      ? { start: value.start, end: value.end }
      : value;
  return new InvalidParameterError("paragraphs", `a function ${expected}`, plain);
}

function leftOut(text: string, start: number, end: number, next: string): InvalidParameterError {
  return refused(
    `whose spans leave no text out (before ${next} they leave out offsets ${start} to ${end})`,
    text.slice(start, end).trim(),
  );
}
