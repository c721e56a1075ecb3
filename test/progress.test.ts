import { Document } from "@langchain/core/documents";
import { type RunnableConfig, RunnableLambda } from "@langchain/core/runnables";
import { InMemoryStore } from "@langchain/core/stores";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBoundaryChain } from "../src/boundary/chain.js";
import type { BoundaryAnswer, BoundaryQuestion } from "../src/boundary/question.js";
import { markdownParagraphs } from "../src/markdown/index.js";
import type { LumberChunkerSplitterParams } from "../src/params.js";
import { PROGRESS_EVENT, type Progress } from "../src/progress.js";
import { LumberChunkerSplitter } from "../src/splitter.js";
import { ANSWERS, type DecidingChain, seededChain } from "./helpers/deciding-chain.js";
import { ScriptedChatModel } from "./helpers/scripted-chat-model.js";
import { TextDecider } from "./helpers/text-decider.js";
import { allUnits } from "./helpers/units.js";
import { anyText, someText } from "./helpers/texts.js";

const CHUNK_SIZE = 60;

const length = (text: string) => text.length;

const documentsOf = (texts: readonly string[]) =>
  texts.map((pageContent) => new Document({ pageContent, metadata: {} }));

const BOOK = Array.from({ length: 60 }, (_, i) => `Paragraph ${i}, ${"x".repeat((i * 7) % 23)}`);

/** Splits documents; gives all that was reported on the way, and the chunks. */
async function watched(
  texts: readonly string[],
  params: Partial<LumberChunkerSplitterParams>,
  config: RunnableConfig = {},
) {
  const reports: Progress[] = [];
  const splitter = new LumberChunkerSplitter({
    chunkSize: CHUNK_SIZE,
    lengthFunction: length,
    onProgress: (progress) => reports.push(progress),
    ...params,
  });
  const chunks = await splitter.splitDocuments(documentsOf(texts), {}, config);
  const last = reports.at(-1);
  if (last === undefined) throw new Error("Nothing was reported");
  return { chunks, reports, last };
}

/** All numbers of a report, by name. */
function numbersOf({ usage, ...counts }: Progress): [string, number][] {
  const { input_tokens, output_tokens, total_tokens } = usage;
  return Object.entries({ ...counts, input_tokens, output_tokens, total_tokens });
}

const texts = fc.array(someText, { minLength: 1, maxLength: 6 });
const maxConcurrency = fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 64 }));
const kinds = fc.constantFrom(["candidate"], ["candidate", "nothing"], Object.keys(ANSWERS));

async function unitsIn(texts: readonly string[]): Promise<number> {
  let sum = 0;
  for (const text of texts) {
    const units = await allUnits(text, { chunkSize: CHUNK_SIZE, lengthFunction: length });
    sum += units.list.length;
  }
  return sum;
}

describe("progress", () => {
  it("never goes back, and never tells of more than there is", async () => {
    await fc.assert(
      fc.asyncProperty(texts, maxConcurrency, fc.nat(), kinds, async (texts, most, seed, kinds) => {
        const boundaryChain = seededChain(seed, kinds);
        const { reports } = await watched(texts, { boundaryChain, maxConcurrency: most });
        let before = new Map<string, number>();
        for (const report of reports) {
          const now = new Map(numbersOf(report));
          for (const [name, count] of now) {
            expect(Number.isInteger(count)).toBe(true);
            expect(count, name).toBeGreaterThanOrEqual(before.get(name) ?? 0);
          }
          expect(report.documentsDone).toBeLessThanOrEqual(report.documents);
          expect(report.unitsDone).toBeLessThanOrEqual(report.units);
          expect(report.fallbacks).toBeLessThanOrEqual(report.calls);
          before = now;
        }
      }),
      { numRuns: 150 },
    );
  });

  it("ends with all documents, units, chunks and calls", async () => {
    await fc.assert(
      fc.asyncProperty(texts, maxConcurrency, fc.nat(), kinds, async (texts, most, seed, kinds) => {
        const boundaryChain: DecidingChain = seededChain(seed, kinds);
        const { last, chunks } = await watched(texts, { boundaryChain, maxConcurrency: most });
        const units = await unitsIn(texts);
        expect(last).toMatchObject({
          documents: texts.length,
          documentsDone: texts.length,
          units,
          unitsDone: units,
          chunks: chunks.length,
          calls: boundaryChain.questions.length,
          remembered: 0,
        });
      }),
      { numRuns: 150 },
    );
  });

  it("tells of an empty text that it is done", async () => {
    const { last } = await watched(["", " \n\n "], { boundaryChain: new TextDecider() });
    expect(last).toMatchObject({ documents: 2, documentsDone: 2, units: 0, chunks: 0, calls: 0 });
  });

  it("counts the boundaries that fell back", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.nat(), async (text, seed) => {
        const boundaryChain = seededChain(seed, Object.keys(ANSWERS));
        const { last, chunks } = await watched([text], { boundaryChain, maxConcurrency: 1 });
        const after = chunks.filter(({ metadata }) => metadata.boundary === "fallback").length;
        // the last boundary is the text's end: no chunk starts there
        expect([after, after + 1]).toContain(last.fallbacks);
      }),
      { numRuns: 150 },
    );
  });

  it("counts what was remembered", async () => {
    const decisionStore = new InMemoryStore<Uint8Array>();
    const text = BOOK.join("\n\n");
    const params = { boundaryChain: new TextDecider(), decisionStore, maxConcurrency: 1 };
    const { last: first } = await watched([text], params);
    const { last: second } = await watched([text], params);
    expect(first.calls).toBeGreaterThan(0);
    expect(first.remembered).toBe(0);
    expect([second.calls, second.remembered]).toEqual([0, first.calls]);
  });

  it("sums what the model has used, over attempts that failed too", async () => {
    const usage = { input_tokens: 100, output_tokens: 7 };
    const model = new ScriptedChatModel({
      usage,
      decide: ({ paragraphs }, call) => (call % 3 === 0 ? "no idea" : (paragraphs[1]?.id ?? 0)),
    });
    const { last } = await watched([BOOK.join("\n\n")], { model, maxConcurrency: 4 });
    const calls = model.calls.length;
    expect(last.calls).toBeLessThan(calls);
    expect(last.usage).toMatchObject({
      input_tokens: 100 * calls,
      output_tokens: 7 * calls,
      total_tokens: 107 * calls,
    });
  });

  it("sums what a chain of another's reports", async () => {
    const chain = new TextDecider();
    const boundaryChain = RunnableLambda.from<BoundaryQuestion, BoundaryAnswer>(
      async (question) => ({
        ...(await chain.invoke(question)),
        usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12 },
      }),
    );
    const { last } = await watched([BOOK.join("\n\n")], { boundaryChain });
    expect(last.usage.total_tokens).toBe(12 * chain.calls);
  });

  it("sums what a chain of another's has used, if it reports it or not", async () => {
    const usage = { input_tokens: 10, output_tokens: 2 };
    for (const callbacks of [[], [{ handleChainStart: () => undefined }]]) {
      const model = new ScriptedChatModel({ usage, decide: ({ paragraphs }) => paragraphs[1]!.id });
      const inner = createBoundaryChain(model);
      const boundaryChain = RunnableLambda.from<BoundaryQuestion, BoundaryAnswer>(
        async (question, config) => ({
          boundaryId: (await inner.invoke(question, config)).boundaryId,
        }),
      );
      const { last } = await watched([BOOK.join("\n\n")], { boundaryChain }, { callbacks });
      expect(last.usage.total_tokens).toBe(12 * model.calls.length);
    }
  });

  it("takes no usage that is none", async () => {
    for (const usage of [null, {}, "10", { input_tokens: "1" }]) {
      const chain = new TextDecider();
      const boundaryChain = RunnableLambda.from<BoundaryQuestion, BoundaryAnswer>(
        async (question) => Object.assign({ ...(await chain.invoke(question)) }, { usage }),
      );
      const { last } = await watched([BOOK.join("\n\n")], { boundaryChain });
      expect(last.usage).toEqual({ input_tokens: 0, output_tokens: 0, total_tokens: 0 });
    }
  });

  it("tells of questions before the last page of a Markdown text is read", async () => {
    const text = Array.from({ length: 4000 }, (_, i) => `## ${i}\n\n${BOOK[i % 60]}`).join("\n\n");
    const params = { boundaryChain: new TextDecider(), paragraphs: markdownParagraphs };
    const { reports, last } = await watched([text], params);
    expect(last.units).toBe(4000);
    expect(reports[0]?.units).toBeLessThan(4000);
  });

  it("gives each time an object of its own", async () => {
    const { reports } = await watched([BOOK.join("\n\n")], {
      boundaryChain: new TextDecider(),
      maxConcurrency: 1,
    });
    expect(reports.length).toBeGreaterThan(5);
    expect(new Set(reports).size).toBe(reports.length);
    expect(reports[0]?.calls).toBe(1);
  });

  it("keeps to one call: another one begins from nothing", async () => {
    const text = BOOK.join("\n\n");
    const reports: Progress[] = [];
    const splitter = new LumberChunkerSplitter({
      boundaryChain: new TextDecider(),
      chunkSize: CHUNK_SIZE,
      lengthFunction: length,
      maxConcurrency: 1,
      onProgress: (progress) => reports.push(progress),
    });
    await splitter.splitText(text);
    const first = reports.at(-1);
    await splitter.splitText(text);
    expect(reports.at(-1)).toEqual(first);
  });
});

describe("onProgress that throws", () => {
  it("ends the run with that very error, whenever it does", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 20 }), maxConcurrency, async (after, maxConcurrency) => {
        const error = new Error("the bar is broken");
        let reports = 0;
        const chain = new TextDecider();
        const splitter = new LumberChunkerSplitter({
          boundaryChain: chain,
          chunkSize: CHUNK_SIZE,
          lengthFunction: length,
          maxConcurrency,
          onProgress: () => {
            reports += 1;
            if (reports > after) throw error;
          },
        });
        const documents = documentsOf([BOOK.join("\n\n"), BOOK.join("\n\n")]);
        await expect(splitter.splitDocuments(documents)).rejects.toBe(error);
        const asked = chain.calls;
        await new Promise((resolve) => setImmediate(resolve));
        expect(chain.calls).toBe(asked);
        expect(asked).toBeLessThanOrEqual(after + 1 + maxConcurrency);
      }),
      { numRuns: 60 },
    );
  });
});

describe("the custom event", () => {
  it("carries in streamEvents what onProgress gets", async () => {
    const reports: Progress[] = [];
    const splitter = new LumberChunkerSplitter({
      boundaryChain: new TextDecider(),
      chunkSize: CHUNK_SIZE,
      lengthFunction: length,
      onProgress: (progress) => reports.push(progress),
    });
    const events: { name: string; data: unknown; runId: string }[] = [];
    const runs = new Map<string, string>();
    for await (const { event, name, data, run_id } of splitter.streamEvents(
      documentsOf([BOOK.join("\n\n"), BOOK.slice(0, 9).join("\n\n")]),
      { version: "v2" },
    )) {
      if (event === "on_chain_start") runs.set(run_id, name);
      if (event === "on_custom_event") events.push({ name, data, runId: run_id });
    }
    expect(events.map(({ data }) => data)).toEqual(reports);
    expect(new Set(events.map(({ name }) => name))).toEqual(new Set([PROGRESS_EVENT]));
    expect(events.map(({ runId }) => runs.get(runId))).toEqual(
      Array(events.length).fill("LumberChunkerSplitter"),
    );
  });

  it("is named as it is documented", () => {
    expect(PROGRESS_EVENT).toBe("lumberchunker_progress");
  });
});
