import { Document } from "@langchain/core/documents";
import fc from "fast-check";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import type { BoundaryAnswer, BoundaryQuestion } from "../src/boundary/question.js";
import type { LumberChunkerSplitterParams } from "../src/params.js";
import type { ChunkDocument } from "../src/documents.js";
import { LumberChunkerSplitter } from "../src/splitter.js";
import { tokenLength } from "../src/tokens.js";
import { DecidingChain, seededChain } from "./helpers/deciding-chain.js";
import { TextDecider } from "./helpers/text-decider.js";
import { anyText } from "./helpers/texts.js";

const length = (text: string) => text.length;

function splitterOf(
  boundaryChain: NonNullable<LumberChunkerSplitterParams["boundaryChain"]>,
  params: Partial<LumberChunkerSplitterParams> = {},
): LumberChunkerSplitter {
  return new LumberChunkerSplitter({
    boundaryChain,
    chunkSize: 60,
    lengthFunction: length,
    ...params,
  });
}

const documentOf = (pageContent: string, i = 0) => new Document({ pageContent, metadata: { i } });

/** Twenty paragraphs of a document of its own. */
const textOf = (i: number) =>
  Array.from({ length: 20 }, (_, paragraph) => `Text ${i}, part ${paragraph}.`).join("\n\n");

async function read(
  splitter: LumberChunkerSplitter,
  documents: Iterable<Document> | AsyncIterable<Document>,
): Promise<ChunkDocument[]> {
  const chunks: ChunkDocument[] = [];
  for await (const piece of await splitter.stream(documents)) chunks.push(...piece);
  return chunks;
}

async function* oneByOne(documents: Iterable<Document>): AsyncGenerator<Document> {
  for (const document of documents) {
    await Promise.resolve();
    yield document;
  }
}

/** Questions that wait until they are answered one by one. */
class Held {
  readonly asked: BoundaryQuestion[] = [];
  readonly chain = new DecidingChain(
    (question) =>
      new Promise<BoundaryAnswer>((resolve) => {
        this.asked.push(question);
        this.#answers.push(() => resolve({ boundaryId: question.paragraphs[1]?.id ?? 0 }));
      }),
  );
  readonly #answers: (() => void)[] = [];

  answerFirst(): void {
    this.#answers.shift()?.();
  }
}

/** However busy the machine is. */
const WAIT = { timeout: 30_000 };

/** Lets everything run that need not wait for an answer. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}

describe("a stream", () => {
  it("takes what yields Documents without waiting, and closes it", async () => {
    const documents = [textOf(1), textOf(2)].map(documentOf);
    let closed = 0;
    function* source() {
      try {
        yield* documents;
      } finally {
        closed += 1;
      }
    }
    const splitter = splitterOf(new TextDecider());
    const expected = await splitter.splitDocuments(documents);
    expect(await read(splitter, source())).toEqual(expected);
    expect(await read(splitter, new Set(documents))).toEqual(expected);
    for await (const [chunk] of await splitter.stream(source())) {
      expect(chunk).toEqual(expected[0]);
      break;
    }
    await expect.poll(() => closed).toBe(2);
  });

  it("has the chunks of splitDocuments, in order, whatever is answered first", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { maxLength: 8 }),
        fc.integer({ min: 1, max: 64 }),
        fc.nat(),
        async (texts, maxConcurrency, seed) => {
          const documents = texts.map(documentOf);
          const params = { maxConcurrency, chunkSize: 20 };
          const chain = () => seededChain(seed, ["candidate", "nothing"]);
          const whole = await splitterOf(chain(), params).splitDocuments(documents);
          expect(await read(splitterOf(chain(), params), documents)).toEqual(whole);
          expect(await read(splitterOf(chain(), params), oneByOne(documents))).toEqual(whole);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([1, 8, 64])(
    "gives its first chunk after one answer with 64 documents queued, %i at once",
    async (maxConcurrency) => {
      const held = new Held();
      const documents = Array.from({ length: 64 }, (_, i) => documentOf(textOf(i), i));
      // a LangChain stream is there with its first piece
      const stream = splitterOf(held.chain, { maxConcurrency }).stream(documents);
      let first: ChunkDocument | undefined;
      stream.then(async (pieces) => {
        first = (await pieces.next()).value?.[0];
      });
      await vi.waitFor(() => expect(held.asked).toHaveLength(maxConcurrency), WAIT);
      await settle();
      expect(held.asked).toHaveLength(maxConcurrency);
      expect(first).toBeUndefined();
      held.answerFirst();
      await vi.waitFor(() => expect(first).toBeDefined(), WAIT);
      expect(first?.metadata).toMatchObject({ i: 0, chunkIndex: 0, startIndex: 0 });
      await (await stream).return();
    },
  );

  it("gives a document's chunks while its source has not yet got the next", async () => {
    let more: (() => void) | undefined;
    async function* slow() {
      yield documentOf(textOf(0), 0);
      await new Promise<void>((resolve) => {
        more = resolve;
      });
      yield documentOf(textOf(1), 1);
    }
    const seen: unknown[] = [];
    for await (const [chunk] of await splitterOf(new TextDecider()).stream(slow())) {
      seen.push(chunk?.metadata.i);
      if (chunk?.metadata.i === 0 && chunk.metadata.paragraphTo === 20) {
        await settle();
        expect(more).toBeDefined();
        more?.();
      }
    }
    expect(new Set(seen)).toEqual(new Set([0, 1]));
  });

  it("lets go of what has been yielded", async () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const given: WeakRef<Document>[] = [];
    const yielded: WeakRef<Document>[] = [];
    const count = 500;
    async function* source() {
      for (let i = 0; i < count; i++) {
        const document = documentOf(textOf(i), i);
        given.push(new WeakRef(document));
        yield document;
      }
    }
    const held = (refs: WeakRef<Document>[]) => refs.filter((ref) => ref.deref()).length;
    let most = 0;
    for await (const [chunk] of await splitterOf(new TextDecider()).stream(source())) {
      if (chunk === undefined) continue;
      yielded.push(new WeakRef(chunk));
      if (chunk.metadata.chunkIndex > 0 || Number(chunk.metadata.i) % 100 !== 99) continue;
      await settle();
      collect();
      most = Math.max(most, held(given), held(yielded));
    }
    expect(given).toHaveLength(count);
    expect(yielded.length).toBeGreaterThan(2 * count);
    // the documents that are read ahead, and what waits in the stream
    expect(most).toBeLessThan(200);
  });
});

describe("a text of 10 MB", () => {
  const paragraph = "All work and no play makes Jack a dull boy. ".repeat(10);
  const text = Array.from({ length: 10_000_000 / 442 }, () => paragraph.trim()).join("\n\n");

  it("is asked about before all of it has been counted", async () => {
    let counted = 0;
    let atFirst: number | undefined;
    const chain = new TextDecider(0, async () => {
      atFirst ??= counted;
    });
    const lengthFunction = (text: string) => {
      counted += text.length;
      return Math.ceil(text.length / 4);
    };
    const splitter = splitterOf(chain, { chunkSize: 550, lengthFunction, maxConcurrency: 64 });
    await splitter.splitText(text);
    expect(counted).toBeGreaterThanOrEqual(0.99 * text.length);
    expect(atFirst).toBeLessThan(0.9 * text.length);
  });

  it("leaves turns of the event loop to others, while it is read and while it is walked", async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    });
    let turnsAtFirst: number | undefined;
    const chain = new TextDecider(0, async () => {
      turnsAtFirst ??= turns;
    });
    const lengthFunction = tokenLength();
    const splitter = splitterOf(chain, { chunkSize: 550, lengthFunction, maxConcurrency: 64 });
    await splitter.splitText(text);
    clearInterval(timer);
    expect(turns - (turnsAtFirst ?? turns)).toBeGreaterThan(10);
  });
});
