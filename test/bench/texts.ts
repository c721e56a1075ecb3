import { Document } from "@langchain/core/documents";
import { mobyDick } from "../helpers/books.js";
import { hash } from "../helpers/texts.js";

const WORDS = ["whale", "harbour", "of", "the", "captain", "spoke", "and", "slowly", "again"];

let novel: string[] | undefined;

/** As many paragraphs of Moby Dick as are wanted, drawn in no order. */
export function prose(paragraphs: number, seed = 0): string {
  novel ??= mobyDick();
  const { length } = novel;
  return Array.from(
    { length: paragraphs },
    (_, i) => novel?.[Math.floor(length * hash(`paragraph ${i}`, seed))],
  ).join("\n\n");
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
