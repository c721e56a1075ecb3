import { Document } from "@langchain/core/documents";
import { RunnableLambda } from "@langchain/core/runnables";
import { InMemoryStore } from "@langchain/core/stores";
import { describe, expect, it } from "vitest";
import type { BoundaryAnswer, BoundaryQuestion } from "../src/boundary/question.js";
import { type BoundaryChainOptions, createBoundaryChain } from "../src/boundary/chain.js";
import { chapterParagraphs } from "../src/chapters.js";
import { InvalidBoundaryError, InvalidParameterError } from "../src/errors.js";
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

  it("a boundaryChain that is a chat model", () => {
    for (const value of [model(), model().withConfig({ tags: ["t"] }), model().withRetry()]) {
      const error = thrown(() => make({ boundaryChain: value as never }));
      expectRefused(error, "boundaryChain", value);
      expect((error as Error).message).toContain("createBoundaryChain(model)");
    }
  });

  it.each([null, "chain", {}, () => 0])("a boundaryChain that is no Runnable: %s", (value) => {
    expectRefused(
      thrown(() => make({ boundaryChain: value })),
      "boundaryChain",
      value,
    );
  });

  it.each([
    ["chunksize", 100, /chunkSize/],
    ["separators", ["\n\n"], /paragraphs/],
    ["prompt", "Where?", /boundaryChain/],
    ["toString", 1, /model/],
  ])("a parameter that is none, listing those that are: %s", (name, value, listed) => {
    const error = thrown(() => make({ model: model(), [name]: value }));
    expectRefused(error, name, value);
    expect((error as Error).message).toMatch(listed);
  });

  it("an option of createBoundaryChain that is none", () => {
    const options = { maxAttempt: 3 };
    const error = thrown(() => createBoundaryChain(model(), options as BoundaryChainOptions));
    expectRefused(error, "maxAttempt", 3);
    expect((error as Error).message).toContain("prompt, output, method, maxAttempts");
  });

  it("chapterParagraphs itself, which is to be called", () => {
    const error = thrown(() => make({ model: model(), paragraphs: chapterParagraphs }));
    expectRefused(error, "paragraphs", chapterParagraphs);
    expect((error as Error).message).toContain("chapterParagraphs()");
  });

  it("a model's name, and the promise of a model", () => {
    expect(thrown(() => make({ model: "gpt-4o" }))).toHaveProperty(
      "message",
      expect.stringContaining('await initChatModel("…")'),
    );
    expect(thrown(() => make({ model: Promise.resolve(model()) }))).toHaveProperty(
      "message",
      expect.stringContaining("await the one"),
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

  it("what LangChain's splitters take, and nothing for a name that is not known", () => {
    const params = { keepSeparator: true, chunkOverlap: 0, separators: undefined };
    expect(make({ model: model(), ...params })).toBeInstanceOf(LumberChunkerSplitter);
    const options: object = { prompt: undefined, maxAttempt: undefined };
    expect(() => createBoundaryChain(model(), options)).not.toThrow();
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

  it.each([{ signal: new AbortController().signal }, { callbacks: [] }, { tags: ["mine"] }])(
    "a config where the header options go says so, and names what it found: %o",
    async (config) => {
      const [key = ""] = Object.keys(config);
      const error = await refused((splitter) =>
        splitter.splitDocuments([new Document({ pageContent: text })], config as object),
      );
      expectRefused(error, "chunkHeaderOptions", config);
      expect((error as Error).message).toContain(`without ${key}: a config is the argument after`);
    },
  );

  it.each([new AbortController().signal, [], null, "header"])(
    "header options that are none: %s",
    async (header) => {
      const documents = [new Document({ pageContent: text })];
      const error = await refused((splitter) =>
        splitter.splitDocuments(documents, header as unknown as object),
      );
      expectRefused(error, "chunkHeaderOptions", header);
    },
  );

  it.each([
    [{ chunkHeader: "# " }, /without chunkHeader: header options are the argument before it/],
    [{ appendChunkOverlapHeader: true }, /without appendChunkOverlapHeader/],
    [new AbortController().signal, /a RunnableConfig, such as \{ signal \}/],
    [[], /a RunnableConfig/],
    [7, /a RunnableConfig/],
  ])("a config that is none, by every method: %o", async (value, message) => {
    const config = value as object;
    const documents = [new Document({ pageContent: text })];
    const methods: ((splitter: LumberChunkerSplitter) => Promise<unknown>)[] = [
      (splitter) => splitter.splitText(text, config),
      (splitter) => splitter.createDocuments([text], [], {}, config),
      (splitter) => splitter.splitDocuments(documents, {}, config),
      (splitter) => splitter.transformDocuments(documents, {}, config),
      (splitter) => splitter.invoke(documents, config),
      (splitter) => splitter.batch([documents], Array.isArray(value) ? [[] as object] : config),
      (splitter) => splitter.stream(documents, config),
      (splitter) => splitter.estimate(documents, config),
    ];
    for (const act of methods) {
      const error = await refused(act);
      expectRefused(error, "config", value);
      expect((error as Error).message).toMatch(message);
    }
  });

  it("a stream of what yields no Documents", async () => {
    for (const source of [text, 7, null, undefined, new Document({ pageContent: text })]) {
      const error = await refused(async (splitter) => {
        const chunks = await splitter.stream(source as unknown as Document[]);
        await chunks.next();
      });
      expectRefused(error, "documents", source);
    }
  });

  it("documents' texts in a few words", async () => {
    const long = "Call me Ishmael. Some years ago—never mind how long precisely. ".repeat(99);
    const acts: ((splitter: LumberChunkerSplitter) => Promise<unknown>)[] = [
      (splitter) => splitter.splitDocuments(long as unknown as Document[]),
      (splitter) => splitter.splitDocuments([long] as unknown as Document[]),
      (splitter) => splitter.createDocuments(long as unknown as string[]),
      (splitter) => splitter.splitText({ pageContent: long } as unknown as string),
      (splitter) => splitter.splitText([long] as unknown as string),
    ];
    for (const act of acts) {
      const { message } = (await refused(act)) as Error;
      expect(message).toContain("Call me Ishmael.");
      expect(message).not.toContain("never mind how");
      expect(message).toContain(`… (${long.length} characters)`);
    }
    const left = await refused((splitter) => splitter.splitText(long), { paragraphs: () => [] });
    expect((left as Error).message).not.toContain("never mind how");
  });

  it.each([0, -1, 1.5, Number.NaN])("a config's maxConcurrency of %s", async (maxConcurrency) => {
    const documents = [new Document({ pageContent: text })];
    const error = await refused((splitter) => splitter.invoke(documents, { maxConcurrency }));
    expectRefused(error, "maxConcurrency", maxConcurrency);
    const batch = await refused((splitter) => splitter.batch([documents], { maxConcurrency }));
    expectRefused(batch, "maxConcurrency", maxConcurrency);
  });
});

describe("errors of another copy of the package", () => {
  it("are known by what they hold", () => {
    const error = new InvalidParameterError("chunkSize", "a number", "x");
    const copy = Object.assign(new TypeError(error.message), { ...error });
    expect(copy).not.toBeInstanceOf(InvalidParameterError);
    for (const one of [error, copy]) {
      expect(InvalidParameterError.isInstance(one)).toBe(true);
      expect(InvalidBoundaryError.isInstance(one)).toBe(false);
    }
    for (const other of [new TypeError("x"), { ...error }, null, undefined, "x"])
      expect(InvalidParameterError.isInstance(other)).toBe(false);
  });
});
