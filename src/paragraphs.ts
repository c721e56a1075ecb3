/** A stretch of a text: UTF-16 offsets, 0-based, `end` exclusive. */
export interface Span {
  start: number;
  end: number;
}

/**
 * A paragraph as a {@link ParagraphFunction} returns it.
 *
 * `section` is the path of headings that the paragraph stands under (`"Part One > The Whale"`,
 * default `""`); `startsSection` marks the first paragraph of a section. `parts` are the places
 * where the paragraph is best divided when it is longer than `chunkSize` (rows of a table, items of
 * a list): spans inside the paragraph, in order, with white space only between them.
 */
export interface Paragraph extends Span {
  section?: string;
  startsSection?: boolean;
  parts?: readonly Span[];
}

/** Cuts a text into paragraphs, in order; only white space may lie between them. */
export type ParagraphFunction = (text: string) => Iterable<Paragraph>;
