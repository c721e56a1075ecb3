import { Document } from "@langchain/core/documents";
import { hash } from "../helpers/texts.js";

const WORDS = ["whale", "harbour", "of", "the", "captain", "spoke", "and", "slowly", "again"];

/** Paragraphs of 4 to 150 words, short ones being more frequent, as those of a novel are. */
export function prose(paragraphs: number, seed = 0): string {
  return Array.from({ length: paragraphs }, (_, i) => {
    const words = 4 + Math.floor(146 * hash(`length ${i}`, seed) ** 2);
    return `${Array.from({ length: words }, (_, word) => WORDS[(i + word) % WORDS.length]).join(" ")}.`;
  }).join("\n\n");
}

export function equalParagraphs(paragraphs: number): string {
  const words = Array.from({ length: 54 }, (_, i) => WORDS[i % WORDS.length]).join(" ");
  return Array.from({ length: paragraphs }, () => words).join("\n\n");
}

/** Rows of a table whose cells differ in length by a little. */
export function tableRows(rows: number): string {
  return Array.from({ length: rows }, (_, i) => {
    const price = (1000 * hash(`price ${i}`)).toFixed(2);
    return `| ${String(i).padStart(6, "0")} | ${WORDS[i % WORDS.length]} | ${price} | EUR |`;
  }).join("\n");
}

/** Lines of a log; now and then a longer one. */
export function logLines(lines: number): string {
  return Array.from({ length: lines }, (_, i) => {
    const time = new Date(1_700_000_000_000 + 700 * i).toISOString();
    const odd = hash(`line ${i}`) < 0.02 ? ` ${WORDS.join("-")}`.repeat(3) : "";
    return `${time} INFO request ${1000 + i} done in ${Math.floor(90 * hash(`ms ${i}`))} ms${odd}`;
  }).join("\n");
}

/** Documents of prose, from a tenth of the longest to the longest, in no order. */
export function documentsOf(count: number, longest: number): Document[] {
  return Array.from({ length: count }, (_, i) => {
    const paragraphs = Math.ceil(longest * (0.1 + 0.9 * hash(`document ${i}`)));
    return new Document({ pageContent: prose(paragraphs, i), metadata: {} });
  });
}
