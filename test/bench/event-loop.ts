import { Document } from "@langchain/core/documents";
import { InMemoryStore } from "@langchain/core/stores";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { LumberChunkerSplitterParams } from "../../src/params.js";
import { LumberChunkerSplitter } from "../../src/splitter.js";
import { mobyDick } from "../helpers/books.js";
import { TextDecider } from "../helpers/text-decider.js";
import type { Table } from "./table.js";

const TEN_MB = 10_000_000;
const NANOSECONDS = 1_000_000;

async function blocks(name: string, text: string, params: Partial<LumberChunkerSplitterParams>) {
  let first: number | undefined;
  const begun = performance.now();
  const boundaryChain = new TextDecider(0, async () => {
    first ??= performance.now() - begun;
  });
  const splitter = new LumberChunkerSplitter({
    boundaryChain,
    maxConcurrency: 64,
    ...params,
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await splitter.splitDocuments([new Document({ pageContent: text, metadata: {} })]);
  delay.disable();
  return {
    run: name,
    "first question after, ms": first?.toFixed(0) ?? "none",
    calls: boundaryChain.calls,
    "longest block, ms": (delay.max / NANOSECONDS).toFixed(0),
    "99.9 % under, ms": (delay.percentile(99.9) / NANOSECONDS).toFixed(0),
    "all, s": ((performance.now() - begun) / 1000).toFixed(1),
  };
}

/** How long the event loop is kept from others. */
export async function eventLoop(): Promise<Table> {
  const book = mobyDick().join("\n\n");
  const text = Buffer.from(
    book.repeat(Math.ceil(TEN_MB / book.length)).slice(0, TEN_MB),
  ).toString();
  const decisionStore = new InMemoryStore<Uint8Array>();
  return {
    title: "The event loop",
    about:
      "A text of 10 MB, 64 questions at once, tokens counted by the default; blocks as perf_hooks.monitorEventLoopDelay sees them.",
    rows: [
      await blocks("the process's first", text, {}),
      await blocks("once more", text, {}),
      await blocks("with an empty decision store", text, { decisionStore }),
      await blocks("with all answers in the store", text, { decisionStore }),
    ],
  };
}
