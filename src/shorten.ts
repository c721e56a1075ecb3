import type { Counted, DivideOptions } from "./divide.js";
import type { Span } from "./paragraphs.js";
import { type Breathe, breaksBeside, outsideSurrogatePair, spacesBeside } from "./segments.js";
import { trim } from "./white-space.js";

/** Cuts a stretch without lines or sentences into equal parts: between words, where there are words. */
export async function* shorten(
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

/** The spans between breaks, which come in lists, without the white space around them. */
export async function* between(
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
