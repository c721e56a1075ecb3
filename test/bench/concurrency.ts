import { Document } from "@langchain/core/documents";
import { LumberChunkerSplitter } from "../../src/splitter.js";
import { emma, hasEmma } from "../helpers/books.js";
import { aboutFortyMilliseconds, byHash, characters, type Decider, decider } from "./decider.js";
import { median, percent, type Table } from "./table.js";
import { documentsOf, prose } from "./texts.js";

interface Timed extends Decider {
  time: number;
}

async function split(documents: Document[], run: Decider, maxConcurrency: number): Promise<Timed> {
  const splitter = new LumberChunkerSplitter({
    boundaryChain: run.chain,
    lengthFunction: characters,
    maxConcurrency,
  });
  const begun = performance.now();
  await splitter.splitDocuments(documents);
  return Object.assign(run, { time: performance.now() - begun });
}

/** Questions of one at a time, and the milliseconds that they take with the latency of a run. */
async function alone(documents: Document[], seed: number, { waited, calls }: Decider) {
  const one = await split(documents, decider(byHash(seed)), 1);
  return { calls: one.calls, time: (one.calls * waited) / calls };
}

const ABOUT = "the answers take 40 ms ± 50 %; 4 characters a token; median of seeds";

async function speedUp(
  name: string,
  documents: Document[],
  maxConcurrency: number,
  seeds: number,
): Promise<Table["rows"][number]> {
  const times: number[] = [];
  const faster: number[] = [];
  const more: number[] = [];
  for (let seed = 0; seed < seeds; seed++) {
    const run = await split(
      documents,
      decider(byHash(seed), aboutFortyMilliseconds),
      maxConcurrency,
    );
    const one = await alone(documents, seed, run);
    times.push(run.time / 1000);
    faster.push(one.time / run.time);
    more.push(run.calls / one.calls - 1);
  }
  return {
    text: name,
    "at once": maxConcurrency,
    "time, s": median(times).toFixed(2),
    "times as fast": median(faster).toFixed(1),
    "lowest to highest": `${Math.min(...faster).toFixed(1)} to ${Math.max(...faster).toFixed(1)}`,
    "extra calls": percent(median(more)),
  };
}

const single = (text: string) => [new Document({ pageContent: text, metadata: {} })];

/** Speed-up and extra calls by the number of questions in flight. */
export async function concurrency(): Promise<Table> {
  const rows: Table["rows"] = [];
  if (hasEmma) {
    const novel = single(emma().join("\n\n"));
    for (const maxConcurrency of [8, 16, 32])
      rows.push(await speedUp("Emma", novel, maxConcurrency, 7));
  } else console.log("\nEmma is not beside the repository: left out.");
  rows.push(await speedUp("20,000 paragraphs", single(prose(20_000)), 64, 3));
  rows.push(await speedUp("64 documents", documentsOf(64, 600), 16, 3));
  return {
    title: "Many places at once",
    about: `Time of one question at a time (its calls × the mean latency of the run) by the time taken; ${ABOUT}.`,
    rows,
  };
}
