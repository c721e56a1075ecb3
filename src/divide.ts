import { lines, type Paragraph, type Span, trim } from "./paragraphs.js";
import {
  type Breathe,
  breaks,
  breaksBeside,
  outsideSurrogatePair,
  spacesBeside,
} from "./segments.js";

/** A span whose tokens are known. */
export interface Counted extends Span {
  /** By the caller's `lengthFunction`. */
  tokens: number;
}

export interface DivideOptions {
  /** The most tokens a unit may have. */
  chunkSize: number;
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
 * Divides a paragraph that is longer than `chunkSize` into units that fit: at the parts that its
 * rule named, else at its line ends, and what is still too long at sentence ends, then between
 * words, graphemes and code points. A code point that alone exceeds `chunkSize` stands alone.
 */
export async function divide(
  text: string,
  paragraph: Paragraph & Counted,
  options: DivideOptions,
): Promise<Counted[]> {
  const levels: ((span: Span) => Iterable<Span> | AsyncIterable<Span>)[] = [
    (span) => lines(text, span.start, span.end),
    (span) => sentences(text, span, options),
  ];
  const { parts } = paragraph;
  if (parts !== undefined && parts.length > 0) levels.unshift(() => parts);
  return keepHeading(text, await divideAt(0, paragraph), paragraph.headingEnd, options);

  async function divideAt(level: number, span: Counted): Promise<Counted[]> {
    const cut = levels[level];
    if (cut === undefined) return shorten(text, span, options);
    const pieces: Counted[] = [];
    for await (const { start, end } of cut(span)) {
      if (start === span.start && end === span.end) return divideAt(level + 1, span);
      const tokens = await options.count({ start, end });
      if (tokens <= options.chunkSize) pieces.push({ start, end, tokens });
      else
        for (const piece of await divideAt(level + 1, { start, end, tokens })) pieces.push(piece);
      await options.breathe();
    }
    return pack(pieces, options);
  }
}

/** Joins the last unit of a paragraph's headings with the first of what they head. */
async function keepHeading(
  text: string,
  units: Counted[],
  headingEnd = 0,
  options: DivideOptions,
): Promise<Counted[]> {
  const i = units.findLastIndex(({ end }) => end <= headingEnd);
  const [heading, next] = [units[i], units[i + 1]];
  if (heading === undefined || next === undefined) return units;
  const joined = await countedTo(heading, next, options);
  if (joined.tokens <= options.chunkSize) return units.toSpliced(i, 2, joined);
  // too long for one unit: what follows gets the budget that the headings leave
  const chunkSize = options.chunkSize - (joined.tokens - next.tokens);
  if (chunkSize < options.chunkSize / 2) return units;
  const [first, ...rest] = await divide(text, next, { ...options, chunkSize });
  if (first === undefined) return units;
  const headed = await countedTo(heading, first, options);
  return headed.tokens <= options.chunkSize ? units.toSpliced(i, 2, headed, ...rest) : units;
}

async function countedTo(from: Span, to: Span, { count }: DivideOptions): Promise<Counted> {
  const span = { start: from.start, end: to.end };
  return { ...span, tokens: await count(span) };
}

async function* sentences(
  text: string,
  { start, end }: Span,
  { locale, breathe }: DivideOptions,
): AsyncGenerator<Span> {
  let from = start;
  for (const at of breaks(text, { start, end }, "sentence", locale)) {
    const [to] = at.slice(-1);
    if (to !== undefined) {
      yield* between(text, { start: from, end: to }, at);
      from = to;
    }
    await breathe();
  }
  yield* between(text, { start: from, end }, []);
}

/** The spans between breaks, without the white space around them. */
function* between(text: string, { start, end }: Span, at: readonly number[]): Generator<Span> {
  let from = start;
  for (const to of at) {
    const span = trim(text, { start: from, end: to });
    if (span.end > span.start) yield span;
    from = to;
  }
  const span = trim(text, { start: from, end });
  if (span.end > span.start) yield span;
}

/** Puts neighbours together while they stay within a share of `chunkSize`. */
async function pack(
  pieces: Counted[],
  { chunkSize, count, breathe }: DivideOptions,
): Promise<Counted[]> {
  const packed: Counted[] = [];
  let sum = 0;
  let group: Counted[] = [];
  const close = async () => {
    const [first] = group;
    const last = group.at(-1);
    if (first === undefined || last === undefined) return;
    if (group.length === 1) packed.push(first);
    else {
      const span = { start: first.start, end: last.end };
      const tokens = await count(span);
      // a length function may find more in the whole than in its pieces
      if (tokens <= chunkSize) packed.push({ ...span, tokens });
      else for (const one of group) packed.push(one);
    }
  };
  for (const piece of pieces) {
    if (sum + piece.tokens > chunkSize * SHARE) {
      await close();
      await breathe();
      group = [];
      sum = 0;
    }
    group.push(piece);
    sum += piece.tokens;
  }
  await close();
  return packed;
}

/** Cuts a stretch without lines or sentences into equal parts: between words, where there are words. */
async function shorten(text: string, span: Counted, options: DivideOptions): Promise<Counted[]> {
  const { chunkSize, count, breathe } = options;
  if (span.tokens <= chunkSize) return [span];
  // no more are needed than fall on both sides of each place
  const parts = Math.min(Math.ceil(span.tokens / chunkSize), 2 * (span.end - span.start));
  const cuts = await equalCuts(text, span, parts, options);
  if (cuts.length === 0) return [span];
  const units: Counted[] = [];
  for (const part of between(text, span, cuts)) {
    const tokens = await count(part);
    for (const unit of await shorten(text, { ...part, tokens }, options)) units.push(unit);
    await breathe();
  }
  return units;
}

/** The last break up to a place, and the first behind it; the span's ends where there is none. */
type Beside = (span: Span, place: number) => Promise<[number, number]>;

async function equalCuts(
  text: string,
  span: Span,
  parts: number,
  { locale, breathe }: DivideOptions,
): Promise<number[]> {
  const kinds: Beside[] = [
    (span, place) => spacesBeside(text, span, place, breathe),
    (span, place) => breaksBeside(text, span, place, "word", locale, breathe),
    (span, place) => breaksBeside(text, span, place, "grapheme", locale, breathe),
  ];
  for (const beside of kinds) {
    const cuts = await nearest(beside, span, parts, breathe);
    if (cuts.length > 0) return cuts;
  }
  return codePointCuts(text, span, parts);
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
async function nearest(
  beside: Beside,
  { start, end }: Span,
  parts: number,
  breathe: Breathe,
): Promise<number[]> {
  const step = (end - start) / parts;
  const cuts: number[] = [];
  let cut = start;
  for (let place = start + step; ; ) {
    const [before, after] = await beside({ start: cut, end }, Math.floor(place));
    if (after === end) return cuts.length === 0 && before > start ? [before] : cuts;
    cut = before > cut ? before : after;
    cuts.push(cut);
    while (place < after) place += step;
    await breathe();
  }
}
