import { appendFileSync } from "node:fs";
import { LumberChunkerSplitter } from "../../src/splitter.js";
import { emma, hasEmma, mobyDick } from "../helpers/books.js";
import { TextDecider, wait } from "../helpers/text-decider.js";
import { LENGTHS } from "../helpers/texts.js";
import { openStore, type StorePlace } from "./decision-stores.js";

/** What a process is told to do: split a book with a store, and count its calls in a file. */
export interface Task {
  store: StorePlace | undefined;
  /** Each call adds a byte to it. */
  log: string;
  maxConcurrency: number;
}

/** What it says: that it has called, or the chunks. */
export type Report = { call: true } | { chunks: string[] };

/** Splits a novel; every call is in the log before it is answered. */
export async function splitNovel({ store, log, maxConcurrency }: Task, onCall?: () => void) {
  const opened = store && (await openStore(store));
  const boundaryChain = new TextDecider(0, () => {
    appendFileSync(log, ".");
    onCall?.();
    return wait(3 + 4 * Math.random());
  });
  const splitter = new LumberChunkerSplitter({
    boundaryChain,
    maxConcurrency,
    lengthFunction: LENGTHS["1.2 words"] ?? ((text) => text.length),
    ...(opened && { decisionStore: opened.store }),
  });
  const paragraphs = hasEmma ? emma() : mobyDick();
  const chunks = await splitter.splitText(paragraphs.join("\n\n"));
  opened?.close();
  return chunks;
}

function tell(report: Report): Promise<void> {
  return new Promise((resolve) => process.send?.(report, () => resolve()));
}

if (process.send !== undefined && process.argv[2] !== undefined) {
  const task: Task = JSON.parse(process.argv[2]);
  const chunks = await splitNovel(task, () => void tell({ call: true }));
  await tell({ chunks });
  process.disconnect();
}
