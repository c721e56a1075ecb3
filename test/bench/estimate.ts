import { Document } from "@langchain/core/documents";
import { createBoundaryChain } from "../../src/boundary/chain.js";
import { LexicalCohesionChatModel } from "../../src/offline/model.js";
import type { LumberChunkerSplitterParams } from "../../src/params.js";
import { LumberChunkerSplitter } from "../../src/splitter.js";
import { emma, hasEmma, mobyDick } from "../helpers/books.js";
import { byHash, characters, decider, STEADY } from "./decider.js";
import { percent, type Table } from "./table.js";

type Deciding = Pick<LumberChunkerSplitterParams, "model" | "boundaryChain">;

const DECIDERS: Record<string, () => Deciding> = {
  "hash of the first ID": () => ({ boundaryChain: decider(byHash()).chain }),
  "lexical cohesion": () => ({
    boundaryChain: createBoundaryChain(new LexicalCohesionChatModel()),
  }),
  ...Object.fromEntries(
    Object.entries(STEADY).map(([name, choose]) => [
      `always ${name}`,
      () => ({ boundaryChain: decider(choose).chain }),
    ]),
  ),
};

/** What `estimate` says beside what a run then takes. */
export async function estimate(): Promise<Table> {
  const books: Record<string, string[]> = {
    ...(hasEmma && { Emma: emma() }),
    "Moby Dick": mobyDick(),
  };
  const rows: Table["rows"] = [];
  for (const [book, paragraphs] of Object.entries(books)) {
    for (const [name, deciding] of Object.entries(DECIDERS)) {
      let calls = 0;
      const splitter = new LumberChunkerSplitter({
        ...deciding(),
        lengthFunction: characters,
        onProgress: (progress) => {
          calls = progress.calls;
        },
      });
      const documents = [new Document({ pageContent: paragraphs.join("\n\n"), metadata: {} })];
      const { min, expected, max } = (await splitter.estimate(documents)).calls;
      await splitter.splitDocuments(documents);
      rows.push({
        book,
        decider: name,
        least: min,
        expected: expected.toFixed(0),
        most: max,
        truth: calls,
        inside: min <= calls && calls <= max ? "yes" : "no",
        "expected by truth": percent(expected / calls - 1),
      });
    }
  }
  return {
    title: "The estimate",
    about:
      "Calls that estimate() tells before a run, beside the calls of the run, 8 at once; 4 characters a token.",
    rows,
  };
}
