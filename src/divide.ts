import { lines, type Paragraph, type Span } from "./paragraphs.js";
import {
  type Breathe,
  breaks,
  breaksBeside,
  outsideSurrogatePair,
  spacesBeside,
} from "./segments.js";
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
  /** Tokens of a stretch of the text. */
  count(span: Span): number | Promise<number>;
  breathe: Breathe;
}

/**
 * Pieces that could stand alone (parts, lines, sentences) are put together up to this share of
 * `chunkSize`, so that a long paragraph still leaves the model several places to cut at.
 */
const SHARE = 1 / 4;

/**
 * Divides a paragraph that is longer than `chunkSize` into units that fit, in order: at the parts
 * that its rule named, else at its line ends, and what is still too long at sentence ends, then
 * between words, graphemes and code points. A code point that alone exceeds `chunkSize` stands
 * alone. Each unit is given out before the rest is looked at.
 */
export async function* divide(
  text: string,
  paragraph: Paragraph & Counted,
  options: DivideOptions,
): AsyncGenerator<Counted> {
  const levels: ((span: Span) => Iterable<Span> | AsyncIterable<Span>)[] = [
    (span) => lines(text, span.start, span.end),
    (span) => between(text, span, breaks(text, span, "sentence", options.locale), options.breathe),
  ];
  const { parts } = paragraph;
  if (parts !== undefined && parts.length > 0) levels.unshift(() => parts);
  yield* keepHeading(text, pack(piecesAt(0, paragraph), options), paragraph.headingEnd, options);

  async function* piecesAt(level: number, span: Counted): AsyncGenerator<Counted> {
    const cut = levels[level];
    if (cut === undefined) {
      yield* shorten(text, span, options);
      return;
    }
    for await (const { start, end } of cut(span)) {
      const whole = start === span.start && end === span.end;
      const tokens = whole ? span.tokens : await options.count({ start, end });
      const piece = { start, end, tokens };
      if (tokens <= options.chunkSize) yield piece;
      else if (whole) yield* piecesAt(level + 1, piece);
      else yield* pack(piecesAt(level + 1, piece), options);
      await options.breathe();
    }
  }
}

/** Joins the last unit of a paragraph's headings with the first of what they head. */
async function* keepHeading(
  text: string,
  units: AsyncIterable<Counted>,
  headingEnd = 0,
  options: DivideOptions,
): AsyncGenerator<Counted> {
  let heading: Counted | undefined;
  for await (const unit of units) {
    if (heading === undefined) {
      if (unit.end <= headingEnd) heading = unit;
      else yield unit;
    } else if (unit.end <= headingEnd) {
      yield heading;
      heading = unit;
    } else {
      yield* headed(text, heading, unit, options);
      heading = undefined;
    }
  }
  if (heading !== undefined) yield heading;
}

async function* headed(
  text: string,
  heading: Counted,
  next: Counted,
  options: DivideOptions,
): AsyncGenerator<Counted> {
  const joined = await countedTo(heading, next, options);
  if (joined.tokens <= options.chunkSize) {
    yield joined;
    return;
  }
  // too long for one unit: what follows gets the budget that the headings leave
  const chunkSize = options.chunkSize - (joined.tokens - next.tokens);
  const smaller = { ...options, chunkSize, graphemeSize: options.chunkSize };
  const rest: Counted[] = [];
  if (chunkSize >= options.chunkSize / 2)
    for await (const unit of divide(text, next, smaller)) rest.push(unit);
  const first = rest.shift();
  const whole = first && (await countedTo(heading, first, options));
  if (whole !== undefined && whole.tokens <= options.chunkSize) yield* [whole, ...rest];
  else yield* [heading, next];
}

async function countedTo(from: Span, to: Span, { count }: DivideOptions): Promise<Counted> {
  const span = { start: from.start, end: to.end };
  return { ...span, tokens: await count(span) };
}

/** The spans between breaks, which come in lists, without the white space around them. */
async function* between(
  text: string,
  { start, end }: Span,
  breaks: Iterable<readonly number[]> | AsyncIterable<readonly number[]>,
  breathe: Breathe,
): AsyncGenerator<Span> {
  let from = start;
  for await (const list of breaks) {
    for (const to of list) {
      const span = trim(text, { start: from, end: to });
      if (span.end > span.start) yield span;
      from = to;
    }
    await breathe();
  }
  const span = trim(text, { start: from, end });
  if (span.end > span.start) yield span;
}

/** Puts neighbours together while they stay within a share of `chunkSize`. */
async function* pack(
  pieces: AsyncIterable<Counted>,
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

/** Cuts a stretch without lines or sentences into equal parts: between words, where there are words. */
async function* shorten(
  text: string,
  span: Counted,
  options: DivideOptions,
): AsyncGenerator<Counted> {
  const { chunkSize, count, breathe } = options;
  // no more are needed than fall on both sides of each place
  const parts = Math.min(Math.ceil(span.tokens / chunkSize), 2 * (span.end - span.start));
  for await (const part of between(text, span, equalCuts(text, span, parts, options), breathe)) {
    const whole = part.start === span.start && part.end === span.end;
    const counted = whole ? span : { ...part, tokens: await count(part) };
    if (whole || counted.tokens <= chunkSize) yield counted;
    else yield* shorten(text, counted, options);
    await breathe();
  }
}

/** The last break up to a place, and the first behind it; the span's ends where there is none. */
type Beside = (span: Span, place: number) => Promise<[number, number]>;

async function* equalCuts(
  text: string,
  span: Counted,
  parts: number,
  { locale, breathe, chunkSize, graphemeSize = chunkSize }: DivideOptions,
): AsyncGenerator<readonly number[]> {
  const kinds: Beside[] = [
    (span, place) => spacesBeside(text, span, place, breathe),
    (span, place) => breaksBeside(text, span, place, "word", locale, breathe),
    (span, place) => breaksBeside(text, span, place, "grapheme", locale, breathe),
  ];
  for (const beside of kinds) {
    let found = false;
    for await (const cut of nearest(beside, span, parts)) {
      found = true;
      yield [cut];
    }
    if (found) return;
  }
  if (span.tokens > graphemeSize) yield codePointCuts(text, span, parts);
}

function codePointCuts(text: string, { start, end }: Span, parts: number): number[] {
  const cuts = new Set<number>();
  for (let part = 1; part < parts; part++) {
    const place = start + Math.ceil(((end - start) * part) / parts);
    const cut = outsideSurrogatePair(text, place);
    if (cut > start && cut < end) cuts.add(cut);
  }
  return [...cuts];
}

/**
 * The breaks that divide a span into parts as equal as may be: the last one up to each place, or the
 * first behind it where there is none since the last cut.
 */
async function* nearest(
  beside: Beside,
  { start, end }: Span,
  parts: number,
): AsyncGenerator<number> {
  const step = (end - start) / parts;
  let cut = start;
  for (let place = start + step; ; ) {
    const [before, after] = await beside({ start: cut, end }, Math.floor(place));
    if (after === end) {
      if (cut === start && before > start) yield before;
      return;
    }
    cut = before > cut ? before : after;
    yield cut;
    while (place < after) place += step;
  }
}
