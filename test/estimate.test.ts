import { Document } from "@langchain/core/documents";
import { InMemoryStore } from "@langchain/core/stores";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBoundaryChain } from "../src/boundary/chain.js";
import { LexicalCohesionChatModel } from "../src/offline/model.js";
import type { LumberChunkerSplitterParams } from "../src/params.js";
import { LumberChunkerSplitter } from "../src/splitter.js";
import type { LengthFunction, Unit } from "../src/units.js";
import { seededChain } from "./helpers/deciding-chain.js";
import { ScriptedChatModel } from "./helpers/scripted-chat-model.js";
import { TextDecider } from "./helpers/text-decider.js";
import { anyText, LENGTHS } from "./helpers/texts.js";
import { allUnits } from "./helpers/units.js";

const length = (text: string) => text.length;

const documentsOf = (...texts: string[]) =>
  texts.map((pageContent) => new Document({ pageContent, metadata: {} }));

const BOOK = Array.from(
  { length: 200 },
  (_, i) => `Paragraph ${i}, ${"x".repeat((i * 31) % 47)}`,
).join("\n\n");

function splitterOf(params: Partial<LumberChunkerSplitterParams>): LumberChunkerSplitter {
  return new LumberChunkerSplitter({
    chunkSize: 120,
    lengthFunction: length,
    maxConcurrency: 1,
    ...params,
  });
}

/** Functions to which a whole has what its parts have: with others a chunk may shrink to fit. */
const ADDITIVE = ["characters", "words", "characters / 4", "bytes of UTF-8"];

const cases = fc.record({
  text: anyText,
  chunkSize: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 120 })),
  lengthFunction: fc.constantFrom(...ADDITIVE).map((name): LengthFunction => LENGTHS[name]!),
  minChunkSize: fc.constantFrom(0, 0, 1),
});

/** Right answers only: questions that are asked again are not counted. */
const DECIDERS = {
  random: (seed: number) => seededChain(seed, ["candidate"]),
  "random, or nothing": (seed: number) => seededChain(seed, ["candidate", "nothing"]),
  nothing: (seed: number) => seededChain(seed, ["nothing"]),
};

describe.each(Object.entries(DECIDERS))("the estimate of calls, %s", (_, deciderOf) => {
  it("has the truth between its least and its most, one at a time", async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.nat(), async ({ text, ...params }, seed) => {
        const boundaryChain = deciderOf(seed);
        const splitter = splitterOf({ boundaryChain, ...params });
        const { calls } = await splitter.estimate(documentsOf(text));
        expect(boundaryChain.questions).toEqual([]);
        await splitter.splitText(text);
        const truth = boundaryChain.questions.length;
        expect(truth).toBeGreaterThanOrEqual(calls.min);
        expect(truth).toBeLessThanOrEqual(calls.max);
        expect(calls.expected).toBeGreaterThanOrEqual(calls.min - 1e-9);
        expect(calls.expected).toBeLessThanOrEqual(calls.max + 1e-9);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the estimate", () => {
  it("has the truth between its least and its most with many places at once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { maxLength: 5 }),
        fc.nat(),
        fc.integer({ min: 2, max: 64 }),
        async (texts, seed, maxConcurrency) => {
          const boundaryChain = seededChain(seed, ["candidate", "nothing"]);
          const splitter = splitterOf({ boundaryChain, chunkSize: 20, maxConcurrency });
          const { calls } = await splitter.estimate(documentsOf(...texts));
          await splitter.splitDocuments(documentsOf(...texts));
          expect(boundaryChain.questions.length).toBeGreaterThanOrEqual(calls.min);
          expect(boundaryChain.questions.length).toBeLessThanOrEqual(calls.max);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("has the prompts' tokens between its least and its most", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[a-z]{1,30}( [a-z]{1,30}){0,3}$/), { maxLength: 12 }),
        fc.integer({ min: 30, max: 200 }),
        fc.nat(),
        async (paragraphs, chunkSize, seed) => {
          let tokens = 0;
          const model = new ScriptedChatModel({
            decide: ({ paragraphs }, call, messages) => {
              tokens += messages.map(({ text }) => text).join("\n").length;
              // an ID is counted as one of four digits
              for (const { id } of paragraphs) tokens += 4 - String(id).length;
              return paragraphs[1 + ((seed + call * 7) % (paragraphs.length - 1))]?.id ?? 0;
            },
          });
          const text = paragraphs.join("\n\n");
          const splitter = splitterOf({ model, chunkSize });
          const { inputTokens } = await splitter.estimate(documentsOf(text));
          await splitter.splitText(text);
          expect(tokens).toBeGreaterThanOrEqual(inputTokens.min);
          expect(tokens).toBeLessThanOrEqual(inputTokens.max);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("tells how many paragraphs and tokens there are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { maxLength: 4 }), async (texts) => {
        const splitter = splitterOf({ boundaryChain: new TextDecider(), chunkSize: 20 });
        const { paragraphs, tokens } = await splitter.estimate(documentsOf(...texts));
        const all: Unit[] = [];
        let last = 0;
        for (const text of texts) {
          const { list } = await allUnits(text, { chunkSize: 20, lengthFunction: length });
          all.push(...list);
          last += list.last?.paragraph ?? 0;
        }
        expect(paragraphs).toBe(last);
        expect(tokens).toBe(all.reduce((sum, unit) => sum + unit.tokens, 0));
      }),
      { numRuns: 100 },
    );
  });

  it("is the sum of the documents'", async () => {
    const splitter = splitterOf({ boundaryChain: new TextDecider() });
    const one = await splitter.estimate(documentsOf(BOOK));
    const three = await splitter.estimate(documentsOf(BOOK, BOOK, BOOK));
    expect(three.calls.min).toBe(3 * one.calls.min);
    expect(three.calls.expected).toBeCloseTo(3 * one.calls.expected);
    expect(three.tokens).toBe(3 * one.tokens);
  });

  it("of nothing is nothing", async () => {
    const splitter = splitterOf({ boundaryChain: new TextDecider(), maxConcurrency: 8 });
    const nothing = { min: 0, expected: 0, max: 0 };
    for (const documents of [[], documentsOf(""), documentsOf(" \n\n\t")])
      expect(await splitter.estimate(documents)).toEqual({
        paragraphs: 0,
        tokens: 0,
        calls: nothing,
        inputTokens: nothing,
      });
  });

  it("asks no model", async () => {
    const model = new ScriptedChatModel({ decide: () => 0 });
    const { calls, inputTokens } = await splitterOf({ model }).estimate(documentsOf(BOOK));
    expect(model.calls).toEqual([]);
    expect(calls.min).toBeGreaterThan(0);
    expect(inputTokens.min).toBeGreaterThan(0);
  });

  it("counts the instructions of our chain, once for each call", async () => {
    const bare = splitterOf({ boundaryChain: new TextDecider() });
    const ours = splitterOf({ boundaryChain: createBoundaryChain(new LexicalCohesionChatModel()) });
    const without = await bare.estimate(documentsOf(BOOK));
    const within = await ours.estimate(documentsOf(BOOK));
    expect(within.calls).toEqual(without.calls);
    const each =
      (within.inputTokens.expected - without.inputTokens.expected) / within.calls.expected;
    expect(each).toBeGreaterThan(200);
    expect(within.inputTokens.min).toBeGreaterThan(
      without.inputTokens.min + 200 * within.calls.min,
    );
  });

  it("takes what is remembered to cost nothing", async () => {
    const decisionStore = new InMemoryStore<Uint8Array>();
    const boundaryChain = new TextDecider();
    const splitter = splitterOf({ boundaryChain, decisionStore });
    const before = await splitter.estimate(documentsOf(BOOK));
    await splitter.splitText(BOOK);
    const { calls } = boundaryChain;
    expect(before.calls.min).toBeGreaterThan(0);
    expect((await splitter.estimate(documentsOf(BOOK))).calls).toEqual({
      min: 0,
      expected: 0,
      max: 0,
    });
    expect(boundaryChain.calls).toBe(calls);
  });

  it("takes an edit to cost what lies around it", async () => {
    const decisionStore = new InMemoryStore<Uint8Array>();
    const boundaryChain = new TextDecider();
    const splitter = splitterOf({ boundaryChain, decisionStore });
    const whole = await splitter.estimate(documentsOf(BOOK));
    await splitter.splitText(BOOK);
    const edited = BOOK.replace("Paragraph 100,", "Paragraph one hundred,");
    const { calls } = await splitter.estimate(documentsOf(edited));
    const before = boundaryChain.calls;
    await splitter.splitText(edited);
    const truth = boundaryChain.calls - before;
    expect(truth).toBeGreaterThanOrEqual(calls.min);
    expect(truth).toBeLessThanOrEqual(calls.max);
    expect(calls.max).toBeLessThan(whole.calls.max / 2);
  });

  it("stops when its signal is aborted", async () => {
    const reason = new Error("enough");
    const splitter = splitterOf({ boundaryChain: new TextDecider() });
    const estimate = splitter.estimate(documentsOf(BOOK), { signal: AbortSignal.abort(reason) });
    await expect(estimate).rejects.toBe(reason);
  });
});
