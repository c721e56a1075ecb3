import { lines, type Paragraph, type Span, trim } from "./paragraphs.js";
import { breaks, outsideSurrogatePair, spaces } from "./segments.js";

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
  /** Leaves the event loop to others when it is time. */
  breathe(): Promise<void> | undefined;
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
  paragraph: Paragraph,
  options: DivideOptions,
): Promise<Counted[]> {
  const levels: ((span: Span) => Iterable<Span>)[] = [
    (span) => lines(text, span.start, span.end),
    (span) => between(text, span, breaks(text, span, "sentence", options.locale)),
  ];
  const { parts } = paragraph;
  if (parts !== undefined && parts.length > 0) levels.unshift(() => parts);
  return keepHeading(text, await divideAt(0, paragraph), paragraph.headingEnd, options);

  async function divideAt(level: number, span: Span): Promise<Counted[]> {
    const cut = levels[level];
    if (cut === undefined) return shorten(text, span, options);
    const pieces: Counted[] = [];
    for (const { start, end } of cut(span)) {
      if (start === span.start && end === span.end) return divideAt(level + 1, span);
      const tokens = await options.count({ start, end });
      if (tokens <= options.chunkSize) pieces.push({ start, end, tokens });
      else pieces.push(...(await divideAt(level + 1, { start, end })));
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

/** The spans between breaks, without the white space around them. */
function* between(text: string, { start, end }: Span, at: Iterable<number>): Generator<Span> {
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
async function pack(pieces: Counted[], { chunkSize, count }: DivideOptions): Promise<Counted[]> {
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
      else packed.push(...group);
    }
  };
  for (const piece of pieces) {
    if (sum + piece.tokens > chunkSize * SHARE) {
      await close();
      group = [];
      sum = 0;
    }
    group.push(piece);
    sum += piece.tokens;
  }
  await close();
  return packed;
}

/** Cuts a stretch without lines or sentences into equal parts, between words where it has any. */
async function shorten(text: string, span: Span, options: DivideOptions): Promise<Counted[]> {
  const tokens = await options.count(span);
  if (tokens <= options.chunkSize) return [{ ...span, tokens }];
  const cuts = await equalCuts(text, span, Math.ceil(tokens / options.chunkSize), options);
  if (cuts.length === 0) return [{ ...span, tokens }];
  const units: Counted[] = [];
  for (const part of between(text, span, cuts)) {
    units.push(...(await shorten(text, part, options)));
  }
  return units;
}

async function equalCuts(
  text: string,
  span: Span,
  parts: number,
  { locale, breathe }: DivideOptions,
): Promise<number[]> {
  const candidates = [
    () => spaces(text, span),
    () => breaks(text, span, "word", locale),
    () => breaks(text, span, "grapheme", locale),
  ];
  for (const at of candidates) {
    const cuts = await nearest(at(), span, parts, breathe);
    if (cuts.length > 0) return cuts;
  }
  const middle = outsideSurrogatePair(text, span.start + Math.ceil((span.end - span.start) / 2));
  return middle > span.start && middle < span.end ? [middle] : [];
}

/**
 * Of the breaks, those that divide the span into parts as equal as may be: the last one up to each
 * place, or the first behind it where there is none since the last cut.
 */
async function nearest(
  at: Iterable<number>,
  { start, end }: Span,
  parts: number,
  breathe: DivideOptions["breathe"],
): Promise<number[]> {
  const step = (end - start) / parts;
  const cuts: number[] = [];
  let cut = start;
  let previous = start;
  let place = start + step;
  for (const offset of at) {
    if (offset > place) {
      cut = previous > cut ? previous : offset;
      cuts.push(cut);
      while (place < offset) place += step;
      await breathe();
    }
    previous = offset;
  }
  if (cuts.length === 0 && previous > start) cuts.push(previous);
  return cuts;
}
