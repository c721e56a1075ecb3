import type { RootContent } from "mdast";
import type { Span } from "../paragraphs.js";
import { type Block, type Heading, spansBetween } from "../sections.js";
import { isBlank, trim } from "../white-space.js";
import { Definitions } from "./definitions.js";
import { lineStart, nextLine } from "./lines.js";
import { headingText, offsetOf } from "./parser.js";
import { type TextBlock, textBlocks } from "./pieces.js";

/** The blocks of a Markdown text, in order, each up to where the next begins. */
export function* markdownBlocks(text: string): Generator<Block | undefined> {
  const definitions = new Definitions(text);
  let open: TextBlock[] = [];
  for (const block of textBlocks(text)) {
    if (block === undefined) {
      yield;
      continue;
    }
    if (open.length > 0 && !(isDefinition(open[0]) && isDefinition(block))) {
      yield* blockOf(text, open, block.start, definitions);
      open = [];
    }
    open.push(block);
  }
  yield* blockOf(text, open, text.length, definitions);
}

function isDefinition(block: TextBlock | undefined): boolean {
  return block?.node.type === "definition";
}

/** One block, or several definitions of links in a row. */
function* blockOf(
  text: string,
  run: readonly TextBlock[],
  to: number,
  definitions: Definitions,
): Generator<Block> {
  const [first] = run;
  if (first === undefined || isBlank(text, first.start, to)) return;
  const trimmed = trim(text, { start: first.start, end: to });
  const start = first.node.type === "code" ? first.start : trimmed.start;
  const span = { start, end: trimmed.end };
  const starts = run.length > 1 ? run.map((block) => block.start) : partStarts(text, first, span);
  const parts = starts && spansBetween(text, starts, span.end);
  const heading = headingOf(text, first, definitions);
  yield { ...span, ...(parts && { parts }), ...(heading && { heading }) };
}

function headingOf(
  text: string,
  { node, shift }: TextBlock,
  definitions: Definitions,
): Heading | undefined {
  if (node.type !== "heading") return undefined;
  const from = node.children[0]?.position?.start.offset ?? 0;
  const to = node.children.at(-1)?.position?.end.offset ?? from;
  const source = text.slice(shift + from, shift + to);
  return { level: node.depth, text: headingText(source, definitions.labelsIn(source)) };
}

/** Where the parts of a block begin, its own start first; nothing for prose. */
function partStarts(text: string, block: TextBlock, { start, end }: Span): number[] | undefined {
  const places = partLines(text, block, { start, end });
  return places && [start, ...places.filter((place) => place > start && place < end)];
}

function partLines(text: string, { node, shift }: TextBlock, span: Span): number[] | undefined {
  const lineOf = (child: RootContent) => lineStart(text, shift + offsetOf(child));
  switch (node.type) {
    case "code":
    case "html":
    case "yaml":
      return linesOf(text, span);
    case "list":
    case "blockquote":
    case "footnoteDefinition":
      return node.children.map(lineOf);
    case "table":
      // the first row stays with its head
      return node.children.slice(2).map(lineOf);
    default:
      return undefined;
  }
}

function linesOf(text: string, { start, end }: Span): number[] {
  const starts: number[] = [];
  for (let line = start; line < end; line = nextLine(text, line)) starts.push(line);
  return starts;
}
