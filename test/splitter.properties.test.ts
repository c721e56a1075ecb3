import { Document } from "@langchain/core/documents";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paragraphsOf } from "../src/paragraphs.js";
import type { ChunkDocument } from "../src/documents.js";
import { LumberChunkerSplitter } from "../src/splitter.js";
import { tokenLength } from "../src/tokens.js";
import type { LengthFunction } from "../src/units.js";
import { ANSWERS, type DecidingChain, seededChain } from "./helpers/deciding-chain.js";
import { anyText, cutGraphemes, isBlank, LENGTHS, newlines } from "./helpers/texts.js";

const TOKENS = tokenLength();

interface Case {
  text: string;
  chunkSize: number;
  length: LengthFunction;
  seed: number;
  kinds: string[];
}

const kinds: fc.Arbitrary<string[]> = fc.oneof(
  fc.constant<string[]>(["candidate"]),
  fc.constant(Object.keys(ANSWERS)),
  fc.subarray(Object.keys(ANSWERS), { minLength: 1, maxLength: 3 }),
);

function cases(lengths: Record<string, LengthFunction>): fc.Arbitrary<Case> {
  return fc.record({
    text: anyText,
    chunkSize: fc.oneof(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 120 }),
      fc.double({ min: 0.3, max: 20, noNaN: true }),
    ),
    length: fc.constantFrom(...Object.keys(lengths)).map((name) => lengths[name]!),
    seed: fc.nat(),
    kinds,
  });
}

interface Split {
  chunks: ChunkDocument[];
  chain: DecidingChain;
}

async function split(
  { text, chunkSize, length, seed, kinds }: Case,
  maxConcurrency: number,
): Promise<Split> {
  const chain = seededChain(seed, kinds);
  const splitter = new LumberChunkerSplitter({
    boundaryChain: chain,
    chunkSize,
    lengthFunction: length,
    maxConcurrency,
  });
  const chunks = await splitter.splitDocuments([new Document({ pageContent: text })]);
  return { chunks, chain };
}

/** What must hold for every text, every decider and every way to count. */
async function check({ text, chunkSize, length }: Case, { chunks, chain }: Split): Promise<void> {
  const paragraphs = [...paragraphsOf(text, "auto")];
  let end = 0;
  let paragraphTo = 0;
  for (const [i, { pageContent, metadata }] of chunks.entries()) {
    const { startIndex, endIndex, paragraphFrom } = metadata;
    expect(text.slice(startIndex, endIndex)).toBe(pageContent);
    expect(pageContent.trim()).not.toBe("");
    expect(startIndex).toBeGreaterThanOrEqual(end);
    expect(isBlank(text.slice(end, startIndex))).toBe(true);
    expect(metadata.chunkIndex).toBe(i);
    expect(metadata.tokenCount).toBe(await length(pageContent));
    if (metadata.tokenCount > chunkSize) expect([...pageContent]).toHaveLength(1);
    expect(metadata.loc.lines).toEqual({
      from: 1 + newlines(text.slice(0, startIndex)),
      to: 1 + newlines(text.slice(0, endIndex)),
    });
    const first = paragraphs.findIndex((span) => startIndex < span.end);
    const last = paragraphs.findLastIndex((span) => endIndex > span.start);
    expect([paragraphFrom, metadata.paragraphTo]).toEqual([first + 1, last + 1]);
    expect([paragraphTo, paragraphTo + 1]).toContain(paragraphFrom);
    expect(metadata.boundary === "start").toBe(i === 0);
    end = endIndex;
    paragraphTo = metadata.paragraphTo;
  }
  expect(isBlank(text.slice(end))).toBe(true);
  expect(paragraphTo).toBe(paragraphs.length);
  const cuts = chunks.flatMap(({ metadata }) => [metadata.startIndex, metadata.endIndex]);
  for (const grapheme of cutGraphemes(text, cuts))
    expect(await length(grapheme), JSON.stringify(grapheme)).toBeGreaterThan(chunkSize);
  checkQuestions(text, chain);
}

/** Questions show windows of the text, each start once, every paragraph behind its own ID. */
function checkQuestions(text: string, { questions }: DecidingChain): void {
  const shown = new Map<number, string>();
  const starts = questions.map(({ paragraphs }) => paragraphs[0]?.id);
  expect(new Set(starts).size).toBe(starts.length);
  for (const { paragraphs } of questions) {
    expect(paragraphs.length).toBeGreaterThan(1);
    for (const [i, paragraph] of paragraphs.entries()) {
      expect(paragraph.id).toBe((paragraphs[0]?.id ?? 0) + i);
      expect(text).toContain(paragraph.text);
      const before = shown.get(paragraph.id) ?? "";
      const [longer = "", shorter = ""] = [before, paragraph.text].sort(
        (a, b) => b.length - a.length,
      );
      expect(longer.startsWith(shorter)).toBe(true);
      shown.set(paragraph.id, longer);
    }
  }
}

describe("LumberChunkerSplitter, for any text, decider, chunkSize and length", () => {
  it("gives exact slices that fit, in order, with white space only between them", async () => {
    await fc.assert(
      fc.asyncProperty(cases(LENGTHS), fc.integer({ min: 1, max: 16 }), async (input, n) => {
        await check(input, await split(input, n));
      }),
      { numRuns: 400 },
    );
  });

  it("holds with tokens of cl100k_base", async () => {
    await fc.assert(
      fc.asyncProperty(cases({ tokens: TOKENS }), async (input) => {
        await check(input, await split(input, 8));
      }),
      { numRuns: 100 },
    );
  });

  it("gives the same chunks twice, and for every maxConcurrency", async () => {
    const concurrency = fc.integer({ min: 1, max: 64 });
    const long = fc.array(anyText, { minLength: 1, maxLength: 12 }).map((all) => all.join("\n\n"));
    const longCase = fc.tuple(cases(LENGTHS), long).map(([input, text]) => ({ ...input, text }));
    await fc.assert(
      fc.asyncProperty(longCase, concurrency, concurrency, async (input, a, b) => {
        const alone = await split(input, 1);
        for (const maxConcurrency of [1, a, b]) {
          const { chunks, chain } = await split(input, maxConcurrency);
          expect(chunks).toEqual(alone.chunks);
          expect(chain.mostInFlight).toBeLessThanOrEqual(maxConcurrency);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("asks at most once for each unit, and one at a time at most once for each chunk", async () => {
    await fc.assert(
      fc.asyncProperty(cases(LENGTHS), async (input) => {
        const everywhere = await split({ ...input, kinds: ["candidate"] }, 64);
        const units = new Set<number>();
        for (const { paragraphs } of everywhere.chain.questions)
          for (const { id } of paragraphs) units.add(id);
        expect(everywhere.chain.questions.length).toBeLessThanOrEqual(units.size);
        const alone = await split(input, 1);
        expect(alone.chain.questions.length).toBeLessThanOrEqual(alone.chunks.length);
      }),
      { numRuns: 100 },
    );
  });

  it("puts every unit into exactly one chunk where paragraphs fit", async () => {
    const paragraphs = fc.array(fc.stringMatching(/^[a-z]{1,9}( [a-z]{1,9})?$/), { maxLength: 60 });
    const separator = fc.constantFrom("\n\n", "\r\n\r\n", "\n", "\r\n", "\n \n\n");
    await fc.assert(
      fc.asyncProperty(paragraphs, separator, fc.nat(), async (content, separator, seed) => {
        const input = { chunkSize: 40, length: (text: string) => text.length, seed };
        const text = content.join(separator);
        const { chunks } = await split({ ...input, text, kinds: Object.keys(ANSWERS) }, 8);
        expect(chunks.flatMap(({ pageContent }) => pageContent.split(separator))).toEqual(content);
      }),
      { numRuns: 150 },
    );
  });

  it("starts each chunk where the answer after the one before says", async () => {
    const paragraphs = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(paragraphs, fc.nat(), async (content, seed) => {
        const input = { chunkSize: 40, length: (text: string) => text.length, seed };
        const text = content.join("\n\n");
        const { chunks, chain } = await split({ ...input, text, kinds: Object.keys(ANSWERS) }, 8);
        for (const [i, { metadata }] of chunks.entries()) {
          if (i === 0) continue;
          const start = chunks[i - 1]?.metadata.paragraphFrom ?? 0; // its ID: every paragraph fits
          const question = chain.questions.find(({ paragraphs }) => paragraphs[0]?.id === start);
          const ids = question?.paragraphs.slice(1).map(({ id }) => id) ?? [];
          const answer = chain.answers.get(start) as { boundaryId?: number } | null | undefined;
          const id = answer?.boundaryId;
          const isValid = id === 0 || ids.includes(id as number);
          expect(metadata.boundary).toBe(isValid ? "model" : "fallback");
          expect(metadata.paragraphFrom).toBe(isValid && id !== 0 ? id : ids.at(-1));
        }
      }),
      { numRuns: 200 },
    );
  });

  it("marks each boundary by how it was decided", async () => {
    await fc.assert(
      fc.asyncProperty(cases(LENGTHS), async (input) => {
        const right = await split({ ...input, kinds: ["candidate", "nothing"] }, 4);
        const kinds = right.chunks.map(({ metadata }) => metadata.boundary);
        expect(kinds).not.toContain("fallback");
        const wrong = await split({ ...input, kinds: ["first", "negative", "refusal"] }, 4);
        const wrongKinds = wrong.chunks.map(({ metadata }) => metadata.boundary);
        expect(wrongKinds).not.toContain("model");
      }),
      { numRuns: 100 },
    );
  });

  it("splits several documents as it splits each alone", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { maxLength: 6 }),
        cases(LENGTHS),
        fc.integer({ min: 1, max: 64 }),
        async (texts, input, maxConcurrency) => {
          const chain = seededChain(input.seed, input.kinds);
          const splitter = new LumberChunkerSplitter({
            boundaryChain: chain,
            chunkSize: input.chunkSize,
            lengthFunction: input.length,
            maxConcurrency,
          });
          const together = await splitter.splitDocuments(
            texts.map((pageContent, i) => new Document({ pageContent, metadata: { i } })),
          );
          for (const [i, text] of texts.entries()) {
            const { chunks } = await split({ ...input, text }, 1);
            const own = together.filter(({ metadata }) => metadata.i === i);
            expect(own.map(({ pageContent }) => pageContent)).toEqual(
              chunks.map(({ pageContent }) => pageContent),
            );
          }
          expect(together.map(({ metadata }) => metadata.i as number)).toEqual(
            together.map(({ metadata }) => metadata.i as number).toSorted((a, b) => a - b),
          );
          expect(chain.mostInFlight).toBeLessThanOrEqual(maxConcurrency);
        },
      ),
      { numRuns: 100 },
    );
  });
});
