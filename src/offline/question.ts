import type { BaseMessage } from "@langchain/core/messages";
import type { QuestionParagraph } from "../boundary/question.js";

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
const ID = /^ID (\d{1,15}):/;

/** IDs of one window ascend by 1, or a little more where paragraphs were merged. */
const LARGEST_STEP = 16;

/** A line that begins with `ID <id>:`. */
interface Marker {
  id: number;
  line: number;
  afterBlankLine: boolean;
}

/** A marker as the end of the longest chain to it. */
interface Link {
  marker: Marker;
  length: number;
  previous: Link | undefined;
}

/**
 * Reads the paragraphs of a question: in its last human message that holds any, or else in the last
 * message that does.
 *
 * A paragraph begins with `ID <id>:` at the beginning of a line after a blank line (the first one of
 * a message after any line). A document may hold such lines itself, so only the longest chain counts
 * whose IDs ascend by at most 16 from one to the next, the earlier of equals. Where that leaves
 * fewer than two paragraphs, the same is tried without blank lines. The last paragraph ends at the
 * next blank line: behind it may stand instructions.
 */
export function readQuestion(messages: readonly BaseMessage[]): QuestionParagraph[] {
  const human = messages.filter((message) => message.type === "human");
  for (const candidates of [human, messages]) {
    for (const message of candidates.toReversed()) {
      const paragraphs = readParagraphs(message.text);
      if (paragraphs.length > 0) return paragraphs;
    }
  }
  return [];
}

function readParagraphs(text: string): QuestionParagraph[] {
  const lines = text.split(LINE_END);
  const markers = markersOf(lines);
  const strict = longestChain(markers.filter((marker, i) => i === 0 || marker.afterBlankLine));
  const chain = strict.length > 1 ? strict : longestChain(markers);
  return chain.map(({ id, line }, i) => {
    const end = chain[i + 1]?.line ?? blankLineAfter(lines, line);
    return { id, text: lines.slice(line, end).join("\n").replace(ID, "").trim() };
  });
}

function markersOf(lines: readonly string[]): Marker[] {
  return lines.flatMap((text, line) => {
    const digits = ID.exec(text)?.[1];
    if (digits === undefined) return [];
    return { id: Number(digits), line, afterBlankLine: isBlank(lines[line - 1]) };
  });
}

/** The longest chain of markers, in order, whose IDs ascend in small steps. */
function longestChain(markers: readonly Marker[]): Marker[] {
  const links = new Map<number, Link>();
  let best: Link | undefined;
  for (const marker of markers) {
    const previous = longestBefore(links, marker.id);
    const link = { marker, previous, length: 1 + (previous?.length ?? 0) };
    if (link.length > (links.get(marker.id)?.length ?? 0)) links.set(marker.id, link);
    if (link.length > (best?.length ?? 0)) best = link;
  }
  const chain: Marker[] = [];
  for (let link = best; link !== undefined; link = link.previous) chain.push(link.marker);
  return chain.reverse();
}

function longestBefore(links: ReadonlyMap<number, Link>, id: number): Link | undefined {
  let longest: Link | undefined;
  for (let step = 1; step <= LARGEST_STEP; step++) {
    const link = links.get(id - step);
    if (link !== undefined && link.length > (longest?.length ?? 0)) longest = link;
  }
  return longest;
}

function blankLineAfter(lines: readonly string[], line: number): number {
  const end = lines.findIndex((text, i) => i > line && isBlank(text));
  return end < 0 ? lines.length : end;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}
