import { Document } from "@langchain/core/documents";
import { RunnableLambda } from "@langchain/core/runnables";
import { InMemoryStore } from "@langchain/core/stores";
import { describe, expect, it } from "vitest";
import type { BoundaryAnswer, BoundaryQuestion } from "../src/boundary/question.js";
import { InvalidParameterError } from "../src/errors.js";
import type { LumberChunkerSplitterParams } from "../src/params.js";
import { LumberChunkerSplitter } from "../src/splitter.js";
import { DecidingChain } from "./helpers/deciding-chain.js";
import { ScriptedChatModel } from "./helpers/scripted-chat-model.js";

const chain = () => new DecidingChain(() => ({ boundaryId: 0 }));
const model = () => new ScriptedChatModel({ decide: () => 0 });

/** Parameters as a caller without types writes them. */
const make = (params: Record<string, unknown>) =>
  new LumberChunkerSplitter(params as LumberChunkerSplitterParams);

function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

function expectRefused(error: unknown, parameter: string, value: unknown): void {
  expect(error).toBeInstanceOf(InvalidParameterError);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ name: "InvalidParameterError", parameter, value });
  expect((error as Error).message.startsWith(`${parameter} must be `)).toBe(true);
  expect((error as Error).message).toContain("Found: ");
}

describe("the constructor refuses, naming the parameter and the value,", () => {
  const outOfRange: Record<string, unknown[]> = {
    chunkSize: [0, -1, Number.NaN, Number.POSITIVE_INFINITY, "550", 550n, {}],
    chunkOverlap: [1, -1, 200, Number.NaN, "0"],
    maxConcurrency: [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "8"],
    minChunkSize: [-1, 551, Number.NaN, "1"],
    paragraphs: ["blank", "", 7, {}, true],
    onInvalidAnswer: ["ignore", "", 1, true],
    lengthFunction: [7, "tokens", {}],
    sectionBreaks: ["yes", 1],
    locale: ["not a tag", 7],
    onProgress: [true, {}],
    decisionStore: [{}, new Map(), "store"],
  };
  const cases = Object.entries(outOfRange).flatMap(([parameter, values]) =>
    values.map((value) => [parameter, value] as const),
  );

  it.each(cases)("%s: %s", (parameter, value) => {
    const error = thrown(() => make({ boundaryChain: chain(), [parameter]: value }));
    expectRefused(error, parameter, value);
  });

  it("neither model nor boundaryChain", () => {
    for (const params of [{}, { chunkSize: 100 }, { model: undefined, boundaryChain: undefined }])
      expectRefused(
        thrown(() => make(params)),
        "model",
        undefined,
      );
  });

  it("both model and boundaryChain", () => {
    const error = thrown(() => make({ model: model(), boundaryChain: chain() }));
    expect(error).toBeInstanceOf(InvalidParameterError);
    expect(error).toMatchObject({ parameter: "model" });
    expect((error as Error).message).toContain("not both");
  });

  it.each([null, "gpt-4o", 7, {}, () => 0, chain()])("a model that is none: %s", (value) => {
    expectRefused(
      thrown(() => make({ model: value })),
      "model",
      value,
    );
  });

  it.each([null, "chain", {}, () => 0])("a boundaryChain that is no Runnable: %s", (value) => {
    expectRefused(
      thrown(() => make({ boundaryChain: value })),
      "boundaryChain",
      value,
    );
  });

  it.each([undefined, null, "model", 7])("parameters that are none: %s", (params) => {
    const error = thrown(
      () => new LumberChunkerSplitter(params as unknown as LumberChunkerSplitterParams),
    );
    expectRefused(error, "params", params);
  });
});

describe("the constructor takes", () => {
  it("defaults as they are documented", () => {
    const splitter = make({ model: model() });
    expect(splitter).toMatchObject({ chunkSize: 550, chunkOverlap: 0, maxConcurrency: 8 });
  });

  it("undefined for every parameter that has a default", () => {
    const names = ["chunkSize", "chunkOverlap", "maxConcurrency", "paragraphs", "lengthFunction"];
    const params = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(make({ model: model(), ...params })).toMatchObject({ chunkSize: 550 });
  });

  it("every value in range", () => {
    const decider: RunnableLambda<BoundaryQuestion, BoundaryAnswer> = RunnableLambda.from(() => ({
      boundaryId: 0,
    }));
    for (const params of [
      { chunkSize: 0.5 },
      { chunkSize: 1e9, chunkOverlap: 0 },
      { maxConcurrency: 1 },
      { maxConcurrency: 1000 },
      { minChunkSize: 550 },
      { paragraphs: "line" },
      { paragraphs: () => [] },
      { onInvalidAnswer: "throw" },
      { locale: "th" },
      { decisionStore: new InMemoryStore<Uint8Array>() },
    ])
      expect(make({ boundaryChain: decider, ...params })).toBeInstanceOf(LumberChunkerSplitter);
  });
});

describe("a call is refused before the model is asked:", () => {
  const text = "one two\n\nthree four\n\nfive six";

  async function refused(
    act: (splitter: LumberChunkerSplitter) => Promise<unknown>,
    params: Record<string, unknown> = {},
  ): Promise<unknown> {
    const boundaryChain = chain();
    const splitter = make({
      boundaryChain,
      chunkSize: 12,
      lengthFunction: (text: string) => text.length,
      ...params,
    });
    const [outcome] = await Promise.allSettled([act(splitter)]);
    expect(boundaryChain.questions).toEqual([]);
    return outcome?.status === "rejected" ? outcome.reason : undefined;
  }

  it.each([-1, Number.NaN, "7", undefined, null])("a lengthFunction to %s", async (length) => {
    for (const lengthFunction of [() => length, async () => length]) {
      const error = await refused((splitter) => splitter.splitText(text), { lengthFunction });
      expectRefused(error, "lengthFunction", length);
    }
  });

  it("a paragraph function whose spans leave text out, overlap or run backwards", async () => {
    const spans = [
      [{ start: 0, end: 7 }],
      [
        { start: 0, end: 10 },
        { start: 5, end: text.length },
      ],
      [{ start: text.length, end: 0 }],
      [{ start: 0, end: text.length + 1 }],
    ];
    for (const found of spans) {
      const error = await refused((splitter) => splitter.splitText(text), {
        paragraphs: () => found,
      });
      expect(error).toBeInstanceOf(InvalidParameterError);
      expect(error).toMatchObject({ parameter: "paragraphs" });
    }
  });

  it("createDocuments given Documents, and says so", async () => {
    const documents = [new Document({ pageContent: text })];
    const error = await refused((splitter) =>
      splitter.createDocuments(documents as unknown as string[]),
    );
    expectRefused(error, "texts[0]", documents[0]);
    expect((error as Error).message).toContain("splitDocuments");
  });

  it.each([
    ["texts", "text", "text"],
    ["texts[1]", [text, 7], 7],
    ["texts[0]", [null], null],
  ])("createDocuments: %s", async (parameter, texts, value) => {
    const error = await refused((splitter) => splitter.createDocuments(texts as string[]));
    expectRefused(error, parameter, value);
  });

  it.each([
    ["metadatas", "no", "no"],
    ["metadatas", [{}], [{}]],
    ["metadatas[1]", [{}, null], null],
  ])("createDocuments with metadata: %s", async (parameter, metadatas, value) => {
    const error = await refused((splitter) =>
      splitter.createDocuments([text, text], metadatas as Record<string, unknown>[]),
    );
    expectRefused(error, parameter, value);
  });

  it.each([undefined, null, 7, new Document({ pageContent: text })])(
    "splitText of %s",
    async (value) => {
      const error = await refused((splitter) => splitter.splitText(value as unknown as string));
      expectRefused(error, "text", value);
    },
  );

  it.each([
    ["documents", text, text],
    ["documents", undefined, undefined],
    ["documents[0]", [text], text],
    ["documents[1]", [new Document({ pageContent: text }), null], null],
    ["documents[0].pageContent", [{ pageContent: 7, metadata: {} }], 7],
    ["documents[0].pageContent", [{ pageContent: null, metadata: {} }], null],
    ["documents[0].metadata", [{ pageContent: text, metadata: "m" }], "m"],
  ])("documents that are none: %s", async (parameter, documents, value) => {
    for (const method of ["splitDocuments", "transformDocuments", "invoke"] as const) {
      const error = await refused((splitter) => splitter[method](documents as Document[]));
      expectRefused(error, parameter, value);
    }
  });

  it("a config where the header options go", async () => {
    const header = { tags: ["mine"] };
    const documents = [new Document({ pageContent: text })];
    for (const act of [
      (splitter: LumberChunkerSplitter) => splitter.splitDocuments(documents, header as object),
      (splitter: LumberChunkerSplitter) => splitter.createDocuments([text], [], header as object),
    ])
      expectRefused(await refused(act), "chunkHeaderOptions", header);
  });

  it.each([0, -1, 1.5, Number.NaN])("a config's maxConcurrency of %s", async (maxConcurrency) => {
    const documents = [new Document({ pageContent: text })];
    const error = await refused((splitter) => splitter.invoke(documents, { maxConcurrency }));
    expectRefused(error, "maxConcurrency", maxConcurrency);
    const batch = await refused((splitter) => splitter.batch([documents], { maxConcurrency }));
    expectRefused(batch, "maxConcurrency", maxConcurrency);
  });
});
