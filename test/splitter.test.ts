import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { Document } from "@langchain/core/documents";
import { RunnableLambda, RunnableSequence } from "@langchain/core/runnables";
import type { Serialized } from "@langchain/core/load/serializable";
import {
  RecursiveCharacterTextSplitter,
  type TextSplitterChunkHeaderOptions,
} from "@langchain/textsplitters";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BoundaryQuestion } from "../src/boundary/question.js";
import type { LumberChunkerSplitterParams } from "../src/params.js";
import { LumberChunkerSplitter } from "../src/splitter.js";
import { DecidingChain } from "./helpers/deciding-chain.js";
import { ScriptedChatModel, type ScriptedChatModelParams } from "./helpers/scripted-chat-model.js";

const length = (text: string) => text.length;

/** Twelve paragraphs of 8 characters. Four of them and what parts them are a window of 46. */
const PARAGRAPHS = Array.from({ length: 12 }, (_, i) => `par. ${String(i + 1).padStart(3, "0")}`);
const TEXT = PARAGRAPHS.join("\n\n");

/** The second candidate of each window; where there is none, nothing shifts. */
const second = ({ paragraphs }: BoundaryQuestion): number => paragraphs[2]?.id ?? 0;

/** The same, some turns of the event loop later, as an answer comes. */
async function secondLater(question: BoundaryQuestion): Promise<{ boundaryId: number }> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  return { boundaryId: second(question) };
}

function scripted(params: Partial<ScriptedChatModelParams> = {}): ScriptedChatModel {
  return new ScriptedChatModel({ decide: second, ...params });
}

function splitterOf(
  decider: Pick<LumberChunkerSplitterParams, "model" | "boundaryChain">,
  params: Partial<LumberChunkerSplitterParams> = {},
): LumberChunkerSplitter {
  return new LumberChunkerSplitter({
    chunkSize: 46,
    lengthFunction: length,
    ...decider,
    ...params,
  });
}

const documentsOf = (count: number, text = TEXT) =>
  Array.from({ length: count }, (_, i) => new Document({ pageContent: text, metadata: { i } }));

/** A chain that answers when it is told to, and keeps the signals that it was given. */
function held() {
  const answers: (() => void)[] = [];
  const chain = new DecidingChain(
    (question) =>
      new Promise((resolve) => {
        answers.push(() => resolve({ boundaryId: second(question) }));
      }),
  );
  return {
    chain,
    /** Answers what has been asked and not yet answered, or the first of it. */
    answer: (count?: number) => {
      for (const answer of answers.splice(0, count ?? answers.length)) answer();
    },
    aborted: () => chain.configs.filter(({ signal }) => signal?.aborted === true).length,
  };
}

/** Lets everything run that need not wait for an answer. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

interface SeenRun {
  name: string;
  parent: string | undefined;
  tags: string[];
  metadata: Record<string, unknown>;
  error?: unknown;
  ended: boolean;
}

/** Keeps the runs that it is told of, by their IDs. */
class Runs extends BaseCallbackHandler {
  name = "runs";
  override awaitHandlers = true;
  readonly seen = new Map<string, SeenRun>();
  readonly events: unknown[] = [];

  override handleChainStart(
    ...[chain, , runId, parent, tags, metadata, , runName]: Parameters<
      NonNullable<BaseCallbackHandler["handleChainStart"]>
    >
  ): void {
    this.#start(chain, runId, parent, tags, metadata, runName);
  }

  override handleChatModelStart(
    ...[model, , runId, parent, , tags, metadata, runName]: Parameters<
      NonNullable<BaseCallbackHandler["handleChatModelStart"]>
    >
  ): void {
    this.#start(model, runId, parent, tags, metadata, runName);
  }

  override handleChainEnd(_: unknown, runId: string): void {
    this.#end(runId);
  }

  override handleLLMEnd(_: unknown, runId: string): void {
    this.#end(runId);
  }

  override handleChainError(error: unknown, runId: string): void {
    this.#end(runId, error);
  }

  override handleLLMError(error: unknown, runId: string): void {
    this.#end(runId, error);
  }

  override handleCustomEvent(name: string, data: unknown, runId: string): void {
    this.events.push({ name, data, run: this.seen.get(runId)?.name });
  }

  named(name: string): SeenRun[] {
    return [...this.seen.values()].filter((run) => run.name === name);
  }

  /** The names of the runs above a run, from the nearest. */
  above(run: SeenRun): string[] {
    const parent = this.seen.get(run.parent ?? "");
    return parent === undefined ? [] : [parent.name, ...this.above(parent)];
  }

  #start(
    made: Serialized,
    runId: string,
    parent: string | undefined,
    tags: string[] = [],
    metadata: Record<string, unknown> = {},
    runName = made.id.at(-1) ?? "",
  ): void {
    this.seen.set(runId, { name: runName, parent, tags, metadata, ended: false });
  }

  #end(runId: string, error?: unknown): void {
    const run = this.seen.get(runId);
    if (run !== undefined)
      Object.assign(run, { ended: true, ...(error !== undefined && { error }) });
  }
}

const warnings: Error[] = [];
const keepWarning = (warning: Error) => warnings.push(warning);

beforeEach(() => {
  warnings.length = 0;
  process.on("warning", keepWarning);
});

afterEach(async () => {
  await settle();
  process.off("warning", keepWarning);
  expect(warnings).toEqual([]);
});

type Config = NonNullable<Parameters<LumberChunkerSplitter["invoke"]>[1]>;

/** Every way to call the splitter with one text, each with a config. */
const METHODS: Record<
  string,
  (splitter: LumberChunkerSplitter, text: string, config?: Config) => Promise<unknown>
> = {
  splitText: (splitter, text, config) => splitter.splitText(text, config),
  createDocuments: (splitter, text, config) => splitter.createDocuments([text], [], {}, config),
  splitDocuments: (splitter, text, config) =>
    splitter.splitDocuments(documentsOf(1, text), {}, config),
  transformDocuments: (splitter, text, config) =>
    splitter.transformDocuments(documentsOf(1, text), {}, config),
  invoke: (splitter, text, config) => splitter.invoke(documentsOf(1, text), config),
  batch: (splitter, text, config) => splitter.batch([documentsOf(1, text)], config),
  stream: async (splitter, text, config) => {
    const chunks: Document[] = [];
    for await (const piece of await splitter.stream(documentsOf(1, text), config))
      chunks.push(...piece);
    return chunks;
  },
};
const EACH_METHOD = Object.entries(METHODS);

/** The texts of chunks, whichever method gave them. */
function textsOf(result: unknown): string[] {
  return [result]
    .flat(2)
    .map((chunk) => (typeof chunk === "string" ? chunk : (chunk as Document).pageContent));
}

describe.each(EACH_METHOD)("%s", (name, call) => {
  it("gives the chunks that the model decides", async () => {
    const texts = textsOf(await call(splitterOf({ model: scripted() }), TEXT));
    expect(texts.join("\n\n")).toBe(TEXT);
    expect(texts).toEqual([0, 2, 4, 6, 8, 10].map((i) => PARAGRAPHS.slice(i, i + 2).join("\n\n")));
  });

  it("runs under a run of the splitter's name, which the model's runs nest under", async () => {
    const runs = new Runs();
    const model = scripted();
    await call(splitterOf({ model }), TEXT, {
      callbacks: [runs],
      tags: ["mine"],
      metadata: { user: "u1" },
    });
    const [run, ...others] = runs.named("LumberChunkerSplitter");
    expect(others).toEqual([]);
    expect(run).toMatchObject({ parent: undefined, ended: true });
    expect(run?.error).toBeUndefined();
    const asked = runs.named("ScriptedChatModel");
    expect(asked).toHaveLength(model.calls.length);
    for (const modelRun of asked) {
      expect(runs.above(modelRun)).toContain("LumberChunkerSplitter");
      expect(modelRun.tags).toContain("mine");
      expect(modelRun.metadata).toMatchObject({ user: "u1" });
    }
    for (const any of runs.seen.values()) expect(any.ended).toBe(true);
  });

  it("takes a runName and a runId, for its own run alone", async () => {
    const runs = new Runs();
    const [runName, runId] = ["cutting", "0b2f3f9e-6f0b-4d55-8f0f-2f6f6f1f7a10"];
    const model = scripted();
    await call(splitterOf({ model }), TEXT, { callbacks: [runs], runName, runId });
    expect(runs.named("cutting")).toEqual([runs.seen.get(runId)]);
    expect(runs.named("LumberChunkerSplitter")).toEqual([]);
    expect(runs.named("ScriptedChatModel")).toHaveLength(model.calls.length);
  });

  it("ends its run where it can't begin", async () => {
    const runs = new Runs();
    const config = { callbacks: [runs], maxConcurrency: 0 };
    await expect(call(splitterOf({ model: scripted() }), TEXT, config)).rejects.toMatchObject({
      parameter: "maxConcurrency",
    });
    for (const run of runs.seen.values()) expect(run.ended).toBe(true);
  });

  it("stops at once when its signal is aborted, with the signal's reason", async () => {
    const { chain, aborted, answer } = held();
    const controller = new AbortController();
    const reason = new Error("enough");
    const outcome = call(splitterOf({ boundaryChain: chain }), TEXT, { signal: controller.signal });
    const settled = Promise.allSettled([outcome]);
    await until(() => chain.questions.length > 0);
    const asked = chain.questions.length;
    controller.abort(reason);
    expect(await settled).toEqual([{ status: "rejected", reason }]);
    expect(aborted()).toBe(asked);
    answer();
    await settle();
    expect(chain.questions).toHaveLength(asked);
  });

  it("asks nothing under a signal that is aborted already", async () => {
    const { chain } = held();
    const reason = new Error("never mind");
    const outcome = call(splitterOf({ boundaryChain: chain }), TEXT, {
      signal: AbortSignal.abort(reason),
    });
    await expect(outcome).rejects.toBe(reason);
    await settle();
    expect(chain.questions).toEqual([]);
  });

  it("stops when its timeout is over", async () => {
    const { chain, aborted } = held();
    const outcome = call(splitterOf({ boundaryChain: chain }), TEXT, { timeout: 50 });
    await expect(outcome).rejects.toMatchObject({ name: "TimeoutError" });
    expect(aborted()).toBe(chain.questions.length);
    expect(chain.questions.length).toBeGreaterThan(0);
  });

  it("rethrows the model's very error, and stops the other calls", async () => {
    const error = Object.assign(new Error("quota"), { status: 429 });
    const signals: (AbortSignal | undefined)[] = [];
    const others: (() => void)[] = [];
    const chain = new DecidingChain(
      ({ paragraphs }) =>
        new Promise((resolve, reject) => {
          if (paragraphs[0]?.id === 1) others.push(() => reject(error));
          else others.push(() => resolve({ boundaryId: 0 }));
        }),
    );
    const text = Array.from({ length: 300 }, () => "paragraph").join("\n\n");
    const settled = Promise.allSettled([call(splitterOf({ boundaryChain: chain }), text)]);
    await until(() => chain.questions.length > 1);
    await settle();
    signals.push(...chain.configs.map(({ signal }) => signal));
    const asked = chain.questions.length;
    others[chain.questions.findIndex(({ paragraphs }) => paragraphs[0]?.id === 1)]?.();
    const [outcome] = await settled;
    expect(outcome?.status === "rejected" && outcome.reason).toBe(error);
    expect(signals.filter((signal) => signal?.aborted)).toHaveLength(asked - 1);
    expect(chain.questions).toHaveLength(asked);
  });

  it.each(["", " ", "\n\n", "\u3000\r\n\ufeff\t"])(
    "gives no chunk and asks nothing of %j",
    async (text) => {
      const model = scripted();
      expect(textsOf(await call(splitterOf({ model }), text))).toEqual([]);
      expect(model.calls).toEqual([]);
    },
  );

  it("asks nothing of a text with one paragraph", async () => {
    const model = scripted();
    expect(textsOf(await call(splitterOf({ model }), "  One.\n"))).toEqual(["One."]);
    expect(model.calls).toEqual([]);
  });

  it("keeps to its maxConcurrency, or a lower one of the config", async () => {
    const text = Array.from({ length: 400 }, () => "paragraph").join("\n\n");
    for (const [own, config, most] of [
      [8, undefined, 8],
      [8, 3, 3],
      [4, 16, 4],
    ] as const) {
      const chain = new DecidingChain(secondLater);
      const splitter = splitterOf({ boundaryChain: chain }, { maxConcurrency: own });
      await call(splitter, text, config === undefined ? {} : { maxConcurrency: config });
      expect(chain.mostInFlight, name).toBeLessThanOrEqual(most);
      expect(chain.mostInFlight, name).toBeGreaterThan(1);
    }
  });

  it("may be called hundreds of times under one signal without a warning", async () => {
    const controller = new AbortController();
    const chain = new DecidingChain(
      (question) => ({ boundaryId: second(question) }),
      () => 20,
    );
    const splitter = splitterOf({ boundaryChain: chain });
    const calls = Array.from({ length: 200 }, () =>
      call(splitter, TEXT, { signal: controller.signal }),
    );
    for (const result of await Promise.all(calls)) expect(textsOf(result)).toHaveLength(6);
  });
});

describe("createDocuments", () => {
  const texts = ["one\n\ntwo\n\nsix\n\nfour", "\n\nfive\n\nten"];
  const metadatas = [{ source: "a", loc: { pageNumber: 3 } }, { source: "b" }];
  const headers: TextSplitterChunkHeaderOptions[] = [
    {},
    { chunkHeader: "Book\n---\n" },
    { chunkHeader: "Book: ", appendChunkOverlapHeader: true },
    { chunkHeader: "Book: ", chunkOverlapHeader: "… ", appendChunkOverlapHeader: true },
    { chunkOverlapHeader: "… " },
  ];

  it.each(headers)(
    "writes headers and lines as RecursiveCharacterTextSplitter does: %j",
    async (header) => {
      // where every paragraph is a chunk, both cut at the same places
      const base = new RecursiveCharacterTextSplitter({ chunkSize: 5, chunkOverlap: 0 });
      const chain = new DecidingChain(({ paragraphs }) => ({ boundaryId: paragraphs[1]?.id }));
      const ours = splitterOf({ boundaryChain: chain }, { chunkSize: 5 });
      const expected = await base.createDocuments(texts, metadatas, header);
      const found = await ours.createDocuments(texts, metadatas, header);
      expect(found.map(({ pageContent }) => pageContent)).toEqual(
        expected.map(({ pageContent }) => pageContent),
      );
      for (const [i, { metadata }] of expected.entries())
        expect(found[i]?.metadata).toMatchObject(metadata);
      for (const { metadata } of found) {
        const text = texts[metadata.source === "a" ? 0 : 1] ?? "";
        expect(text.slice(metadata.startIndex, metadata.endIndex)).toMatch(/^\w+$/);
      }
    },
  );

  it("needs no metadata", async () => {
    const splitter = splitterOf({ model: scripted() });
    expect(await splitter.createDocuments([])).toEqual([]);
    const [chunk] = await splitter.createDocuments(["One."]);
    expect(chunk).toBeInstanceOf(Document);
    expect(chunk?.metadata).toEqual({
      paragraphFrom: 1,
      paragraphTo: 1,
      startIndex: 0,
      endIndex: 4,
      chunkIndex: 0,
      tokenCount: 4,
      boundary: "start",
      section: "",
      loc: { lines: { from: 1, to: 1 } },
    });
  });
});

describe("splitDocuments", () => {
  it("keeps the documents in order and their metadata apart", async () => {
    const shared = { tags: ["a"] };
    const documents = [0, 1, 2].map(
      (i) => new Document({ pageContent: TEXT, metadata: { i, shared } }),
    );
    const before = structuredClone(documents.map(({ metadata }) => metadata));
    const chunks = await splitterOf({ model: scripted() }).splitDocuments(documents);
    expect(chunks.map(({ metadata }) => metadata.i)).toEqual(
      [0, 1, 2].flatMap((i) => Array(6).fill(i)),
    );
    expect(chunks.map(({ metadata }) => metadata.chunkIndex)).toEqual(
      [0, 1, 2].flatMap(() => [0, 1, 2, 3, 4, 5]),
    );
    for (const { metadata } of chunks) (metadata.shared as typeof shared).tags.push("b");
    for (const { metadata } of chunks) expect(metadata.shared).toEqual({ tags: ["a", "b"] });
    expect(documents.map(({ metadata }) => metadata)).toEqual(before);
  });

  it("passes over documents without a text, as the base class does", async () => {
    const documents = [{ metadata: {} } as Document, ...documentsOf(1)];
    expect(await splitterOf({ model: scripted() }).splitDocuments(documents)).toHaveLength(6);
  });

  it("splits hundreds of documents", async () => {
    const chunks = await splitterOf({ model: scripted() }).splitDocuments(documentsOf(300));
    expect(chunks).toHaveLength(1800);
  });

  it("may have hundreds of questions in flight under one signal without a warning", async () => {
    const { signal } = new AbortController();
    const model = scripted({ latency: 100 });
    const splitter = splitterOf({ model }, { maxConcurrency: 100 });
    await splitter.splitDocuments(documentsOf(120), {}, { signal });
    expect(model.mostInFlight).toBe(100);
  });

  it("tells a handler of its progress", async () => {
    const runs = new Runs();
    const model = scripted();
    await splitterOf({ model }).splitDocuments(documentsOf(2), {}, { callbacks: [runs] });
    const last = runs.events.at(-1);
    expect(last).toMatchObject({
      name: "lumberchunker_progress",
      run: "LumberChunkerSplitter",
      data: { documents: 2, documentsDone: 2, chunks: 12, calls: model.calls.length, fallbacks: 0 },
    });
  });

  it("ends with what onProgress throws", async () => {
    const error = new Error("no room for a bar");
    const onProgress = () => {
      throw error;
    };
    const splitter = splitterOf({ model: scripted() }, { onProgress });
    await expect(splitter.splitText(TEXT)).rejects.toBe(error);
  });
});

describe("batch", () => {
  it("gives the chunks of each input, and shares its places among them", async () => {
    const chain = new DecidingChain(secondLater);
    const splitter = splitterOf({ boundaryChain: chain }, { maxConcurrency: 5 });
    const batches = await splitter.batch(Array.from({ length: 20 }, () => documentsOf(2)));
    expect(batches.map((chunks) => chunks.length)).toEqual(Array(20).fill(12));
    expect(chain.mostInFlight).toBe(5);
  });

  const failing = () => {
    const error = new Error("quota");
    const chain = new DecidingChain(
      ({ paragraphs }) => {
        if (paragraphs.some(({ text }) => text.includes("bad"))) throw error;
        return { boundaryId: second({ paragraphs }) };
      },
      () => 5,
    );
    const inputs = [
      documentsOf(1),
      documentsOf(1, TEXT.replaceAll("par.", "bad.")),
      documentsOf(1),
    ];
    return { error, inputs, splitter: splitterOf({ boundaryChain: chain }) };
  };

  it("fails with the first error", async () => {
    const { error, inputs, splitter } = failing();
    await expect(splitter.batch(inputs)).rejects.toBe(error);
  });

  it("returns errors in their places where it is asked to", async () => {
    const { error, inputs, splitter } = failing();
    const results = await splitter.batch(inputs, {}, { returnExceptions: true });
    expect(results.map((result) => (result instanceof Error ? result : result.length))).toEqual([
      6,
      error,
      6,
    ]);
    expect(results[1]).toBe(error);
  });

  it("stops the other inputs when one fails", async () => {
    const { chain, aborted } = held();
    const error = new Error("bad spans");
    const paragraphs = (text: string) => {
      if (text.includes("bad")) throw error;
      return [
        { start: 0, end: 8 },
        { start: 8, end: text.length },
      ];
    };
    const splitter = splitterOf({ boundaryChain: chain }, { paragraphs });
    const settled = Promise.allSettled([splitter.batch([documentsOf(1), documentsOf(1, "bad")])]);
    expect(await settled).toEqual([{ status: "rejected", reason: error }]);
    await settle();
    expect(aborted()).toBe(chain.questions.length);
  });

  it("takes a config for each input", async () => {
    const runs = new Runs();
    const configs = [
      { callbacks: [runs], runName: "one" },
      { callbacks: [runs], runName: "two" },
    ];
    await splitterOf({ model: scripted() }).batch([documentsOf(1), documentsOf(1)], configs);
    expect([runs.named("one").length, runs.named("two").length]).toEqual([1, 1]);
  });

  it("of nothing is nothing", async () => {
    expect(await splitterOf({ model: scripted() }).batch([])).toEqual([]);
  });
});

describe("stream", () => {
  it("gives each chunk as soon as it is final", async () => {
    const { chain, answer } = held();
    const splitter = splitterOf({ boundaryChain: chain }, { maxConcurrency: 1 });
    const first = splitter.stream(documentsOf(1)).then((stream) => stream.next());
    await until(() => chain.questions.length === 1);
    answer();
    const { value } = await first;
    expect(textsOf(value)).toEqual([PARAGRAPHS.slice(0, 2).join("\n\n")]);
    expect(chain.questions.length).toBeLessThan(4);
  });

  it("gives what splitDocuments gives", async () => {
    const pieces: Document[] = [];
    const splitter = splitterOf({ model: scripted() });
    for await (const piece of await splitter.stream(documentsOf(5))) pieces.push(...piece);
    expect(pieces).toEqual(await splitter.splitDocuments(documentsOf(5)));
  });

  it("takes documents one by one, and reads no further than it must", async () => {
    let read = 0;
    async function* source() {
      for (; ; read++) yield new Document({ pageContent: TEXT, metadata: { read } });
    }
    const seen: unknown[] = [];
    for await (const [chunk] of await splitterOf({ model: scripted() }).stream(source())) {
      seen.push(chunk?.metadata.read);
      if (seen.length === 60) break;
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => Math.floor(i / 6)));
    expect(read).toBeLessThan(400);
    const before = read;
    await settle();
    expect(read - before).toBeLessThan(2);
  });

  it("closes its source when it is left", async () => {
    let closed = false;
    async function* source() {
      try {
        for (;;) yield new Document({ pageContent: TEXT });
      } finally {
        closed = true;
      }
    }
    for await (const _ of await splitterOf({ model: scripted() }).stream(source())) break;
    await settle();
    expect(closed).toBe(true);
  });

  it("closes its source when its signal is aborted", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    let closed = false;
    async function* source() {
      try {
        for (;;) {
          yield new Document({ pageContent: TEXT });
          await settle();
        }
      } finally {
        closed = true;
      }
    }
    const { signal } = controller;
    const stream = await splitterOf({ model: scripted() }).stream(source(), { signal });
    await stream.next();
    controller.abort(reason);
    await expect(
      (async () => {
        for await (const _ of stream);
      })(),
    ).rejects.toBe(reason);
    await settle();
    expect(closed).toBe(true);
  });

  it("rethrows its source's very error after the chunks before it", async () => {
    const error = new Error("page 3 is torn");
    async function* source() {
      yield new Document({ pageContent: "One." });
      await settle();
      throw error;
    }
    const stream = await splitterOf({ model: scripted() }).stream(source());
    expect(textsOf((await stream.next()).value)).toEqual(["One."]);
    await expect(stream.next()).rejects.toBe(error);
  });

  it("aborts what is in flight, and asks no more, when the loop is left", async () => {
    const { chain, answer, aborted } = held();
    const splitter = splitterOf({ boundaryChain: chain });
    const leaving = (async () => {
      for await (const _ of await splitter.stream(documentsOf(8))) break;
    })();
    await until(() => chain.questions.length === 8);
    answer(1);
    await leaving;
    const asked = chain.questions.length;
    expect(chain.inFlight).toBeGreaterThanOrEqual(7);
    expect(aborted()).toBe(asked - 1);
    answer();
    await settle();
    expect(chain.questions).toHaveLength(asked);
  });

  it("need not wait for an answer when the loop is left", async () => {
    const { chain, answer, aborted } = held();
    const splitter = splitterOf({ boundaryChain: chain }, { maxConcurrency: 1 });
    let left = false;
    const leaving = (async () => {
      for await (const _ of await splitter.stream(documentsOf(2))) {
        await settle(); // meanwhile the stream asks for the next chunk
        break;
      }
      left = true;
    })();
    await until(() => chain.questions.length === 1);
    answer();
    await settle();
    await settle();
    await settle();
    expect(left).toBe(true);
    await leaving;
    expect(aborted()).toBe(chain.questions.length - 1);
    expect(chain.questions.length).toBeLessThan(3);
  });

  it("refuses a source that is none", async () => {
    const splitter = splitterOf({ model: scripted() });
    async function* source() {
      yield "One." as unknown as Document;
    }
    const read = async (documents: unknown) => {
      for await (const _ of await splitter.stream(documents as Document[])) break;
    };
    await expect(read(source())).rejects.toMatchObject({ name: "InvalidParameterError" });
    await expect(read(["One."])).rejects.toMatchObject({ name: "InvalidParameterError" });
    await expect(read(7)).rejects.toMatchObject({ name: "InvalidParameterError" });
  });
});

describe("within a chain", () => {
  const chain = (model = scripted()) =>
    RunnableSequence.from<string, number>([
      RunnableLambda.from((text: string) => documentsOf(2, text)).withConfig({ runName: "load" }),
      splitterOf({ model }),
      RunnableLambda.from((chunks: Document[]) => chunks.length).withConfig({ runName: "count" }),
    ]);

  it("is a step like another", async () => {
    const runs = new Runs();
    expect(await chain().invoke(TEXT, { callbacks: [runs], tags: ["all"] })).toBe(12);
    const [run] = runs.named("LumberChunkerSplitter");
    expect(runs.above(run!)).toEqual(["RunnableSequence"]);
    for (const asked of runs.named("ScriptedChatModel"))
      expect(runs.above(asked).slice(-2)).toEqual(["LumberChunkerSplitter", "RunnableSequence"]);
  });

  it("streams its chunks on", async () => {
    const steps = RunnableSequence.from<string, Document[]>([
      RunnableLambda.from((text: string) => documentsOf(2, text)),
      splitterOf({ model: scripted() }),
    ]);
    const pieces: Document[][] = [];
    for await (const piece of await steps.stream(TEXT)) pieces.push(piece);
    expect(pieces).toHaveLength(12);
    expect(pieces.every((piece) => piece.length === 1)).toBe(true);
  });

  it("stops with the chain's signal", async () => {
    const { chain: boundaryChain, aborted } = held();
    const controller = new AbortController();
    const reason = new Error("enough");
    const steps = RunnableSequence.from<string, Document[]>([
      RunnableLambda.from((text: string) => documentsOf(2, text)),
      splitterOf({ boundaryChain }),
    ]);
    const settled = Promise.allSettled([steps.invoke(TEXT, { signal: controller.signal })]);
    await until(() => boundaryChain.questions.length > 0);
    controller.abort(reason);
    expect(await settled).toEqual([{ status: "rejected", reason }]);
    await settle();
    expect(aborted()).toBe(boundaryChain.questions.length);
  });

  it("shows itself and the model in streamEvents", async () => {
    const events: { event: string; name: string }[] = [];
    const model = scripted();
    for await (const { event, name } of chain(model).streamEvents(TEXT, { version: "v2" }))
      events.push({ event, name });
    const count = (event: string, name: string) =>
      events.filter((seen) => seen.event === event && seen.name === name).length;
    expect(count("on_chain_start", "LumberChunkerSplitter")).toBe(1);
    expect(count("on_chain_end", "LumberChunkerSplitter")).toBe(1);
    expect(count("on_chain_stream", "LumberChunkerSplitter")).toBe(12);
    expect(count("on_chat_model_start", "ScriptedChatModel")).toBe(model.calls.length);
    expect(count("on_custom_event", "lumberchunker_progress")).toBeGreaterThan(0);
  });

  it("keeps documents out of a streamed run's trace but their number", async () => {
    const runs = new Runs();
    const outputs: unknown[] = [];
    runs.handleChainEnd = (output: unknown, runId: string) => {
      if (runs.seen.get(runId)?.name === "LumberChunkerSplitter") outputs.push(output);
    };
    const stream = await splitterOf({ model: scripted() }).stream(documentsOf(3), {
      callbacks: [runs],
    });
    for await (const _ of stream);
    expect(outputs).toEqual([{ documents: 18 }]);
  });
});
