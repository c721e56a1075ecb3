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

const FRONT_MATTER = ["yaml", "toml"] as const;

/** The top-level blocks of a Markdown text that begins with `text`, or of one that goes on in it. */
export function parseBlocks(text: string, begins: boolean): RootContent[] {
  const { text: _inline, ...blocks } = gfm();
  const extensions = [blocks, BLOCKS_ONLY];
  // the links that GFM finds in plain text are made by a transform over the whole tree
  const mdastExtensions = gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension);
  if (begins) {
    extensions.push(frontmatter([...FRONT_MATTER]));
    mdastExtensions.push(frontmatterFromMarkdown([...FRONT_MATTER]));
  }
  return fromMarkdown(text, { extensions, mdastExtensions }).children;
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

/** What a reader sees of a heading whose own Markdown is `source`, on one line. */
export function headingText(source: string): string {
  const plain = source.length > LONGEST_HEADING || !MARKS.test(source);
  return (plain ? source : plainText(inline(source)))
    .split(/\s/)
    .filter((word) => word !== "")
    .join(" ");
}

const INLINE = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** Parsed behind a `#`, so that it is a heading again whatever it begins with. */
function inline(source: string): Nodes {
  return fromMarkdown(`# ${source.replaceAll(/[\r\n]/g, " ")}`, INLINE);
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
    default:
      return "children" in node ? node.children.map(plainText).join("") : "";
  }
}
