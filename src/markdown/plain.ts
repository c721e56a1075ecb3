import { isWhiteSpace } from "../white-space.js";
import { isBlankLine, nextLine } from "./lines.js";

/** What a line may begin with that is no text, or that makes more of the line before. */
const MARKS = new Set([..."#>-+*_=`~<[|:0123456789"].map((mark) => mark.charCodeAt(0)));

/** Whether a line that begins so is text wherever it stands, but for code and HTML around it. */
function beginsPlain(code: number): boolean {
  return code > 0x20 && !MARKS.has(code) && !isWhiteSpace(code);
}

/**
 * Where a paragraph ends that begins at a line, if all its lines are plain text: then it needs no
 * parser. -1 where they are not.
 */
export function plainEnd(text: string, line: number): number {
  let at = line;
  while (at < text.length && !isBlankLine(text, at)) {
    if (!beginsPlain(text.charCodeAt(at))) return -1;
    at = nextLine(text, at);
  }
  return at;
}

/**
 * The first line from one on, up to an end, that begins a plain paragraph behind a blank line: what
 * stands before it goes on in it only where it is code or HTML. -1 where there is none.
 */
export function plainStart(text: string, line: number, end: number): number {
  let behindBlank = false;
  for (let at = line; at < end; at = nextLine(text, at)) {
    if (behindBlank && beginsPlain(text.charCodeAt(at))) return at;
    behindBlank = isBlankLine(text, at);
  }
  return -1;
}
