import { InMemoryStore } from "@langchain/core/stores";
import { beforeAll, describe, expect, test } from "vitest";
import { LumberChunkerSplitter } from "../src/splitter.js";
import { emma, hasEmma } from "./helpers/books.js";
import { TextDecider } from "./helpers/text-decider.js";
import { hash, LENGTHS } from "./helpers/texts.js";

/** One paragraph inserted, one deleted and one changed, each a third of the book from the next. */
function edited(paragraphs: readonly string[], at: number): string[] {
  const third = Math.floor(paragraphs.length / 3);
  const inserted = `She had never thought of ${at} before, and never did again.`;
  return paragraphs
    .with(at + 2 * third, `${paragraphs[at + 2 * third]} Or so it was said.`)
    .toSpliced(at + third, 1)
    .toSpliced(at, 0, inserted);
}

const BOOKS = 12;

/** The chunks of a run from nothing, which are the same however many places are walked at once. */
const known = new Map<string, Promise<string[]>>();
function fresh(paragraphs: readonly string[]): Promise<string[]> {
  const text = paragraphs.join("\n\n");
  const chunks = known.get(text) ?? split(paragraphs, undefined, 8).then(({ chunks }) => chunks);
  known.set(text, chunks);
  return chunks;
}

async function split(
  paragraphs: readonly string[],
  decisionStore: InMemoryStore<Uint8Array> | undefined,
  maxConcurrency: number,
) {
  const decider = new TextDecider(0, () => Promise.resolve());
  const splitter = new LumberChunkerSplitter({
    boundaryChain: decider,
    lengthFunction: LENGTHS["1.2 words"] ?? ((text) => text.length),
    ...(decisionStore && { decisionStore }),
    maxConcurrency,
  });
  const chunks = await splitter.splitText(paragraphs.join("\n\n"));
  return { chunks, calls: decider.calls };
}

async function copyOf(store: InMemoryStore<Uint8Array>): Promise<InMemoryStore<Uint8Array>> {
  const copy = new InMemoryStore<Uint8Array>();
  for await (const key of store.yieldKeys()) {
    const [value] = await store.mget([key]);
    if (value !== undefined) await copy.mset([[key, value]]);
  }
  return copy;
}

describe.skipIf(!hasEmma).each([1, 8, 16])("an edited novel, %i at once", (maxConcurrency) => {
  const store = new InMemoryStore<Uint8Array>();
  let book: string[] = [];

  beforeAll(async () => {
    book = emma();
    await split(book, store, maxConcurrency);
  });

  test.each([1, 8, 16])("costs nothing where nothing was edited, %i at once", async (then) => {
    expect((await split(book, await copyOf(store), then)).calls).toBe(0);
  });

  test("costs at most 5 calls an edit on average, and gives the chunks of a run from nothing", async () => {
    let calls = 0;
    for (let i = 0; i < BOOKS; i++) {
      const other = edited(book, Math.floor((book.length / 3) * hash(`book ${i}`)));
      const again = await split(other, await copyOf(store), maxConcurrency);
      expect(again.chunks).toEqual(await fresh(other));
      calls += again.calls;
    }
    expect(calls / BOOKS / 3).toBeLessThanOrEqual(5);
  });
});
