import { isWhiteSpace, type Span } from "./paragraphs.js";

export type Granularity = "sentence" | "word" | "grapheme";

/** `Intl.Segmenter` copies its whole input for each segment: feed it little at a time. */
const FEED = 1024;

/** Whether a break is one is seen from what follows it; this much of a feed is left for that. */
const LOOK_AHEAD = 128;

/**
 * The offsets inside a span at which one sentence, word or grapheme ends and the next begins, in
 * order, the span's own ends excepted. Linear in the span: each feed begins at the last break of
 * the one before, and a segment longer than a feed is followed through the feeds.
 */
export function* breaks(
  text: string,
  { start, end }: Span,
  granularity: Granularity,
  locale: string,
): Generator<number> {
  const segmenter = segmenterOf(granularity, locale);
  let from = start;
  while (from < end) {
    const to = Math.min(from + FEED, end);
    const limit = to === end ? end : outsideSurrogatePair(text, to - LOOK_AHEAD);
    let last = from;
    for (const { index } of segmenter.segment(text.slice(from, to))) {
      const at = from + index;
      if (at > limit) break;
      if (at > from) yield at;
      last = at;
    }
    if (to === end) return;
    from = last > from ? last : limit;
  }
}

/** The offset, or the one before it where it would part a surrogate pair. */
export function outsideSurrogatePair(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  const before = text.charCodeAt(offset - 1);
  const inside = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return inside ? offset - 1 : offset;
}

/** The offsets inside a span at which white space ends. */
export function* spaces(text: string, { start, end }: Span): Generator<number> {
  for (let i = start + 1; i < end; i++) {
    if (isWhiteSpace(text.charCodeAt(i - 1)) && !isWhiteSpace(text.charCodeAt(i))) yield i;
  }
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
