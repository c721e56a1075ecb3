import type { RootContent } from "mdast";
import { lineStart, nextLine, shallow, skipBlankLines } from "./lines.js";
import { offsetOf, parseBlocks } from "./parser.js";
import { plainEnd, plainStart } from "./plain.js";

interface Size {
  /** UTF-16 units. */
  length: number;
  lines: number;
}

/**
 * The parser's time grows with the square of the lines in lists, so a text is parsed a piece at a
 * time: up to the first plain paragraph behind `LEAST`, else as much as `PIECE`, or up to
 * `LONGEST_LIST` for a list that needs it, and `LARGEST` for another block.
 */
const LEAST = 1024;
const PIECE: Size = { length: 16_384, lines: 128 };
const LONGEST_LIST: Size = { length: 32_768, lines: 256 };
const LARGEST: Size = { length: 32_768, lines: 800 };

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
  /** Whether it is in a block that is larger than any piece. */
  within?: boolean;
}

/** What may be front matter: only such a text is read with it. */
const FRONT_MATTER = /^\uFEFF?(?:---|\+\+\+)/;

/** A paragraph of plain text. */
const PLAIN: RootContent = { type: "paragraph", children: [] };

/**
 * The top-level blocks of a Markdown text. The last block of a piece may go on behind it, so the
 * next piece begins with that block again: a block read from its own beginning is the same. Before
 * each piece there is a pause.
 */
export function* textBlocks(text: string): Generator<TextBlock | undefined> {
  const first = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  let place: Place = { start: first, opening: "" };
  while (place.start < text.length) {
    const { start, opening } = place;
    const end = opening === "" ? plainEnd(text, start) : -1;
    if (end > start) {
      yield { node: PLAIN, start, shift: 0 };
      place = { start: end, opening: "" };
    } else {
      const begins = start === first && FRONT_MATTER.test(text);
      const [blocks, next] = yield* wholeBlocks(text, place, begins);
      yield* blocks;
      place = next;
    }
    if (place.opening === "") place.start = skipBlankLines(text, place.start);
  }
}

/** Of a longer line no more is given to the parser: its beginning says what it is. */
const LONGEST_LINE = 32_768;

/** Where a piece ends, and up to where it is given to the parser. */
interface PieceEnd {
  end: number;
  read: number;
}

/** The ends of the pieces that are tried at a place, each further than the one before. */
function pieceEnds(
  text: string,
  { start, opening, within }: Place,
  begins: boolean,
): [PieceEnd, ...PieceEnd[]] {
  const piece = pieceEnd(text, start, PIECE);
  const largest = pieceEnd(text, start, LARGEST);
  // front matter that has no end in the piece would be none
  if (begins || opening !== "") return [largest];
  if (within === true) return [piece, largest];
  const list = pieceEnd(text, start, LONGEST_LIST);
  const plain = plainStart(text, nextLine(text, start + LEAST), piece.end);
  if (plain < 0) return [piece, list, largest];
  // with its first character: what goes on in it shows that
  return [{ end: plain + 1, read: plain + 1 }, piece, list, largest];
}

/** At the end of a line: of one that is too long, or when there is enough. */
function pieceEnd(text: string, start: number, { length, lines }: Size): PieceEnd {
  let end = start;
  for (let line = 0; line < lines && end < text.length && end - start < length; line++) {
    const next = nextLine(text, end);
    if (next - end > LONGEST_LINE) return { end: next, read: end + LONGEST_LINE };
    end = next;
  }
  return { end, read: end };
}

/** The blocks of the piece at a place that end in it, and where the next piece begins. */
function* wholeBlocks(
  text: string,
  place: Place,
  begins: boolean,
  ends = pieceEnds(text, place, begins),
): Generator<undefined, [TextBlock[], Place]> {
  yield;
  const [{ end, read }, ...further] = ends;
  // a line is not blank because its beginning is
  const part = read < end ? `${text.slice(place.start, read - 1)}x` : text.slice(place.start, end);
  const piece = shallow(place.opening + part);
  const shift = place.start - place.opening.length;
  const blocks = parseBlocks(piece, begins).map((node) => ({
    node,
    start: Math.max(place.start, shift + lineStart(piece, offsetOf(node))),
    shift,
  }));
  const last = blocks.at(-1);
  if (end === text.length || last === undefined) return [blocks, { start: end, opening: "" }];
  if (last.start > place.start) return [blocks.slice(0, -1), { start: last.start, opening: "" }];
  const [next, ...more] = last.node.type === "list" ? further.slice(0, -1) : further;
  if (next !== undefined) return yield* wholeBlocks(text, place, begins, [next, ...more]);
  return [blocks, { ...cutOff(last, piece, end), within: true }];
}

/** Where to go on in a block that is larger than any piece. */
function cutOff({ node, shift, start }: TextBlock, piece: string, end: number): Place {
  const first = lineStart(piece, offsetOf(node));
  const second = nextLine(piece, first);
  switch (node.type) {
    case "list": {
      const item = shift + lineStart(piece, offsetOf(node.children.at(-1) ?? node));
      return { start: item > start ? item : end, opening: "" };
    }
    case "table":
      return { start: end, opening: openingOf(piece, first, nextLine(piece, second)) };
    case "code":
    case "html":
      return { start: end, opening: openingOf(piece, first, second) };
    default:
      return { start: end, opening: "" };
  }
}

function openingOf(piece: string, start: number, end: number): string {
  return end - start > LONGEST_OPENING ? "" : piece.slice(start, end);
}
