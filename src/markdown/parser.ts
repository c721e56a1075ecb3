import type { Nodes, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";

/** What stands inside a block says nothing about where blocks begin, and costs most of the time. */
const BLOCKS_ONLY = {
  disable: {
    null: [
      "attention",
      "autolink",
      "characterEscape",
      "characterReference",
      "codeText",
      "hardBreakEscape",
      "htmlText",
      "labelEnd",
      "labelStartImage",
      "labelStartLink",
    ],
  },
};

const FRONT_MATTER: ("yaml" | "toml")[] = ["yaml", "toml"];

const { text: _inline, ...gfmBlocks } = gfm();

const BLOCKS = {
  extensions: [gfmBlocks, BLOCKS_ONLY],
  // the links that GFM finds in plain text are made by a transform over the whole tree
  mdastExtensions: gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension),
};

const FIRST_BLOCKS = {
  extensions: [...BLOCKS.extensions, frontmatter(FRONT_MATTER)],
  mdastExtensions: [...BLOCKS.mdastExtensions, frontmatterFromMarkdown(FRONT_MATTER)],
};

/** The top-level blocks of a Markdown text that begins with `text`, or of one that goes on in it. */
export function parseBlocks(text: string, begins: boolean): RootContent[] {
  return fromMarkdown(text, begins ? FIRST_BLOCKS : BLOCKS).children;
}

/** Where a node begins in the text that was parsed. */
export function offsetOf(node: Nodes): number {
  const offset = node.position?.start.offset;
  if (offset === undefined) throw new TypeError(`A parsed node without a position: ${node.type}`);
  return offset;
}

/** Longest heading whose inline Markdown is read, in UTF-16 units. */
const LONGEST_HEADING = 1000;

/** Where there is none of these, there is no inline Markdown. */
const MARKS = /[!&*:<>@[\\\]_`~]/;

/**
 * What a reader sees of a heading whose own Markdown is `source`, on one line. `labels` are those in
 * it that are defined elsewhere in the text.
 */
export function headingText(source: string, labels: readonly string[]): string {
  const plain = source.length > LONGEST_HEADING || !MARKS.test(source);
  return (plain ? source : plainText(inline(source, labels)))
    .split(/\s/)
    .filter((word) => word !== "")
    .join(" ");
}

const INLINE = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** Parsed behind a `#`, so that it is a heading again whatever it begins with. */
function inline(source: string, labels: readonly string[]): Nodes {
  const heading = `# ${source.replaceAll(/[\r\n]/g, " ")}`;
  const definitions = labels.map((label) => `[${label.replaceAll(/[\r\n]/g, " ")}]: #`);
  const { children } = fromMarkdown([heading, ...definitions].join("\n\n"), INLINE);
  return children[0] ?? { type: "text", value: source };
}

function plainText(node: Nodes): string {
  switch (node.type) {
    case "text":
    case "inlineCode":
      return node.value;
    case "image":
    case "imageReference":
      return node.alt ?? "";
    case "break":
      return " ";
    case "html":
      return /^<br\b/i.test(node.value) ? " " : "";
    default:
      return "children" in node ? node.children.map(plainText).join("") : "";
  }
}
