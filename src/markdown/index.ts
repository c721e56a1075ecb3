/**
 * Paragraphs of Markdown. The parser is made of optional peers of the package, so that who has no
 * Markdown installs none; where they are missing, the import fails with the module system's own
 * "Cannot find package":
 *
 * ```sh
 * npm install mdast-util-from-markdown mdast-util-gfm micromark-extension-gfm \
 *   mdast-util-frontmatter micromark-extension-frontmatter
 * ```
 *
 * @module
 */

import { asOurs, type ParagraphFunction } from "../paragraphs.js";
import { withSections } from "../sections.js";
import { markdownBlocks } from "./blocks.js";

/**
 * Cuts a Markdown text (CommonMark, with GFM's tables, task lists and footnotes, and with YAML or
 * TOML front matter) into its blocks, for the splitter's `paragraphs`.
 *
 * A code fence, table, list, quote, HTML block or front matter is one paragraph, with blank lines
 * and all, and has as `parts` its lines, rows, items or blocks: there it is divided when it is
 * longer than `chunkSize`. A table's head and its first row are one part. Link definitions in a row
 * are one paragraph. Headings are one paragraph with the block that follows them (up to its
 * `headingEnd`), and give the `section`: the path of their texts, `"Part One > The Whale"`, without
 * Markdown.
 *
 * Limits, so that the time stays in proportion to the text: a block other than plain prose of more
 * than 32,768 UTF-16 units or 800 lines (a list: 256) comes as several paragraphs; what is nested
 * deeper than 32 quotes or lists in one line is read as text.
 *
 * @example
 * ```ts
 * new LumberChunkerSplitter({ model, paragraphs: markdownParagraphs });
 * ```
 */
export const markdownParagraphs: ParagraphFunction = asOurs((text) =>
  withSections(markdownBlocks(text)),
);
