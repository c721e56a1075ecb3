import type { Span } from "./paragraphs.js";

/** White space as `\s` has it. */
export function isWhiteSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x1680) return code === 0xa0;
  return (
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x1680 ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** A span without the white space at its ends that no grapheme holds; empty when there is no more. */
export function trim(text: string, { start, end }: Span): Span {
  const from = skipWhiteSpace(text, start, end);
  return { start: from, end: trimEnd(text, { start: from, end }) };
}

/** Where a span ends without the white space at its end. */
export function trimEnd(text: string, { start, end }: Span): number {
  let to = end;
  while (to > start && isWhiteSpace(text.charCodeAt(to - 1)) && !isJoined(text, to - 1)) to--;
  return to;
}

/** The first character that is not white space, or is white space that a combining mark stands on. */
export function skipWhiteSpace(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isWhiteSpace(text.charCodeAt(at)) && !carriesMark(text, at)) at++;
  return at;
}

export function isBlank(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!isWhiteSpace(text.charCodeAt(i))) return false;
  return true;
}

const FIRST_MARK = 0x300;

/** All that may stand on what is before it, and a few more; to ask the segmenter is slow. */
const MAY_MARK = /^(?:[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\u0e33\u0eb3]|\u200d)/u;

/** Whether the white space at an offset is one grapheme with a mark behind it. */
export function carriesMark(text: string, at: number): boolean {
  if (text.charCodeAt(at + 1) < FIRST_MARK || isControl(text.charCodeAt(at))) return false;
  return MAY_MARK.test(text.slice(at + 1, at + 3)) && isOneGrapheme(text, at, at + 1);
}

/** Whether the white space at an offset is one grapheme with a sign before it (U+06DD). */
function isJoined(text: string, at: number): boolean {
  if (!mayJoin(text.charCodeAt(at - 1)) || isControl(text.charCodeAt(at))) return false;
  return isOneGrapheme(text, at - 1, at);
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Whether a character and the one behind it are one grapheme; `from` may be its low surrogate. */
function isOneGrapheme(text: string, from: number, to: number): boolean {
  const start = Math.max(from - 1, 0);
  return graphemes.segment(text.slice(start, to + 2)).containing(to - start)?.index !== to - start;
}

/** Whether a code is where scripts have signs that join what follows; to ask is slow. */
function mayJoin(code: number): boolean {
  return (code >= 0x600 && code < 0xe00) || (code >= 0xdc00 && code < 0xe000);
}

/** What no grapheme holds beside something else. */
function isControl(code: number): boolean {
  return code < 0x20 || code === 0x2028 || code === 0x2029 || code === 0xfeff;
}
