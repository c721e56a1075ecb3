import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkWriter, copyMetadata } from "../src/documents.js";
import { anyText, newlines } from "./helpers/texts.js";
import { allUnits } from "./helpers/units.js";

const boundaries = ["model", "forced", "fallback", "section"] as const;

/** The documents of a text whose chunks have so many units each, the rest being the last. */
async function written(
  text: string,
  lengths: readonly number[] = [],
  metadata: Record<string, unknown> = {},
  header = {},
) {
  const units = await allUnits(text, { chunkSize: 20 });
  const writer = new ChunkWriter({ text, metadata }, units, header);
  const starts = [0];
  for (const length of lengths) starts.push((starts.at(-1) ?? 0) + length);
  const inside = starts.filter((start) => start < units.list.length);
  const documents = inside.map((from, i) =>
    writer.write({
      from,
      to: inside[i + 1] ?? units.list.length,
      tokens: 100 + i,
      boundary: boundaries[i % boundaries.length] ?? "model",
    }),
  );
  return { units, documents, starts: inside };
}

const chunkLengths = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 30 });

describe("ChunkWriter", () => {
  it("writes exact slices, with the lines and paragraphs that they span", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, chunkLengths, async (text, lengths) => {
        const { units, documents, starts } = await written(text, lengths);
        for (const [i, { pageContent, metadata }] of documents.entries()) {
          const { startIndex, endIndex } = metadata;
          const from = starts[i] ?? 0;
          const to = starts[i + 1] ?? units.list.length;
          expect(pageContent).toBe(text.slice(startIndex, endIndex));
          expect(metadata).toEqual({
            startIndex: units.list.at(from)?.start,
            endIndex: units.list.at(to - 1)?.end,
            paragraphFrom: units.list.at(from)?.paragraph,
            paragraphTo: units.list.at(to - 1)?.paragraph,
            chunkIndex: i,
            tokenCount: 100 + i,
            boundary: i === 0 ? "start" : boundaries[(i - 1) % boundaries.length],
            section: "",
            loc: {
              lines: {
                from: 1 + newlines(text.slice(0, startIndex)),
                to: 1 + newlines(text.slice(0, endIndex)),
              },
            },
          });
        }
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the source's metadata, deep-copied for each chunk", async () => {
    const metadata = {
      source: "moby.txt",
      loc: { pageNumber: 7, lines: { from: 90, to: 99 } },
      pdf: { info: { pages: [1, 2] }, date: new Date(0) },
      none: null,
      nothing: undefined,
    };
    const before = structuredClone(metadata);
    const { documents } = await written("one\n\ntwo\n\nthree", [1, 1], metadata);
    expect(documents).toHaveLength(3);
    for (const { metadata: own } of documents) {
      expect(own).toMatchObject({ source: "moby.txt", pdf: before.pdf, none: null });
      expect(own.loc).toMatchObject({ pageNumber: 7 });
      (own.pdf as typeof before.pdf).info.pages.push(3);
      (own.pdf as typeof before.pdf).date.setTime(1);
      own.loc.pageNumber = 8;
      own.loc.lines.from = 0;
    }
    expect(metadata).toEqual(before);
    const [first, second] = documents.map((document) => document.metadata);
    expect((first?.pdf as object) === second?.pdf).toBe(false);
  });

  it("writes its own keys over the source's, which may come from an earlier split", async () => {
    const [earlier] = (await written("one\n\ntwo", [1])).documents;
    const { documents } = await written("three\n\nfour", [1], earlier?.metadata);
    expect(documents[1]?.metadata).toMatchObject({
      startIndex: 7,
      endIndex: 11,
      chunkIndex: 1,
      paragraphFrom: 2,
      loc: { lines: { from: 3, to: 3 } },
    });
  });

  it.each([
    ["a string", "p. 7"],
    ["an array", [1, 2]],
    ["null", null],
    ["a number", 7],
  ])("replaces a loc that is %s", async (_, loc) => {
    const { documents } = await written("one", [], { loc });
    expect(documents[0]?.metadata.loc).toEqual({ lines: { from: 1, to: 1 } });
  });

  it("counts no header in offsets, lines and tokens", async () => {
    const header = { chunkHeader: "Book\n---\n", appendChunkOverlapHeader: true };
    const { documents } = await written("one\n\ntwo\n\nthree", [1, 1], {}, header);
    expect(documents.map(({ pageContent }) => pageContent)).toEqual([
      "Book\n---\none",
      "Book\n---\n(cont'd) two",
      "Book\n---\n(cont'd) three",
    ]);
    const plain = await written("one\n\ntwo\n\nthree", [1, 1]);
    expect(documents.map(({ metadata }) => metadata)).toEqual(
      plain.documents.map(({ metadata }) => metadata),
    );
  });

  it("has metadata values that are never null or undefined", async () => {
    const { documents } = await written("one\n\ntwo", [1]);
    for (const { metadata } of documents)
      for (const value of Object.values(metadata)) expect(value ?? "missing").not.toBe("missing");
  });
});

describe("copyMetadata", () => {
  class Page {
    #number = 7;
    get number() {
      return this.#number;
    }
  }

  it("copies data, however deep, and data that holds itself", () => {
    const metadata: Record<string, unknown> = {
      when: new Date(0),
      tags: [{ name: "sea" }],
      sizes: new Map([["a", [1]]]),
      bytes: new Uint8Array([1, 2]),
    };
    metadata.self = metadata;
    const copy = copyMetadata(metadata);
    expect(copy).toEqual(metadata);
    expect(copy.self).toBe(copy);
    for (const key of Object.keys(metadata)) expect(copy[key]).not.toBe(metadata[key]);
  });

  it("keeps functions and instances of classes as they are", () => {
    const metadata = { load: () => "text", page: new Page() };
    const copy = copyMetadata(metadata);
    expect(copy.load).toBe(metadata.load);
    expect(copy.page.number).toBe(7);
  });

  it("takes keys for keys, __proto__ too", () => {
    const copy = copyMetadata(JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(Object.keys(copy)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(copy.polluted).toBeUndefined();
  });
});

describe("a source's own section", () => {
  it("stays where the paragraph rule knows of none", async () => {
    const source = { text: "one\n\ntwo", metadata: { section: "Loomings" } };
    const units = await allUnits(source.text);
    const chunk = { from: 0, to: 2, tokens: 2, boundary: "start" } as const;
    expect(new ChunkWriter(source, units, {}).write(chunk).metadata.section).toBe("Loomings");
    const none = { text: source.text, metadata: { section: 7 } };
    expect(new ChunkWriter(none, units, {}).write(chunk).metadata.section).toBe("");
  });
});
