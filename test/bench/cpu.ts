import { Runnable } from "@langchain/core/runnables";
import { RecursiveCharacterTextSplitter } from "@langchain/textsplitters";
import type { BoundaryAnswer, BoundaryQuestion } from "../../src/boundary/question.js";
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

/** The least that LangChain lets a boundary chain cost. */
class PlainDecider extends Runnable<BoundaryQuestion, BoundaryAnswer> {
  lc_namespace = ["bench"];
  readonly #choose = byHash();

  async invoke(question: BoundaryQuestion): Promise<BoundaryAnswer> {
    return { boundaryId: question.paragraphs[this.#choose(question)]?.id ?? 0 };
  }
}

/** The splitter's own cost, beside that of LangChain's usual splitter. */
export async function cpu(): Promise<Table> {
  const text = mobyDick().join("\n\n");
  const rows: Table["rows"] = [];
  for (const [name, lengthFunction] of Object.entries(COUNTERS)) {
    const common = { chunkSize: 550, chunkOverlap: 0, lengthFunction };
    const split = (boundaryChain: Runnable<BoundaryQuestion, BoundaryAnswer>) =>
      new LumberChunkerSplitter({ ...common, boundaryChain }).splitText(text);
    const tasks = {
      ours: () => split(decider(byHash()).chain),
      plain: () => split(new PlainDecider()),
      recursive: () => new RecursiveCharacterTextSplitter(common).splitText(text),
      asking: () => askOnly(calls),
    };
    const { calls } = await callsOf(text, lengthFunction);
    const times: Record<keyof typeof tasks, number[]> = {
      ours: [],
      plain: [],
      recursive: [],
      asking: [],
    };
    for (let run = -2; run < RUNS; run++) {
      for (const key of ["ours", "plain", "recursive", "asking"] as const) {
        const time = await cpuOf(tasks[key]);
        if (run >= 0) times[key].push(time);
      }
    }
    const ours = median(times.ours);
    const plain = median(times.plain);
    const recursive = median(times.recursive);
    rows.push({
      "counted in": name,
      "LumberChunker, ms": ours.toFixed(0),
      "of that, LangChain's RunnableLambda": median(times.asking).toFixed(0),
      "with a plain Runnable, ms": plain.toFixed(0),
      "Recursive, ms": recursive.toFixed(0),
      ratio: (ours / recursive).toFixed(2),
      "ratio with a plain Runnable": (plain / recursive).toFixed(2),
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
