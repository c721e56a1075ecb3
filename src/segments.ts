import type { Span } from "./paragraphs.js";
import { carriesMark, isWhiteSpace } from "./white-space.js";

export type Granularity = "sentence" | "word" | "grapheme";

/** Leaves the event loop to others when it is time. */
export type Breathe = () => Promise<void> | undefined;

/** `Intl.Segmenter` copies its whole input for each segment: feed it little at a time. */
const FEED = 1024;

/** Longest feed, and how much of it the next one sees again where there is no break in it. */
const LONGEST_FEED = 32 * FEED;
const CONTEXT = 8 * FEED;

/** Whether a break is one is seen from what follows it; this much of a feed is left for that. */
const LOOK_AHEAD = 128;

/**
 * A piece of a text that is searched for breaks. Each begins at a break that the one before has
 * found; where it found none, feeds grow, and then move on. So the search is linear, and all that
 * decides whether a break is one is seen, but for what is further before it than `CONTEXT`.
 */
class Feed {
  /** No break up to here is news. */
  seen: number;
  #length = FEED;

  /** @param from a break, or where the text begins that is searched. */
  constructor(
    private readonly text: string,
    private readonly end: number,
    public from: number,
  ) {
    this.seen = from;
  }

  get isLong(): boolean {
    return this.#length > FEED;
  }

  get isLast(): boolean {
    return this.#to === this.end;
  }

  /** No break behind this is certain. */
  get limit(): number {
    return this.isLast ? this.end : this.#to - LOOK_AHEAD;
  }

  segments(granularity: Granularity, locale: string): Segments {
    return new Segments(this.text.slice(this.from, this.#to), granularity, locale);
  }

  /** Goes on at the last break that was found. */
  next(found: number | undefined): void {
    if (found !== undefined) {
      this.from = found;
      this.seen = found;
      this.#length = FEED;
    } else if (this.#length < LONGEST_FEED) this.#length *= 2;
    else {
      this.seen = this.limit;
      this.from = this.#to - CONTEXT;
    }
  }

  get #to(): number {
    return Math.min(this.from + this.#length, this.end);
  }
}

/** Segments whose ends are not inside a grapheme, as not all of sentences and words are. */
class Segments {
  readonly #segments: Intl.Segments;
  readonly #graphemes: Intl.Segments | undefined;

  constructor(
    private readonly text: string,
    granularity: Granularity,
    locale: string,
  ) {
    this.#segments = segmenterOf(granularity, locale).segment(text);
    if (granularity !== "grapheme") this.#graphemes = segmenterOf("grapheme", locale).segment(text);
  }

  /** Where one ends and the next begins. */
  *breaks(): Generator<number> {
    for (const { index } of this.#segments) if (index > 0 && this.#parts(index)) yield index;
  }

  /** Where the one begins and ends that an offset is in. */
  around(offset: number): [number, number] {
    let [start, end] = this.#around(offset);
    while (start > 0 && !this.#parts(start)) [start] = this.#around(start - 1);
    while (end < this.text.length && !this.#parts(end)) [, end] = this.#around(end);
    return [start, end];
  }

  #around(offset: number): [number, number] {
    const found = this.#segments.containing(offset);
    if (found === undefined) throw new RangeError(`No offset ${offset} in a feed`);
    return [found.index, found.index + found.segment.length];
  }

  #parts(index: number): boolean {
    return this.#graphemes === undefined || this.#graphemes.containing(index)?.index === index;
  }
}

/**
 * The offsets inside a span at which one sentence, word or grapheme ends and the next begins, in
 * order, the span's own ends excepted; none is inside a grapheme. They come in lists, one for each
 * feed, so that others get their turn while no break is in sight.
 */
export function* breaks(
  text: string,
  { start, end }: Span,
  granularity: Granularity,
  locale: string,
): Generator<readonly number[]> {
  for (const feed = new Feed(text, end, start); feed.from < end; ) {
    const { from, seen, limit, isLong } = feed;
    const found: number[] = [];
    for (const index of feed.segments(granularity, locale).breaks()) {
      if (from + index > limit || (isLong && found.length > 0)) break;
      if (from + index > seen) found.push(from + index);
    }
    yield found;
    const last = found.at(-1);
    if (feed.isLast && !(isLong && last !== undefined)) return;
    feed.next(last);
  }
}

/**
 * The last break up to a place and the first behind it, as {@link breaks} finds them; the span's
 * ends where there is none.
 */
export async function breaksBeside(
  text: string,
  { start, end }: Span,
  place: number,
  granularity: Granularity,
  locale: string,
  breathe: Breathe,
): Promise<[number, number]> {
  let before = start;
  for (const feed = new Feed(text, end, start); ; await breathe()) {
    const { from, seen, limit, isLast } = feed;
    const at = Math.max(Math.min(place, limit, end - 1), seen);
    const [last, next] = feed.segments(granularity, locale).around(at - from);
    const found = from + last > seen ? from + last : undefined;
    const after = from + next;
    before = found ?? before;
    if (isLast || (place <= limit && after <= limit)) return [before, after];
    feed.next(found);
  }
}

/** The offset, or the one before it where it would part a surrogate pair. */
export function outsideSurrogatePair(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  const before = text.charCodeAt(offset - 1);
  const inside = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return inside ? offset - 1 : offset;
}

/**
 * The last offset up to a place, and the first behind it, at which white space ends that carries no
 * combining mark; the span's ends where there is none.
 */
export async function spacesBeside(
  text: string,
  { start, end }: Span,
  place: number,
  breathe: Breathe,
): Promise<[number, number]> {
  const at = Math.min(place, end - 1);
  return [
    await seekSpace(text, at, start, -1, breathe),
    await seekSpace(text, at + 1, end, 1, breathe),
  ];
}

/** UTF-16 units that are searched for white space in one go. */
const STRETCH = 65_536;

async function seekSpace(
  text: string,
  from: number,
  to: number,
  step: 1 | -1,
  breathe: Breathe,
): Promise<number> {
  for (let i = from; i !== to; i += step) {
    if (endsSpace(text, i)) return i;
    if (i % STRETCH === 0) await breathe();
  }
  return to;
}

function endsSpace(text: string, i: number): boolean {
  if (!isWhiteSpace(text.charCodeAt(i - 1)) || isWhiteSpace(text.charCodeAt(i))) return false;
  return !carriesMark(text, i - 1);
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
