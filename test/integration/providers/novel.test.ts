import { Document } from "@langchain/core/documents";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { LumberChunkerSplitter } from "../../../src/splitter.js";
import { anthropic } from "./anthropic.js";
import { ollama } from "./ollama.js";
import { openai, openaiResponses } from "./openai.js";
import { type Provider, USAGE } from "./provider.js";
import { type Received, type Response, startServer } from "./server.js";

const WORDS = "the whale sea ship captain harpoon storm island sailor night wind voyage".split(" ");
const PARAGRAPHS = Array.from({ length: 400 }, (_, i) => {
  const words = Array.from({ length: 8 + ((i * 7) % 23) }, (_, j) => WORDS[(i * 5 + j * j) % 12]);
  return `No. ${i + 1}: ${words.join(" ")}.`;
});
const NOVEL = PARAGRAPHS.join("\n\n");
const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

describe.concurrent.each(
  [openai, openaiResponses, anthropic, ollama].map(
    (provider) => [provider.name, provider] as const,
  ),
)("%s", (_name, provider) => {
  test("a novel of 400 paragraphs loses nothing to one bad reply in ten", async ({ expect }) => {
    let bad = 0;
    const server = await startServer((request, index) => {
      // Some windows never get a good reply, so that there are fallbacks.
      const isBad = index % 20 === 9 || startOf(provider, request) % 20 === 3;
      return isBad ? badReply(provider, bad++) : goodReply(provider, request);
    });
    const progress = { calls: 0, fallbacks: 0, total: 0 };
    try {
      const splitter = new LumberChunkerSplitter({
        model: provider.client(server.url),
        chunkSize: 150,
        lengthFunction: words,
        onProgress: ({ calls, fallbacks, usage }) =>
          Object.assign(progress, { calls, fallbacks, total: usage.total_tokens }),
      });
      const chunks = await splitter.splitDocuments([new Document({ pageContent: NOVEL })]);

      const paragraphs = chunks.flatMap(({ pageContent }) => pageContent.split("\n\n"));
      expect(paragraphs).toEqual(PARAGRAPHS);
      for (const { pageContent, metadata } of chunks) {
        expect(NOVEL.slice(metadata.startIndex, metadata.endIndex)).toBe(pageContent);
        expect(words(pageContent)).toBeLessThanOrEqual(150);
      }
      const replies = server.received.length;
      expect(replies).toBeGreaterThan(60);
      expect(bad).toBeGreaterThan(replies / 15);
      expect(progress.calls).toBeLessThan(replies); // some were asked again
      expect(progress.total).toBe(replies * USAGE.total_tokens);
      const fallbacks = chunks.filter(({ metadata }) => metadata.boundary === "fallback");
      expect(fallbacks.length).toBeGreaterThan(0);
      expect(progress.fallbacks).toBeGreaterThanOrEqual(fallbacks.length);
    } finally {
      await server.close();
    }
  });

  test("an error with status 200 ends the whole run at once, and nothing falls back", async ({
    expect,
  }) => {
    const server = await startServer(async (request, index) => {
      if (index < 10) return goodReply(provider, request);
      if (index > 10) return "stall";
      await sleep(200); // until others are in flight
      return provider.lateError("quota exceeded");
    });
    let fallbacks = 0;
    try {
      const splitter = new LumberChunkerSplitter({
        model: provider.client(server.url, { maxRetries: 2 }),
        chunkSize: 150,
        lengthFunction: words,
        maxConcurrency: 4,
        onProgress: (progress) => {
          fallbacks = progress.fallbacks;
        },
      });
      await expect(splitter.splitText(NOVEL)).rejects.toThrow("quota exceeded");
      await expect.poll(server.open).toBe(0);
      await sleep(100);
      expect(server.received.length).toBeGreaterThan(11);
      expect(server.received.length).toBeLessThanOrEqual(14);
      expect(fallbacks).toBe(0);
    } finally {
      await server.close();
    }
  });

  test("a wrong key ends the whole run at once, with the client's error", async ({ expect }) => {
    const server = await startServer(async (request, index) => {
      if (index < 10) return goodReply(provider, request);
      if (index > 10) return "stall";
      await sleep(200); // until others are in flight
      return provider.error(401);
    });
    try {
      const splitter = new LumberChunkerSplitter({
        model: provider.client(server.url),
        chunkSize: 150,
        lengthFunction: words,
        maxConcurrency: 4,
      });
      const error = await splitter.splitText(NOVEL).catch((caught: unknown) => caught);
      expect(String(error)).toContain("401");
      const { status, status_code } = error as { status?: number; status_code?: number };
      expect(status ?? status_code).toBe(401);
      await expect.poll(server.open).toBe(0);
      await sleep(100);
      expect(server.received.length).toBeGreaterThan(11);
      expect(server.received.length).toBeLessThanOrEqual(14);
    } finally {
      await server.close();
    }
  });
});

test("with onInvalidAnswer: throw, the first answer that stays invalid ends the run", async () => {
  const server = await startServer(() => ollama.text("no idea"));
  try {
    const splitter = new LumberChunkerSplitter({
      model: ollama.client(server.url),
      chunkSize: 150,
      lengthFunction: words,
      maxConcurrency: 1,
      onInvalidAnswer: "throw",
    });
    await expect(splitter.splitText(NOVEL)).rejects.toMatchObject({
      name: "InvalidBoundaryError",
      reason: "unparsable",
      attempts: 2,
    });
    expect(server.received).toHaveLength(2);
  } finally {
    await server.close();
  }
});

/** The candidate whose paragraph has the most words. */
function goodReply(provider: Provider, request: Received): Response {
  const prompt = provider.texts(request)[1]?.text ?? "";
  const ids = [...prompt.matchAll(/^ID (\d+): /gm)].map(([, id]) => Number(id));
  const candidates = ids.slice(1);
  return provider.toolCalls({ boundaryId: candidates[((ids[0] ?? 0) * 7919) % candidates.length] });
}

/** The first ID of the window. */
function startOf(provider: Provider, request: Received): number {
  return Number(/^ID (\d+): /.exec(provider.texts(request)[1]?.text ?? "")?.[1]);
}

/** Invalid replies in turn. */
function badReply(provider: Provider, turn: number): Response {
  const kinds = [
    provider.refused?.("No.") ?? provider.text("I'd rather not."),
    provider.toolCalls({ boundaryId: 100_000 }),
    provider.text("In 1851 nothing shifts at 2 or 3."),
    provider.empty(),
    provider.cutText('{"boundaryId": 1'),
    provider.brokenToolCall('{"boundaryId": 1'),
  ];
  return kinds[turn % kinds.length] ?? "stall";
}
