import { RecursiveCharacterTextSplitter } from "@langchain/textsplitters";
import { LumberChunkerSplitter } from "../../src/splitter.js";
import { tokenLength } from "../../src/tokens.js";
import type { LengthFunction } from "../../src/units.js";
import { mobyDick } from "../helpers/books.js";
import { byHash, characters, decider } from "./decider.js";
import { median, type Table } from "./table.js";

/** Milliseconds of the processor that a task takes. */
export async function cpuOf(task: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const words: LengthFunction = (text) => text.split(/\s+/).filter(Boolean).length;

const COUNTERS: Record<string, LengthFunction> = {
  "tokens (default)": tokenLength(),
  words,
  "characters / 4": characters,
};

const RUNS = 11;

/** The splitter's own cost, beside that of LangChain's usual splitter. */
export async function cpu(): Promise<Table> {
  const text = mobyDick().join("\n\n");
  const rows: Table["rows"] = [];
  for (const [name, lengthFunction] of Object.entries(COUNTERS)) {
    const common = { chunkSize: 550, chunkOverlap: 0, lengthFunction };
    const tasks = {
      ours: () =>
        new LumberChunkerSplitter({ ...common, boundaryChain: decider(byHash()).chain }).splitText(
          text,
        ),
      recursive: () => new RecursiveCharacterTextSplitter(common).splitText(text),
      asking: () => askOnly(calls),
    };
    const { calls } = await callsOf(text, lengthFunction);
    const times: Record<keyof typeof tasks, number[]> = { ours: [], recursive: [], asking: [] };
    for (let run = -2; run < RUNS; run++) {
      for (const key of ["ours", "recursive", "asking"] as const) {
        const time = await cpuOf(tasks[key]);
        if (run >= 0) times[key].push(time);
      }
    }
    const [ours, recursive, asking] = [times.ours, times.recursive, times.asking].map(median);
    rows.push({
      "counted in": name,
      "LumberChunker, ms": (ours ?? 0).toFixed(0),
      "of that, LangChain's RunnableLambda": (asking ?? 0).toFixed(0),
      "Recursive, ms": (recursive ?? 0).toFixed(0),
      ratio: ((ours ?? 0) / (recursive ?? 1)).toFixed(2),
      "ratio without RunnableLambda": (((ours ?? 0) - (asking ?? 0)) / (recursive ?? 1)).toFixed(2),
    });
  }
  return {
    title: "The splitter's own cost",
    about: `CPU time over Moby Dick with a decider that answers at once, beside RecursiveCharacterTextSplitter with the same lengthFunction; medians of ${RUNS} runs in turn.`,
    rows,
  };
}

async function callsOf(text: string, lengthFunction: LengthFunction) {
  const run = decider(byHash());
  await new LumberChunkerSplitter({ boundaryChain: run.chain, lengthFunction }).splitText(text);
  return run;
}

/** What it takes to call a `RunnableLambda` so often, with a signal as everyone passes one. */
async function askOnly(calls: number): Promise<void> {
  const { chain } = decider(() => 0);
  const question = { paragraphs: [{ id: 1, text: "" }] };
  for (let i = 0; i < calls; i++)
    await chain.invoke(question, { signal: new AbortController().signal });
}
