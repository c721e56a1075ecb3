import type { RootContent, Table } from "mdast";
import { lineStart, nextLine, shallow, skipBlankLines } from "./lines.js";
import { parseBlocks } from "./parser.js";

interface Size {
  /** UTF-16 units. */
  length: number;
  lines: number;
}

/**
 * The parser's time grows with the square of the lines in places (lists, lazy lines), so a text is
 * parsed a piece at a time: as much as this, or up to `LARGEST` for a block that needs it.
 */
const PIECE: Size = { length: 16_384, lines: 400 };
const LARGEST: Size = { length: 65_536, lines: 1600 };

/** Longest first line of a fence, or head of a table, that is put before its next share. */
const LONGEST_OPENING = 2000;

const BYTE_ORDER_MARK = 0xfeff;

/** A top-level block of a text, or a share of one that is larger than `LARGEST`. */
export interface TextBlock {
  node: RootContent;
  /** Offset of its first line. */
  start: number;
  /** What to add to an offset in `node` for one in the text. */
  shift: number;
}

/** Where a piece begins, and what of the block around it is put before it. */
interface Place {
  start: number;
  opening: string;
}

/**
 * The top-level blocks of a Markdown text. The last block of a piece may go on behind it, so the
 * next piece begins with that block again: a block read from its own beginning is the same.
 */
export function* textBlocks(text: string): Generator<TextBlock> {
  let place: Place = { start: text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0, opening: "" };
  let begins = true;
  while (place.start < text.length) {
    const [blocks, next] = wholeBlocks(text, place, begins);
    yield* blocks;
    place = next.opening === "" ? { ...next, start: skipBlankLines(text, next.start) } : next;
    begins = false;
  }
}

/** The blocks of the piece at a place that end in it, and where the next piece begins. */
function wholeBlocks(text: string, place: Place, begins: boolean): [TextBlock[], Place] {
  for (const size of [PIECE, LARGEST]) {
    const end = pieceEnd(text, place.start, size);
    const piece = shallow(place.opening + text.slice(place.start, end));
    const shift = place.start - place.opening.length;
    const blocks = parseBlocks(piece, begins).map((node) => ({
      node,
      start: Math.max(place.start, shift + lineStart(piece, startOf(node))),
      shift,
    }));
    const last = blocks.at(-1);
    if (end === text.length || last === undefined) return [blocks, { start: end, opening: "" }];
    if (last.start > place.start) return [blocks.slice(0, -1), { start: last.start, opening: "" }];
    if (size === LARGEST) return [blocks, cutOff(last, piece, end)];
  }
  throw new RangeError(`No piece at ${place.start}`);
}

function pieceEnd(text: string, start: number, { length, lines }: Size): number {
  let end = start;
  for (let line = 0; line < lines && end < text.length && end - start < length; line++)
    end = nextLine(text, end);
  return end;
}

/** Where to go on in a block that is larger than any piece. */
function cutOff({ node, shift, start }: TextBlock, piece: string, end: number): Place {
  switch (node.type) {
    case "list": {
      const item = node.children.at(-1);
      const itemStart = item === undefined ? start : shift + lineStart(piece, startOf(item));
      return { start: itemStart > start ? itemStart : end, opening: "" };
    }
    case "table":
      return { start: end, opening: openingOf(piece, lineStart(piece, startOf(node)), head(node)) };
    case "code":
    case "html": {
      const from = lineStart(piece, startOf(node));
      const indented = node.type === "code" && node.lang === undefined;
      return { start: end, opening: indented ? "" : openingOf(piece, from, nextLine(piece, from)) };
    }
    default:
      return { start: end, opening: "" };
  }
}
