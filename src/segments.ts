import { isWhiteSpace, type Span } from "./paragraphs.js";

export type Granularity = "sentence" | "word" | "grapheme";

/** `Intl.Segmenter` copies its whole input for each segment: feed it little at a time. */
const FEED = 1024;

/** Whether a break is one is seen from what follows it; this much of a feed is left for that. */
const LOOK_AHEAD = 128;

/**
 * The offsets inside a span at which one sentence, word or grapheme ends and the next begins, in
 * order, the span's own ends excepted; none is inside a grapheme. Linear in the span: each feed
 * begins at the last break of the one before, and where there was none the feed is doubled until
 * the next break is seen.
 */
export function* breaks(
  text: string,
  { start, end }: Span,
  granularity: Granularity,
  locale: string,
): Generator<number> {
  let from = start;
  let length = FEED;
  while (from < end) {
    const to = Math.min(from + length, end);
    const limit = to === end ? end : to - LOOK_AHEAD;
    const isLong = length > FEED;
    let last = from;
    for (const index of breaksOf(text.slice(from, to), granularity, locale)) {
      if (from + index > limit) break;
      last = from + index;
      yield last;
      if (isLong) break;
    }
    if (to === end && !(isLong && last > from)) return;
    length = last > from ? FEED : 2 * length;
    from = last;
  }
}

/** The breaks of a feed that are not inside a grapheme, as not all of sentences and words are. */
function* breaksOf(feed: string, granularity: Granularity, locale: string): Generator<number> {
  const segments = segmenterOf(granularity, locale).segment(feed);
  const graphemes = segmenterOf("grapheme", locale).segment(feed);
  for (const { index } of segments) {
    if (index === 0) continue;
    if (granularity === "grapheme" || graphemes.containing(index)?.index === index) yield index;
  }
}

/** The offset, or the one before it where it would part a surrogate pair. */
export function outsideSurrogatePair(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  const before = text.charCodeAt(offset - 1);
  const inside = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return inside ? offset - 1 : offset;
}

/** The offsets inside a span at which white space ends that carries no combining mark. */
export function* spaces(text: string, { start, end }: Span): Generator<number> {
  for (let i = start + 1; i < end; i++) {
    if (!isWhiteSpace(text.charCodeAt(i - 1)) || isWhiteSpace(text.charCodeAt(i))) continue;
    if (text.charCodeAt(i) < FIRST_MARK || !joins(text.slice(i - 1, i + 2))) yield i;
  }
}

const FIRST_MARK = 0x300;

/** Whether the first two characters are one grapheme. */
function joins(text: string): boolean {
  return segmenterOf("grapheme", "en").segment(text).containing(1)?.index === 0;
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(granularity: Granularity, locale: string): Intl.Segmenter {
  const key = `${granularity} ${locale}`;
  let segmenter = segmenters.get(key);
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter(locale, { granularity });
    segmenters.set(key, segmenter);
  }
  return segmenter;
}
