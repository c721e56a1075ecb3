import { LumberChunkerSplitter } from "../../src/splitter.js";
import { type Choose, characters, decider, fewTurns, STEADY } from "./decider.js";
import type { Table } from "./table.js";
import { equalParagraphs, logLines, tableRows } from "./texts.js";

const TEXTS: Record<string, string> = {
  "6,000 equal paragraphs": equalParagraphs(6000),
  "6,000 rows of a table": tableRows(6000),
  "6,000 lines of a log": logLines(6000),
};

async function calls(text: string, choose: Choose, maxConcurrency: number): Promise<number> {
  const run = decider(choose, maxConcurrency > 1 ? fewTurns : undefined);
  const splitter = new LumberChunkerSplitter({
    boundaryChain: run.chain,
    lengthFunction: characters,
    maxConcurrency,
  });
  await splitter.splitText(text);
  return run.calls;
}

/** Calls on texts on which walks don't join. */
export async function waste(): Promise<Table> {
  const rows: Table["rows"] = [];
  for (const [name, text] of Object.entries(TEXTS)) {
    for (const [answer, choose] of Object.entries(STEADY)) {
      const one = await calls(text, choose, 1);
      const row: Table["rows"][number] = { text: name, answer, "1 at once": one };
      for (const maxConcurrency of [8, 32]) {
        const many = await calls(text, choose, maxConcurrency);
        row[`${maxConcurrency} at once`] = many;
        row[`of limit at ${maxConcurrency}`] = (many / (1.25 * one + maxConcurrency)).toFixed(2);
      }
      rows.push(row);
    }
  }
  return {
    title: "Where walks don't join",
    about:
      "Calls by what is always answered; the limit is 1.25 × the calls of one at a time + the number at once; answers come in random order.",
    rows,
  };
}
