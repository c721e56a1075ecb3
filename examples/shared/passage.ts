import type { DocumentInterface } from "@langchain/core/documents";

const WIDTH = 76;

/** Where a chunk stands in the novel. */
export function placeOf({ metadata }: DocumentInterface): string {
  const { chapter, title, paragraphFrom: from, paragraphTo: to } = metadata;
  const paragraphs = from === to ? `paragraph ${from}` : `paragraphs ${from}-${to}`;
  return `chapter ${chapter} (${title}), ${paragraphs}`;
}

/** The beginning of a text, in lines of a terminal's width. */
export function excerptOf(text: string, lines = 3, indent = "    "): string {
  const rows: string[] = [""];
  for (const word of text.split(/\s+/)) {
    const row = rows.at(-1)!;
    if (row.length + word.length + indent.length >= WIDTH) rows.push(word);
    else rows[rows.length - 1] = row === "" ? word : `${row} ${word}`;
  }
  const shown = rows.slice(0, lines).map((row) => indent + row);
  return shown.join("\n") + (rows.length > lines ? " ..." : "");
}
