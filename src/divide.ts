import { lines, type Paragraph, pacedLines, type Span } from "./paragraphs.js";
import type { Paced } from "./pauses.js";
import { type Breathe, breaks } from "./segments.js";
import { between, shorten } from "./shorten.js";
import { trim } from "./white-space.js";

/** A span whose tokens are known. */
export interface Counted extends Span {
  /** By the caller's `lengthFunction`. */
  tokens: number;
}

export interface DivideOptions {
  /** The most tokens a unit may have. */
  chunkSize: number;
  /** A grapheme of at most so many tokens is not cut. Default: `chunkSize`. */
  graphemeSize?: number;
  locale: string;
  /** Tokens of a stretch of the text; of one that is longer than `chunkSize`, some such number. */
  count(span: Span): number | Promise<number>;
  breathe: Breathe;
}

/**
 * Pieces that could stand alone (parts, lines, sentences) are put together up to this share of
 * `chunkSize`, so that a long paragraph still leaves the model several places to cut at.
 */
const SHARE = 1 / 4;

/** A line is not cut for its heading's sake where that leaves less than this share of `chunkSize`. */
const LEAST_SHARE = 1 / 2;

/**
 * Divides a paragraph that is longer than `chunkSize` into units that fit, in order: at the parts
 * that its rule named, else at its line ends, and what is still too long at sentence ends, then
 * between words, graphemes and code points. A code point that alone exceeds `chunkSize` stands
 * alone. Each unit is given out before the rest is looked at.
 *
 * Headings go with the first piece of what they head: a part, a line, or of a paragraph of one line
 * a sentence. A piece that fits is not cut for a heading's sake, nor is what has parts and fits: the
 * heading then stands alone.
 */
export async function* divide(
  text: string,
  paragraph: Paragraph & Counted,
  options: DivideOptions,
): AsyncGenerator<Counted> {
  const { start, end, headingEnd = end } = paragraph;
  if (headingEnd >= end) {
    yield* unitsOf(text, paragraph, options);
    return;
  }
  const head = await sideOf(text, paragraph, { start, end: headingEnd }, options);
  const body = await sideOf(text, paragraph, { start: headingEnd, end }, options);
  let heading: Counted | undefined;
  for await (const unit of unitsOf(text, head, options)) {
    if (heading !== undefined) yield heading;
    heading = unit;
  }
  if (heading === undefined) yield* unitsOf(text, body, options);
  else
    yield* (await begun(text, heading, body, options)) ??
      chain([heading], unitsOf(text, body, options));
}

/** What a paragraph has on one side of where its headings end. */
async function sideOf(
  text: string,
  { parts }: Paragraph,
  side: Span,
  { count }: DivideOptions,
): Promise<Paragraph & Counted> {
  const inside = parts
    ?.map((part) => within(text, part, side))
    .filter((part) => part.start < part.end);
  const { start, end } = trim(text, side);
  // the first part may begin with white space: the indentation of code
  const span = { start: inside?.[0]?.start ?? start, end };
  return { ...span, tokens: await count(span), ...(inside && { parts: inside }) };
}

function within(text: string, part: Span, { start, end }: Span): Span {
  if (part.start >= start && part.end <= end) return part;
  return trim(text, { start: Math.max(part.start, start), end: Math.min(part.end, end) });
}

async function* unitsOf(
  text: string,
  span: Paragraph & Counted,
  options: DivideOptions,
): AsyncGenerator<Counted> {
  if (span.start === span.end) return;
  if (span.tokens > options.chunkSize)
    yield* pack(piecesOf(text, span, cutsOf(text, span, options), options), options);
  else yield { start: span.start, end: span.end, tokens: span.tokens };
}

/** The units of a heading that goes with the first piece of its body; nothing if it can't. */
async function begun(
  text: string,
  heading: Counted,
  body: Paragraph & Counted,
  options: DivideOptions,
): Promise<AsyncIterable<Counted> | undefined> {
  const whole = await joined(heading, body, options);
  if (whole !== undefined) return chain([whole]);
  const fits = body.tokens <= options.chunkSize;
  if (fits && body.parts !== undefined) return undefined;
  const pieces = piecesOf(text, body, cutsOf(text, body, options), options);
  const { value: first } = await pieces.next();
  if (first === undefined) return undefined;
  const start = await joined(heading, first, options);
  if (start !== undefined) return pack(chain([start], pieces), options);
  if (fits || !endsInLine(text, first, body)) return undefined;
  const fragments = await fragmentsOf(text, heading, first, options);
  return fragments && pack(chain(fragments, pieces), options);
}

/** A fragment of a line, cut anew into one that goes with its heading, and the rest. */
async function fragmentsOf(
  text: string,
  heading: Counted,
  fragment: Counted,
  options: DivideOptions,
): Promise<Counted[] | undefined> {
  const { tokens } = await countedTo(heading, fragment, options);
  const chunkSize = options.chunkSize - (tokens - fragment.tokens);
  if (chunkSize < options.chunkSize * LEAST_SHARE) return undefined;
  const smaller = { ...options, chunkSize, graphemeSize: options.chunkSize };
  const rest: Counted[] = [];
  for await (const piece of shorten(text, fragment, smaller)) rest.push(piece);
  const first = rest.shift();
  const start = first && (await joined(heading, first, options));
  return start && [start, ...rest];
}

function endsInLine(text: string, { start, end }: Span, body: Span): boolean {
  const [line] = lines(text, start, body.end);
  return line !== undefined && line.end > end;
}

/** A heading and what follows as one unit, if it fits. */
async function joined(
  heading: Counted,
  next: Counted,
  options: DivideOptions,
): Promise<Counted | undefined> {
  if (next.tokens > options.chunkSize) return undefined;
  const unit = await countedTo(heading, next, options);
  return unit.tokens <= options.chunkSize ? unit : undefined;
}

async function countedTo(from: Span, to: Span, { count }: DivideOptions): Promise<Counted> {
  const span = { start: from.start, end: to.end };
  return { ...span, tokens: await count(span) };
}

async function* chain(
  ...lists: (Iterable<Counted> | AsyncIterable<Counted>)[]
): AsyncGenerator<Counted> {
  for (const list of lists) yield* list;
}

type Cut = (span: Span) => Paced<Span> | AsyncIterable<Span>;

/** Where a paragraph is cut, best first. */
function cutsOf(text: string, paragraph: Paragraph, { locale, breathe }: DivideOptions): Cut[] {
  const { parts = [] } = paragraph;
  const cuts: Cut[] = parts.length > 0 ? [() => parts] : [];
  const [line] = lines(text, paragraph.start, paragraph.end);
  if (line?.start !== paragraph.start || line.end !== paragraph.end)
    cuts.push((span) => pacedLines(text, span.start, span.end));
  cuts.push((span) => between(text, span, breaks(text, span, "sentence", locale), breathe));
  return cuts;
}

/** The pieces of a span that a cut gives, and of those that are too long the ones that finer cuts give. */
async function* piecesOf(
  text: string,
  span: Counted,
  [cut, ...finer]: readonly Cut[],
  options: DivideOptions,
): AsyncGenerator<Counted> {
  if (cut === undefined) {
    yield* shorten(text, span, options);
    return;
  }
  for await (const found of cut(span)) {
    if (found === undefined) {
      await options.breathe();
      continue;
    }
    const { start, end } = found;
    const whole = start === span.start && end === span.end;
    const tokens = whole ? span.tokens : await options.count({ start, end });
    const piece = { start, end, tokens };
    if (tokens <= options.chunkSize) yield piece;
    else if (whole) yield* piecesOf(text, piece, finer, options);
    else yield* pack(piecesOf(text, piece, finer, options), options);
    await options.breathe();
  }
}

/** Puts neighbours together while they stay within a share of `chunkSize`. */
async function* pack(
  pieces: Iterable<Counted> | AsyncIterable<Counted>,
  options: DivideOptions,
): AsyncGenerator<Counted> {
  let sum = 0;
  let group: Counted[] = [];
  for await (const piece of pieces) {
    if (sum + piece.tokens > options.chunkSize * SHARE) {
      yield* await together(group, options);
      group = [];
      sum = 0;
    }
    group.push(piece);
    sum += piece.tokens;
  }
  yield* await together(group, options);
}

async function together(group: Counted[], options: DivideOptions): Promise<Counted[]> {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined || first === last) return group;
  const whole = await countedTo(first, last, options);
  // a length function may find more in the whole than in its pieces
  return whole.tokens <= options.chunkSize ? [whole] : group;
}
