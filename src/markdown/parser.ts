import type { Heading, Nodes, RootContent } from "mdast";
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

/** Longest heading whose inline Markdown is read, in UTF-16 units. */
const LONGEST_HEADING = 1000;

/** What a reader sees of a heading, on one line. */
export function headingText(text: string, heading: Heading): string {
  const from = heading.children[0]?.position?.start.offset ?? 0;
  const to = heading.children.at(-1)?.position?.end.offset ?? from;
  const source = text.slice(from, to);
  return (source.length > LONGEST_HEADING ? source : plainText(inline(source)))
    .split(/\s/)
    .filter((word) => word !== "")
    .join(" ");
}

/** Parsed behind a `#`, so that it is a heading again whatever it begins with. */
function inline(source: string): Nodes {
  return fromMarkdown(`# ${source.replaceAll(/[\r\n]/g, " ")}`, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
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
