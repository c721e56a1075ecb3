import type { Paragraph, Span } from "./paragraphs.js";
import type { Paced } from "./pauses.js";
import { isBlank, trimEnd } from "./white-space.js";

/** A heading: 1 is the outermost level. */
export interface Heading {
  level: number;
  text: string;
}

/** A stretch of a text that may be a heading. */
export interface Block extends Span {
  heading?: Heading;
  /** Where it is best divided when it is too long; one that has parts is kept whole while it fits. */
  parts?: readonly Span[];
}

interface HeadingBlock extends Block {
  heading: Heading;
}

/**
 * Puts each heading together with what follows it, so that no cut comes between them, and names the
 * section of each paragraph. A heading and those of the sections under it that follow at once are
 * one paragraph with the block behind the last of them. Where its section ends without a block,
 * they are a paragraph of their own.
 */
export function* withSections(blocks: Paced<Block>): Generator<Paragraph | undefined> {
  const path: Heading[] = [];
  let headings: HeadingBlock[] = [];
  for (const block of blocks) {
    if (block === undefined) yield;
    else if (isHeading(block)) {
      if (headings.length > 0 && levelOf(path.at(-1)) >= block.heading.level) {
        yield { ...merged(headings), section: sectionOf(path) };
        headings = [];
      }
      enter(path, block.heading);
      headings.push(block);
    } else {
      yield { ...merged(headings, block), section: sectionOf(path) };
      headings = [];
    }
  }
  if (headings.length > 0) yield { ...merged(headings), section: sectionOf(path) };
}

function isHeading(block: Block): block is HeadingBlock {
  return block.heading !== undefined;
}

/** Leaves the sections that a heading ends, and enters its own. */
export function enter(path: Heading[], heading: Heading): void {
  while (levelOf(path.at(-1)) >= heading.level) path.pop();
  path.push(heading);
}

/** The path of headings as it stands in the metadata: `"Part One > The Whale"`. */
export function sectionOf(path: readonly Heading[]): string {
  return path
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join(" > ");
}

function merged(headings: readonly HeadingBlock[], body?: Block): Paragraph {
  const spans = [...headings, ...(body === undefined ? [] : [body])];
  const start = spans[0]?.start ?? 0;
  const end = spans.at(-1)?.end ?? start;
  const headingEnd = headings.at(-1)?.end;
  const parts = partsOf(headings, body);
  return {
    start,
    end,
    startsSection: headings.length > 0,
    ...(headingEnd !== undefined && { headingEnd }),
    ...(parts && { parts }),
  };
}

/** Of prose, which has no parts, none. */
function partsOf(headings: readonly HeadingBlock[], body?: Block): Span[] | undefined {
  const parts = body === undefined ? [] : body.parts;
  return parts && [...headings, ...parts].map(span);
}

/** 0 outside of all. */
function levelOf(heading: Heading | undefined): number {
  return heading?.level ?? 0;
}

function span({ start, end }: Span): Span {
  return { start, end };
}

/** The stretches from each start to the next, without blank ones and white space at the ends. */
export function spansBetween(text: string, starts: readonly number[], end: number): Span[] {
  const spans: Span[] = [];
  for (const [i, start] of starts.entries()) {
    const to = starts[i + 1] ?? end;
    if (!isBlank(text, start, to)) spans.push({ start, end: trimEnd(text, { start, end: to }) });
  }
  return spans;
}
