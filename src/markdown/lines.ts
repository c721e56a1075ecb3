const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** Line ends as Markdown has them: LF, CRLF and CR. */
function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}

function isIndent(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** Where the line begins that holds an offset. */
export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** Where the next line begins; the text's length behind the last. */
export function nextLine(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1;
  if (text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF) at += 1;
  return Math.min(at + 1, text.length);
}

/** Whether there are spaces and tabs only in the line that begins at an offset. */
export function isBlankLine(text: string, line: number): boolean {
  const at = skipIndent(text, line);
  return at >= text.length || isLineEnd(text.charCodeAt(at));
}

/** The first line that is not blank, from the line that begins at an offset. */
export function skipBlankLines(text: string, offset: number): number {
  let line = offset;
  for (let i = offset; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isLineEnd(code)) line = i + 1;
    else if (!isIndent(code)) return line;
  }
  return text.length;
}

/** Markers of quotes and list items that are read at the beginning of one line. */
const DEEPEST = 32;

/**
 * A text of the same length and the same lines for the parser, in which what is nested deeper than
 * `DEEPEST` is plain text: the parser calls itself once a level, and 10,000 levels are too many.
 */
export function shallow(text: string): string {
  let read = "";
  let from = 0;
  for (let line = 0; line < text.length; line = nextLine(text, line)) {
    const deep = tooDeep(text, line);
    if (deep < 0 || isRule(text, line)) continue;
    read += `${text.slice(from, deep)}x`;
    from = deep + 1;
  }
  return read + text.slice(from);
}

/** Where the first marker of a line stands that is nested too deep, or -1. */
function tooDeep(text: string, line: number): number {
  let at = skipIndent(text, line);
  for (let markers = 0; ; markers++) {
    const length = markerLength(text, at);
    if (length === 0) return -1;
    if (markers === DEEPEST) return at;
    at = skipIndent(text, at + length);
  }
}

function skipIndent(text: string, offset: number): number {
  let at = offset;
  while (isIndent(text.charCodeAt(at))) at += 1;
  return at;
}

/** Length of the marker of a quote (`>`) or a list item (`-`, `1.`) at an offset, 0 for none. */
function markerLength(text: string, at: number): number {
  const mark = text.charAt(at);
  if (mark === ">") return 1;
  if (mark === "-" || mark === "+" || mark === "*") return endsMarker(text, at + 1) ? 1 : 0;
  let digits = 0;
  while (digits < 10 && isDigit(text.charCodeAt(at + digits))) digits += 1;
  const dot = text.charAt(at + digits);
  const numbered = digits > 0 && (dot === "." || dot === ")") && endsMarker(text, at + digits + 1);
  return numbered ? digits + 1 : 0;
}

function endsMarker(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || isIndent(code) || isLineEnd(code);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Whether a line is a thematic break: one mark, again and again. */
function isRule(text: string, line: number): boolean {
  const start = skipIndent(text, line);
  const mark = text.charAt(start);
  if (mark !== "-" && mark !== "*") return false;
  for (let at = start; at < text.length && !isLineEnd(text.charCodeAt(at)); at++)
    if (text.charAt(at) !== mark && !isIndent(text.charCodeAt(at))) return false;
  return true;
}
