import { Document } from "@langchain/core/documents";
import { describe, expect, it } from "vitest";
import { LumberChunkerSplitter } from "../src/splitter.js";
import { byHash, type Choose, characters, decider, fewTurns, STEADY } from "./bench/decider.js";
import { equalParagraphs, logLines, prose, tableRows } from "./bench/texts.js";

/** Paragraphs of 100 and of 500 characters in turn. */
const alternating = Array.from({ length: 2000 }, (_, i) =>
  "word ".repeat(i % 2 === 0 ? 20 : 100).trim(),
).join("\n\n");

const TEXTS: Record<string, string[]> = {
  "6,000 equal paragraphs": [equalParagraphs(6000)],
  "6,000 rows of a table": [tableRows(6000)],
  "6,000 lines of a log": [logLines(6000)],
  "60 equal paragraphs": [equalParagraphs(60)],
  "400 rows of a table": [tableRows(400)],
  "900 lines of a log": [logLines(900)],
  "paragraphs of two lengths in turn": [alternating],
  "prose, then equal paragraphs": [`${prose(800)}\n\n${equalParagraphs(3000)}`],
  "equal paragraphs, then prose": [`${equalParagraphs(3000)}\n\n${prose(800)}`],
  "ten texts of 300 equal paragraphs": Array.from({ length: 10 }, () => equalParagraphs(300)),
  "a hundred texts of 30 equal paragraphs": Array.from({ length: 100 }, () => equalParagraphs(30)),
};

async function calls(texts: string[], choose: Choose, maxConcurrency: number): Promise<number> {
  const run = decider(choose, maxConcurrency > 1 ? fewTurns : undefined);
  const splitter = new LumberChunkerSplitter({
    boundaryChain: run.chain,
    lengthFunction: characters,
    maxConcurrency,
  });
  const documents = texts.map((pageContent) => new Document({ pageContent, metadata: {} }));
  await splitter.splitDocuments(documents);
  return run.calls;
}

describe("many places at once ask little in vain", () => {
  const deciders = { ...STEADY, "one of the candidates by a hash": byHash() };
  const cases = Object.entries(TEXTS).flatMap(([text, texts]) =>
    Object.entries(deciders).map(([answer, choose]) => ({ text, texts, answer, choose })),
  );
  it.each(cases)("$text, always answered $answer", async ({ texts, choose }) => {
    const one = await calls(texts, choose, 1);
    // a hash is no habit: walks may join, but late, which is told only by having asked
    const more = choose === deciders["one of the candidates by a hash"] ? 2 : 1;
    for (const maxConcurrency of [8, 32])
      expect(await calls(texts, choose, maxConcurrency)).toBeLessThanOrEqual(
        1.25 * one + more * maxConcurrency,
      );
  });
});
