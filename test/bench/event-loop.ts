import { Document } from "@langchain/core/documents";
import { InMemoryStore } from "@langchain/core/stores";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { LumberChunkerSplitterParams } from "../../src/params.js";
import { LumberChunkerSplitter } from "../../src/splitter.js";
import { mobyDick } from "../helpers/books.js";
import { TextDecider, wait } from "../helpers/text-decider.js";
import type { Table } from "./table.js";

const TEN_MB = 10_000_000;
const NANOSECONDS = 1_000_000;

/** Milliseconds in which the monitor ticks. */
const TICKS = 20;

const WORDS = "whale harbour of the captain spoke and slowly again ";

/** What is repeated in texts that no book is like. */
const KINDS: Record<string, string> = {
  "white space": " \n",
  "lines of a letter": "a\n",
  "lines of 5,000 characters": `${WORDS.repeat(96)}\n`,
  "one line of words": WORDS,
  "one line of sentences": "The whale spoke slowly. Again and again the harbour answered! ",
  "one line without spaces": "abcdefghij",
  "Chinese without punctuation": "鯨港船長語緩再海風雨雲山川",
  "an emoji": "🐋",
};

async function blocks(name: string, text: string, params: Partial<LumberChunkerSplitterParams>) {
  let first: number | undefined;
  let begun = 0;
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
  await wait(TICKS); // it sees a block only after its first tick
  begun = performance.now();
  await splitter.splitDocuments([new Document({ pageContent: text, metadata: {} })]);
  const all = performance.now() - begun;
  await wait(TICKS);
  delay.disable();
  return {
    run: name,
    "first question after, ms": first?.toFixed(0) ?? "none",
    calls: boundaryChain.calls,
    "longest block, ms": (delay.max / NANOSECONDS).toFixed(0),
    "99.9 % under, ms": (delay.percentile(99.9) / NANOSECONDS).toFixed(0),
    "all, s": (all / 1000).toFixed(1),
  };
}

/** How long the event loop is kept from others. */
export async function eventLoop(): Promise<Table> {
  const book = mobyDick().join("\n\n");
  const text = filled(book);
  const decisionStore = new InMemoryStore<Uint8Array>();
  return {
    title: "The event loop",
    about:
      "A book of 10 MB and texts of as many characters of other kinds, 64 questions at once, tokens counted by the default; blocks as perf_hooks.monitorEventLoopDelay sees them.",
    rows: [
      await blocks("the process's first", text, {}),
      await blocks("once more", text, {}),
      await blocks("with an empty decision store", text, { decisionStore }),
      await blocks("with all answers in the store", text, { decisionStore }),
      ...(await kinds()),
    ],
  };
}

async function kinds(): Promise<Table["rows"]> {
  const rows: Table["rows"] = [];
  for (const [name, piece] of Object.entries(KINDS))
    rows.push(await blocks(name, filled(piece), {}));
  return rows;
}

/** Ten million UTF-16 units of the same again and again, as one flat string. */
function filled(piece: string): string {
  return Buffer.from(piece.repeat(Math.ceil(TEN_MB / piece.length)).slice(0, TEN_MB)).toString();
}
