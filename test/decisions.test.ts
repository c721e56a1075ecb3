import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalFileStore } from "@langchain/classic/storage/file_system";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { InMemoryStore } from "@langchain/core/stores";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBoundaryChain } from "../src/boundary/chain.js";
import type { BoundaryQuestion } from "../src/boundary/question.js";
import type { DecisionStore } from "../src/decisions.js";
import { lines, type Paragraph } from "../src/paragraphs.js";
import type { LumberChunkerSplitterParams } from "../src/params.js";
import { LumberChunkerSplitter } from "../src/splitter.js";
import type { LengthFunction } from "../src/units.js";
import { DecidingChain } from "./helpers/deciding-chain.js";
import { ScriptedChatModel, type ScriptedChatModelParams } from "./helpers/scripted-chat-model.js";
import { TextDecider, wait } from "./helpers/text-decider.js";
import { hash, LENGTHS } from "./helpers/texts.js";

type Params = Omit<LumberChunkerSplitterParams, "model" | "boundaryChain">;

const words = LENGTHS.words as (text: string) => number;

/** Paragraphs of one to eight words, the same at each call. */
const paragraphs = Array.from({ length: 700 }, (_, i) =>
  Array.from({ length: 1 + Math.floor(8 * hash(`${i}`)) }, (_, j) => `word${i}-${j}`).join(" "),
);
const book = paragraphs.join("\n\n");

async function split(text: string, params: Params, seed = 0) {
  const decider = new TextDecider(seed, () => Promise.resolve());
  const splitter = new LumberChunkerSplitter({
    boundaryChain: decider,
    chunkSize: 30,
    lengthFunction: words,
    maxConcurrency: 1,
    ...params,
  });
  const chunks = await splitter.splitText(text);
  return { chunks, calls: decider.calls };
}

async function keysOf(store: DecisionStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.yieldKeys()) keys.push(key);
  return keys;
}

async function filled(): Promise<InMemoryStore<Uint8Array>> {
  const store = new InMemoryStore<Uint8Array>();
  await split(book, { decisionStore: store });
  return store;
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "decisions-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, maxRetries: 5 });
  }
}

describe("a second run", () => {
  test.each([
    [1, 1],
    [1, 8],
    [8, 1],
    [8, 8],
    [3, 32],
    [32, 16],
  ])("asks nothing: %i at once, then %i", async (first, second) => {
    const decisionStore = new InMemoryStore<Uint8Array>();
    const before = await split(book, { decisionStore, maxConcurrency: first });
    const after = await split(book, { decisionStore, maxConcurrency: second });
    expect(before.calls).toBeGreaterThan(100);
    expect(after).toEqual({ chunks: before.chunks, calls: 0 });
  });

  test("asks nothing for the same paragraphs in another text", async () => {
    const decisionStore = await filled();
    const { calls } = await split(`One more paragraph.\n\n${book}`, { decisionStore });
    expect(calls).toBeLessThan(10);
  });

  test("reports what it remembered", async () => {
    const decisionStore = new InMemoryStore<Uint8Array>();
    const { calls } = await split(book, { decisionStore });
    const reports: [number, number][] = [];
    const onProgress: Params["onProgress"] = (report) =>
      reports.push([report.calls, report.remembered]);
    await split(book, { decisionStore, onProgress });
    expect(reports.at(-1)).toEqual([0, calls]);
  });

  test("takes the answers of a run that was stopped half-way", async () => {
    const decisionStore = new InMemoryStore<Uint8Array>();
    const whole = await split(book, {});
    let calls = 0;
    const stopped = new LumberChunkerSplitter({
      boundaryChain: new TextDecider(0, () => {
        calls += 1;
        return calls > 60 ? Promise.reject(new Error("No quota")) : undefined;
      }),
      chunkSize: 30,
      lengthFunction: words,
      maxConcurrency: 1,
      decisionStore,
    });
    await expect(stopped.splitText(book)).rejects.toThrow("No quota");
    const rest = await split(book, { decisionStore });
    expect(rest).toEqual({ chunks: whole.chunks, calls: whole.calls - 60 });
  });
});

describe("the store", () => {
  test("may be a folder", async () => {
    await inFolder(async (folder) => {
      const decisionStore = await LocalFileStore.fromPath(folder);
      const before = await split(book, { decisionStore, maxConcurrency: 8 });
      const after = await split(book, {
        decisionStore: await LocalFileStore.fromPath(folder),
        maxConcurrency: 8,
      });
      expect(after).toEqual({ chunks: before.chunks, calls: 0 });
      for (const file of await readdir(folder)) expect(file).toMatch(/^[A-Za-z0-9_-]+\.txt$/);
    });
  });

  test("may be a folder that others open again and again", async () => {
    await inFolder(async (folder) => {
      const fresh = await split(book, {});
      let done = false;
      const opening = (async () => {
        while (!done) {
          await LocalFileStore.fromPath(folder);
          await wait(20);
        }
      })();
      const decisionStore = await LocalFileStore.fromPath(folder);
      const { chunks } = await split(book, { decisionStore, maxConcurrency: 16 }).finally(() => {
        done = true;
      });
      await opening;
      expect(chunks).toEqual(fresh.chunks);
    });
  });

  test("gets short keys of letters, digits, - and _", async () => {
    const keys = await keysOf(await filled());
    expect(keys.length).toBeGreaterThan(100);
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{1,200}$/);
  });

  test("is read in batches, and each start once", async () => {
    const reads: string[][] = [];
    class Counted extends InMemoryStore<Uint8Array> {
      override async mget(keys: string[]) {
        reads.push(keys);
        return super.mget(keys);
      }
    }
    const decisionStore = new Counted();
    await split(book, { decisionStore, maxConcurrency: 8 });
    expect(reads.length).toBeLessThan(20);
    reads.length = 0;
    await split(book, { decisionStore, maxConcurrency: 8 });
    expect(reads.length).toBe(Math.ceil(paragraphs.length / 256));
    expect(new Set(reads.flat()).size).toBe(reads.flat().length);
  });

  test("keeps no answer that was not valid", async () => {
    const store = new InMemoryStore<Uint8Array>();
    const splitter = new LumberChunkerSplitter({
      boundaryChain: new DecidingChain(() => ({ boundaryId: -1 })),
      chunkSize: 30,
      lengthFunction: words,
      decisionStore: store,
    });
    await splitter.splitText(book);
    expect(await keysOf(store)).toEqual([]);
  });

  test("shares no buffer", async () => {
    class Wiping extends InMemoryStore<Uint8Array> {
      override async mset(pairs: [string, Uint8Array][]) {
        await super.mset(pairs.map(([key, value]) => [key, value.slice()]));
        for (const [, value] of pairs) value.fill(0);
      }
    }
    const decisionStore = new Wiping();
    await split(book, { decisionStore });
    expect((await split(book, { decisionStore })).calls).toBe(0);
  });
});

describe("values that are not ours", () => {
  /** As stores outside TypeScript have it. */
  const none = null as unknown as undefined;

  type Damage = (value: Uint8Array, key: string, others: Uint8Array[]) => unknown;

  const damage: fc.Arbitrary<Damage> = fc.oneof(
    fc.uint8Array({ maxLength: 100 }).map((bytes) => () => bytes),
    fc.nat().map((at) => (value: Uint8Array) => value.subarray(0, at % value.length)),
    fc
      .tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))
      .map(([at, bits]) => (value: Uint8Array) => {
        return value.map((byte, i) => (i === at % value.length ? byte ^ bits : byte));
      }),
    fc.uint8Array({ minLength: 1, maxLength: 9 }).map((bytes) => (value: Uint8Array) => {
      return Uint8Array.of(...value, ...bytes);
    }),
    fc.integer().map((place) => () => new TextEncoder().encode(String(place))),
    fc.nat().map((i) => (value: Uint8Array, _key: string, others: Uint8Array[]) => {
      const other = others[i % others.length];
      return other === value ? undefined : other;
    }),
    fc.constantFrom(null, undefined, "3", 3, {}, [], new Uint8Array(0)).map((value) => () => value),
  );

  test("are treated as not there", async () => {
    const text = paragraphs.slice(0, 60).join("\n\n");
    const fresh = await split(text, {});
    await fc.assert(
      fc.asyncProperty(damage, async (damaged) => {
        const decisionStore = new InMemoryStore<Uint8Array>();
        await split(text, { decisionStore });
        const keys = await keysOf(decisionStore);
        const values = (await decisionStore.mget(keys)).filter((value) => value !== undefined);
        const pairs = keys.map((key, i) => [key, damaged(values[i] as Uint8Array, key, values)]);
        await decisionStore.mset(pairs as [string, Uint8Array][]);
        expect(await split(text, { decisionStore })).toEqual(fresh);
      }),
      { numRuns: 150 },
    );
  });

  test("are written over", async () => {
    const decisionStore = await filled();
    const keys = await keysOf(decisionStore);
    await decisionStore.mset(keys.map((key) => [key, new Uint8Array([1, 2, 3])]));
    await split(book, { decisionStore });
    expect((await split(book, { decisionStore })).calls).toBe(0);
  });

  type Values = (Uint8Array | undefined)[];

  test.each<[string, (values: Values) => Values, boolean]>([
    ["Buffers", (values) => values.map((value) => value && Buffer.from(value)), true],
    ["null for what is missing", (values) => values.map((value) => value ?? none), true],
    ["fewer values than keys", (values) => values.slice(0, 10), false],
    ["no values", () => [], false],
  ])("a store may return %s", async (_name, returned, remembers) => {
    class Odd extends InMemoryStore<Uint8Array> {
      override async mget(keys: string[]) {
        return returned((await super.mget(keys)) as Values) as Uint8Array[];
      }
    }
    const decisionStore = new Odd();
    const before = await split(book, { decisionStore });
    const after = await split(book, { decisionStore });
    expect(after.chunks).toEqual(before.chunks);
    if (remembers) expect(after.calls).toBe(0);
    else expect(after.calls).toBeGreaterThan(before.calls - 31);
  });
});

describe("an old answer is never taken for a new one", () => {
  /** Words in rows, rows in blocks: each rule finds other paragraphs. */
  const rows = Array.from(
    { length: 300 },
    (_, i) => `row${i} ${"x ".repeat(i % 5)}end${i % 3 === 2 ? "\n" : ""}`,
  ).join("\n");

  const halves = (text: string): Paragraph[] =>
    [...lines(text)].flatMap(({ start, end }) => {
      const middle = text.indexOf(" ", start);
      return [
        { start, end: middle },
        { start: middle + 1, end },
      ];
    });

  test.each<[string, Params, number?]>([
    ["the decider", {}, 1],
    ["chunkSize", { chunkSize: 31 }],
    ["minChunkSize", { minChunkSize: 5 }],
    ["sectionBreaks", { sectionBreaks: true }],
    ["the paragraphs' rule", { paragraphs: "line" }],
    ["the paragraphs' function", { paragraphs: halves }],
  ])("when %s changes", async (_name, change, seed) => {
    const decisionStore = new InMemoryStore<Uint8Array>();
    await split(rows, { decisionStore });
    const fresh = await split(rows, change, seed);
    expect(fresh.calls).toBeGreaterThan(20);
    expect(await split(rows, { ...change, decisionStore }, seed)).toEqual(fresh);
  });

  const params = fc.record({
    chunkSize: fc.constantFrom(4, 5, 6, 9),
    minChunkSize: fc.constantFrom(0, 2, 3),
    sectionBreaks: fc.boolean(),
    paragraphs: fc.constantFrom("line" as const, "blank-line" as const, "auto" as const, sections),
  });

  /** Every line a paragraph; one that begins with A starts a section. */
  function sections(text: string): Paragraph[] {
    return [...lines(text)].map(({ start, end }) => ({
      start,
      end,
      startsSection: text[start] === "A",
    }));
  }

  const text = fc
    .array(
      fc.tuple(
        fc.constantFrom("A", "b", "c d", "A b c", "d e f g", "b c d e f g h"),
        fc.constantFrom("\n", "\n\n", "\n \n", "\r\n\r\n\r\n"),
      ),
      { minLength: 4, maxLength: 30 },
    )
    .map((pieces) => pieces.flat().join(""));

  test("whatever else the store was used for", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, params, params, async (one, other, first, second) => {
        const decisionStore = new InMemoryStore<Uint8Array>();
        await split(one, { ...first, decisionStore });
        await split(other, { ...first, decisionStore });
        const fresh = await split(one, second);
        const again = await split(one, { ...second, decisionStore });
        expect(again.chunks).toEqual(fresh.chunks);
      }),
      { numRuns: 300 },
    );
  });

  test("since a key stands for all that was shown", async () => {
    const shownBy = new Map<string, string>();
    const length = fc.constantFrom<LengthFunction>(words, (text) => Math.ceil(text.length / 2));
    await fc.assert(
      fc.asyncProperty(text, params, length, async (one, chosen, lengthFunction) => {
        let shown = "";
        const decider = new TextDecider(0, (question) => {
          shown = JSON.stringify(question.paragraphs.map((paragraph) => paragraph.text));
          return undefined;
        });
        const decisionStore = new InMemoryStore<Uint8Array>();
        decisionStore.mset = async ([pair]) => {
          const key = pair?.[0] ?? "";
          expect(shownBy.get(key) ?? shown).toBe(shown);
          shownBy.set(key, shown);
        };
        await new LumberChunkerSplitter({
          boundaryChain: decider,
          maxConcurrency: 1,
          lengthFunction,
          decisionStore,
          ...chosen,
        }).splitText(one);
      }),
      { numRuns: 1500 },
    );
    expect(shownBy.size).toBeGreaterThan(1000);
  });

  test("when only characters change that SHA-256 in JavaScript can mix up", async () => {
    const decisionStore = new InMemoryStore<Uint8Array>();
    const texts = ["\ud800\u0061", "\ud800\udc61"].map((odd) =>
      paragraphs
        .slice(0, 60)
        .map((paragraph) => `${paragraph} ${odd}`)
        .join("\n\n"),
    );
    for (const odd of texts) {
      expect(await split(odd, { decisionStore })).toEqual(await split(odd, {}));
    }
  });

  test("when the end of a long paragraph changes", async () => {
    const decisionStore = new InMemoryStore<Uint8Array>();
    const long = (end: string) =>
      Array.from({ length: 12 }, (_, i) => `${i} ${"many words ".repeat(11_000)}${end}`).join(
        "\n\n",
      );
    const params = { chunkSize: 50_000, decisionStore };
    await split(long("here"), params);
    expect(await split(long("there"), params)).toEqual(
      await split(long("there"), { chunkSize: 50_000 }),
    );
  });
});

describe("the model", () => {
  interface ModelFields extends ScriptedChatModelParams {
    apiKey?: string;
    temperature?: number;
  }

  /** A model that says what it was made with, like those of the providers. */
  class NamedChatModel extends ScriptedChatModel {
    override lc_serializable = true;
    constructor(fields: Partial<ModelFields> = {}) {
      super({ decide: decideByText, ...fields });
    }
  }

  function decideByText({ paragraphs: shown }: BoundaryQuestion): number {
    const place = Math.floor(hash(shown.map(({ text }) => text).join("\0")) * shown.length);
    return place === 0 ? 0 : (shown[place]?.id ?? 0);
  }

  async function callsOf(store: DecisionStore, fields: Partial<ModelFields>, prompt?: string) {
    const model = new NamedChatModel(fields);
    const boundaryChain = createBoundaryChain(
      model,
      prompt === undefined ? {} : { prompt: ChatPromptTemplate.fromTemplate(prompt) },
    );
    const params = {
      chunkSize: 30,
      lengthFunction: words,
      maxConcurrency: 1,
      decisionStore: store,
    };
    const splitter = new LumberChunkerSplitter({ boundaryChain, ...params });
    await splitter.splitText(paragraphs.slice(0, 100).join("\n\n"));
    return model.calls.length;
  }

  test("is the same with another key, and its key is nowhere in the store", async () => {
    const store = new InMemoryStore<Uint8Array>();
    expect(await callsOf(store, { apiKey: "sk-secret-1" })).toBeGreaterThan(10);
    expect(await callsOf(store, { apiKey: "sk-secret-2" })).toBe(0);
    const keys = await keysOf(store);
    const values = (await store.mget(keys)).map((value) => new TextDecoder().decode(value));
    expect([...keys, ...values].join("\n")).not.toContain("secret");
  });

  test("is another one with other settings or another prompt", async () => {
    const store = new InMemoryStore<Uint8Array>();
    const calls = await callsOf(store, { temperature: 0 });
    expect(await callsOf(store, { temperature: 1 })).toBe(calls);
    expect(await callsOf(store, { temperature: 0 }, "Where?\n\n{paragraphs}")).toBe(calls);
    expect(await callsOf(store, { temperature: 0 }, "Where, then?\n\n{paragraphs}")).toBe(calls);
    expect(await callsOf(store, { temperature: 0 })).toBe(0);
  });
});

describe("a store that fails", () => {
  const error = new Error("The disk is full");

  function failing(method: "mget" | "mset", after: number, how: () => Promise<never>) {
    let calls = 0;
    const store = new InMemoryStore<Uint8Array>();
    const works = store[method].bind(store) as (argument: never) => Promise<never>;
    store[method] = (argument: never) => (calls++ < after ? works(argument) : how());
    return store;
  }

  const rejects = () => Promise.reject(error);
  const throws = () => {
    throw error;
  };

  test.each([
    ["mget rejects", "mget", 0, rejects],
    ["mget throws", "mget", 0, throws],
    ["mget rejects later", "mget", 2, rejects],
    ["mset rejects", "mset", 0, rejects],
    ["mset throws", "mset", 0, throws],
    ["mset rejects later", "mset", 50, rejects],
  ] as const)("is an error, and that very one: %s", async (_name, method, after, how) => {
    for (const maxConcurrency of [1, 8]) {
      const decisionStore = failing(method, after, how);
      await expect(split(book, { decisionStore, maxConcurrency })).rejects.toBe(error);
    }
  });

  test("is noticed when it only says so on reading", async () => {
    const store = new InMemoryStore<Uint8Array>();
    let written = 0;
    store.mset = async () => {
      written += 1;
    };
    const mget = store.mget.bind(store);
    store.mget = (keys) => (written > 20 ? Promise.reject(error) : mget(keys));
    await expect(split(book, { decisionStore: store })).rejects.toBe(error);
  });

  test("keeps no one from stopping", async () => {
    const decisionStore = new InMemoryStore<Uint8Array>();
    decisionStore.mget = () => new Promise(() => undefined);
    const controller = new AbortController();
    const splitter = new LumberChunkerSplitter({
      boundaryChain: new TextDecider(),
      decisionStore,
    });
    const splitting = splitter.splitText(book, { signal: controller.signal });
    setTimeout(() => controller.abort(error));
    await expect(splitting).rejects.toBe(error);
  });

  test("is left alone once the run was stopped", async () => {
    let reads = 0;
    const controller = new AbortController();
    const store = new InMemoryStore<Uint8Array>();
    const mget = store.mget.bind(store);
    store.mget = (keys) => {
      reads += 1;
      controller.abort(error);
      return mget(keys);
    };
    const splitter = new LumberChunkerSplitter({
      boundaryChain: new TextDecider(),
      chunkSize: 30,
      lengthFunction: words,
      decisionStore: store,
    });
    await expect(splitter.splitText(book, { signal: controller.signal })).rejects.toBe(error);
    await wait(50);
    expect(reads).toBe(1);
  });
});
