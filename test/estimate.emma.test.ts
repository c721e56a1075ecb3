import { Document } from "@langchain/core/documents";
import { describe, expect, it } from "vitest";
import type { BoundaryQuestion } from "../src/boundary/question.js";
import { LexicalCohesionChatModel } from "../src/offline/model.js";
import type { LumberChunkerSplitterParams } from "../src/params.js";
import { LumberChunkerSplitter } from "../src/splitter.js";
import { emma, hasEmma, mobyDick } from "./helpers/books.js";
import { DecidingChain } from "./helpers/deciding-chain.js";
import { hash } from "./helpers/texts.js";

type Deciding = Pick<LumberChunkerSplitterParams, "model" | "boundaryChain">;

const BOOKS: [string, () => string[]][] = [["Moby Dick", mobyDick]];
if (hasEmma) BOOKS.push(["Emma", emma]);

const choosing = (choose: (question: BoundaryQuestion) => number) => (): Deciding => ({
  boundaryChain: new DecidingChain((question) => ({
    boundaryId: question.paragraphs[choose(question)]?.id ?? 0,
  })),
});

const byHash = choosing(
  ({ paragraphs }) => 1 + Math.floor(hash(String(paragraphs[0]?.id)) * (paragraphs.length - 1)),
);
const lexical = (): Deciding => ({ model: new LexicalCohesionChatModel() });

const LIKELY: [string, () => Deciding][] = [
  ["a hash of the first ID", byHash],
  ["lexical cohesion", lexical],
];

const STEADY: [string, () => Deciding][] = [
  ["always the first candidate", choosing(() => 1)],
  ["always the middle", choosing(({ paragraphs }) => Math.floor(paragraphs.length / 2))],
  ["always the last", choosing(({ paragraphs }) => paragraphs.length - 1)],
  ["always 0", choosing(() => -1)],
];

const LENGTHS: [string, (text: string) => number][] = [
  ["characters / 4", (text) => Math.ceil(text.length / 4)],
  ["1.2 words", (text) => 1.2 * text.split(/\s+/).filter(Boolean).length],
];

async function estimateAndTruth(
  paragraphs: readonly string[],
  params: Partial<LumberChunkerSplitterParams>,
) {
  let truth = 0;
  const splitter = new LumberChunkerSplitter({
    ...params,
    onProgress: ({ calls }) => {
      truth = calls;
    },
  });
  const documents = [new Document({ pageContent: paragraphs.join("\n\n") })];
  const { calls } = await splitter.estimate(documents);
  await splitter.splitDocuments(documents);
  return { calls, truth };
}

describe.each(BOOKS)("the estimate of %s", (_, paragraphs) => {
  describe.each(LENGTHS)("in %s", (_, lengthFunction) => {
    it.each(STEADY)("has the truth inside, %s", async (_, deciding) => {
      for (const maxConcurrency of [1, 8, 32]) {
        const params = { ...deciding(), lengthFunction, maxConcurrency };
        const { calls, truth } = await estimateAndTruth(paragraphs(), params);
        expect(truth).toBeGreaterThanOrEqual(calls.min);
        expect(truth).toBeLessThanOrEqual(calls.max);
      }
    });

    it.each(LIKELY)("expects the truth within a quarter, decided by %s", async (_, deciding) => {
      for (const maxConcurrency of [1, 8, 32]) {
        const params = { ...deciding(), lengthFunction, maxConcurrency };
        const { calls, truth } = await estimateAndTruth(paragraphs(), params);
        expect(truth).toBeGreaterThanOrEqual(calls.min);
        expect(truth).toBeLessThanOrEqual(calls.max);
        expect(Math.abs(calls.expected / truth - 1)).toBeLessThanOrEqual(0.25);
      }
    });
  });
});
