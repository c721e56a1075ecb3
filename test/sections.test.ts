import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markdownParagraphs } from "../src/markdown/index.js";
import { chapterParagraphs, LumberChunkerSplitter } from "../src/index.js";
import { DecidingChain } from "./helpers/deciding-chain.js";

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;

/** A chain that answers the candidate at a share of the window, 0 included for a share under 0. */
function chainAt(share: number) {
  return new DecidingChain(({ paragraphs }) => {
    const place = 1 + Math.floor(share * (paragraphs.length - 1));
    return { boundaryId: share < 0 ? 0 : (paragraphs[place]?.id ?? 0) };
  });
}

const share = fc.oneof(fc.constant(-1), fc.double({ min: 0, max: 0.999, noNaN: true }));

const paragraph = fc
  .array(fc.constantFrom("sea", "whale", "ship", "harpoon"), { minLength: 1, maxLength: 12 })
  .map((list) => list.join(" "));

const section = fc.record({
  title: fc.constantFrom("Loomings", "The Carpet-Bag", "Breakfast"),
  level: fc.integer({ min: 1, max: 3 }),
  paragraphs: fc.array(paragraph, { minLength: 1, maxLength: 12 }),
});

const book = fc
  .array(section, { minLength: 1, maxLength: 6 })
  .map((sections) =>
    sections
      .map(({ title, level, paragraphs }) =>
        [`${"#".repeat(level)} ${title}`, ...paragraphs].join("\n\n"),
      )
      .join("\n\n"),
  );

describe("sectionBreaks", () => {
  it("starts a chunk at every section, and asks no question across one", async () => {
    await fc.assert(
      fc.asyncProperty(
        book,
        share,
        fc.integer({ min: 1, max: 16 }),
        async (text, at, maxConcurrency) => {
          const boundaryChain = chainAt(at);
          const splitter = new LumberChunkerSplitter({
            boundaryChain,
            chunkSize: 20,
            lengthFunction: words,
            paragraphs: markdownParagraphs,
            sectionBreaks: true,
            maxConcurrency,
          });
          const chunks = await splitter.createDocuments([text]);
          const headings = [...text.matchAll(/^#+ /gm)].map(({ index }) => index);
          const starts = chunks.map(({ metadata }) => metadata.startIndex);
          for (const heading of headings) expect(starts).toContain(heading);
          for (const { metadata, pageContent } of chunks) {
            const atHeading = headings.includes(metadata.startIndex);
            const expected = metadata.startIndex === 0 ? "start" : "section";
            if (atHeading) expect(metadata.boundary).toBe(expected);
            else expect(metadata.boundary).not.toBe("section");
            expect(pageContent.replace(/^#+ /, "")).not.toMatch(/^#+ /m);
          }
          for (const { paragraphs } of boundaryChain.questions)
            for (const { text: candidate } of paragraphs.slice(1))
              expect(candidate).not.toMatch(/^#/);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("leaves the sections to the model by default, and names them in every chunk", async () => {
    const splitter = new LumberChunkerSplitter({
      boundaryChain: chainAt(-1),
      chunkSize: 50,
      lengthFunction: words,
      paragraphs: chapterParagraphs(),
    });
    const text = "CHAPTER I\n\nThe sea.\n\nThe ship.\n\nCHAPTER II\n\nThe whale.";
    const chunks = await splitter.createDocuments([text]);
    expect(chunks.map(({ metadata }) => [metadata.section, metadata.boundary])).toEqual([
      ["CHAPTER I", "start"],
    ]);
    const none = new LumberChunkerSplitter({ boundaryChain: chainAt(0) });
    const [chunk] = await none.createDocuments(["No heading."]);
    expect(chunk?.metadata.section).toBe("");
  });
});

describe("minChunkSize", () => {
  it("leaves a shorter chunk only where nothing else fits", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(paragraph, { minLength: 1, maxLength: 40 }),
        share,
        fc.integer({ min: 1, max: 20 }),
        async (paragraphs, at, minChunkSize) => {
          const text = paragraphs.join("\n\n");
          const splitter = new LumberChunkerSplitter({
            boundaryChain: chainAt(at),
            chunkSize: 20,
            minChunkSize,
            lengthFunction: words,
          });
          const chunks = await splitter.createDocuments([text]);
          chunks.forEach(({ metadata }, i) => {
            expect(metadata.tokenCount).toBeLessThanOrEqual(20);
            const next = chunks[i + 1];
            if (next === undefined || metadata.tokenCount >= minChunkSize) return;
            const following = words(paragraphs[metadata.paragraphTo] ?? "");
            expect(metadata.tokenCount + following).toBeGreaterThan(20);
          });
        },
      ),
      { numRuns: 100 },
    );
  });

  it("offers no candidate before it, and shows what is before the first as one paragraph", async () => {
    const boundaryChain = chainAt(0);
    const splitter = new LumberChunkerSplitter({
      boundaryChain,
      chunkSize: 10,
      minChunkSize: 4,
      lengthFunction: words,
    });
    const text = Array.from({ length: 14 }, (_, i) => `word${i + 1}`).join("\n\n");
    await splitter.createDocuments([text]);
    const [first] = boundaryChain.questions;
    expect(first?.paragraphs.map(({ id }) => id)).toEqual([1, 5, 6, 7, 8, 9, 10, 11]);
    expect(first?.paragraphs[0]?.text).toBe("word1\n\nword2\n\nword3\n\nword4");
  });
});
