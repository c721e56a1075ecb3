import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Document } from "@langchain/core/documents";
import { RunnableLambda } from "@langchain/core/runnables";
import { describe, expect, it } from "vitest";
import type { BoundaryAnswer, BoundaryQuestion } from "../src/boundary/question.js";
import { LumberChunkerSplitter, type LumberChunkerSplitterParams } from "../src/index.js";

const TEXT = Array.from({ length: 60 }, (_, i) => `paragraph ${i}`).join("\n\n");

function chainOf(answer: (question: BoundaryQuestion) => BoundaryAnswer | Promise<BoundaryAnswer>) {
  return RunnableLambda.from<BoundaryQuestion, BoundaryAnswer>(answer);
}

const next = chainOf(({ paragraphs }) => ({ boundaryId: paragraphs[1]?.id ?? 0 }));
const never = chainOf(() => new Promise<never>(() => undefined));

function splitterOf(params: LumberChunkerSplitterParams) {
  return new LumberChunkerSplitter({
    chunkSize: 30,
    lengthFunction: (text) => text.length,
    ...params,
  });
}

describe("a run's end", () => {
  it("comes with its timeout, whatever is collected meanwhile", async () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const splitter = splitterOf({ boundaryChain: never });
    const documents = [new Document({ pageContent: TEXT })];
    const { signal } = new AbortController();
    const runs = [
      splitter.splitText(TEXT, { timeout: 200 }),
      splitter.invoke(documents, { timeout: 200 }),
      splitter.invoke(documents, { timeout: 200, signal }),
    ].map((run) => expect(run).rejects.toMatchObject({ name: "TimeoutError" }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
    await Promise.all(runs);
  });

  it("stops the counting of a paragraph that is being divided", async () => {
    const controller = new AbortController();
    let counts = 0;
    const splitter = splitterOf({
      boundaryChain: next,
      lengthFunction: async (text) => {
        counts += 1;
        if (counts === 50) controller.abort(new Error("enough"));
        await new Promise((resolve) => setImmediate(resolve));
        return text.length;
      },
    });
    const run = splitter.splitText("word and word ".repeat(2000), { signal: controller.signal });
    await expect(run).rejects.toThrow("enough");
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(counts).toBeLessThanOrEqual(51);
  });

  it("is the error that an async onProgress rejects with", async () => {
    const error = new Error("no");
    const splitter = splitterOf({ boundaryChain: next, onProgress: () => Promise.reject(error) });
    await expect(splitter.splitText(TEXT)).rejects.toBe(error);
  });
});

describe("thousands of places", () => {
  it("give the chunks that one gives", async () => {
    const text = Array.from({ length: 6000 }, (_, i) => "word ".repeat(1 + ((i * 7919) % 23))).join(
      "\n\n",
    );
    const chainAt = chainOf(({ paragraphs }) => ({
      boundaryId:
        paragraphs[1 + (((paragraphs[0]?.id ?? 0) * 31) % (paragraphs.length - 1))]?.id ?? 0,
    }));
    const [one, many] = await Promise.all(
      [1, 3000].map((maxConcurrency) =>
        splitterOf({ boundaryChain: chainAt, chunkSize: 300, maxConcurrency }).splitText(text),
      ),
    );
    expect(many).toEqual(one);
  });
});

describe("metadata of any kind", () => {
  it("is as good as empty where there is none", async () => {
    for (const metadata of [undefined, null]) {
      const document = new Document({ pageContent: TEXT });
      Object.assign(document, { metadata });
      const [chunk] = await splitterOf({ boundaryChain: next }).splitDocuments([document]);
      expect(chunk?.metadata).toMatchObject({ section: "", boundary: "start" });
    }
  });

  it("stops no run", async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 20_000; i++) deep = { deep };
    const detached = new Uint8Array(4);
    structuredClone(detached, { transfer: [detached.buffer] });
    class Late extends Date {}
    const metadata = {
      deep,
      detached,
      map: new Map<unknown, unknown>([["f", () => 1]]),
      set: new Set([Symbol("s")]),
      bytes: Buffer.from("abc"),
      late: new Late(0),
    };
    const [chunk] = await splitterOf({ boundaryChain: next }).splitDocuments([
      new Document({ pageContent: TEXT, metadata }),
    ]);
    expect(chunk?.metadata.map).not.toBe(metadata.map);
    expect(chunk?.metadata.map.get("f")).toBe(metadata.map.get("f"));
    expect(chunk?.metadata.bytes).toBeInstanceOf(Buffer);
    expect(chunk?.metadata.bytes).not.toBe(metadata.bytes);
    expect(chunk?.metadata.late).toBe(metadata.late);
  });
});
