import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Document } from "@langchain/core/documents";
import { type Browser, chromium } from "playwright-core";
import { build, type PreviewServer, preview } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LumberChunkerSplitter } from "../../../src/index.js";
import { markdownParagraphs } from "../../../src/markdown/index.js";
import { LexicalCohesionChatModel } from "../../../src/offline/index.js";

declare const split: (
  text: string,
  chunkSize: number,
) => Promise<{ pageContent: string; metadata: Record<string, unknown> }[]>;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const text = Array.from(
  { length: 60 },
  (_, i) =>
    `## Part ${i}\n\nThe whale number ${i} swims. 鯨は泳ぐ。 The sea is ${i % 7} miles deep.`,
).join("\n\n");

describe("in a browser", () => {
  let folder: string;
  let server: PreviewServer;
  let browser: Browser;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "lumberchunker-browser-"));
    await build({
      root: here("."),
      logLevel: "error",
      configFile: false,
      resolve: { tsconfigPaths: true },
      build: { outDir: folder, emptyOutDir: true, target: "es2022" },
    });
    server = await preview({
      root: here("."),
      logLevel: "error",
      configFile: false,
      build: { outDir: folder },
      preview: { host: "127.0.0.1", port: 0 },
    });
    browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("gives the chunks that Node gives, and reaches nothing but its own page", async () => {
    const page = await browser.newPage();
    const errors: unknown[] = [];
    const hosts = new Set<string>();
    page.on("pageerror", (error) => errors.push(error));
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    const address = server.resolvedUrls?.local[0];
    await page.goto(address ?? "");
    await page.waitForFunction(() => "split" in globalThis);
    const inBrowser = await page.evaluate(([text, size]) => split(text, size), [
      text,
      120,
    ] as const);
    const splitter = new LumberChunkerSplitter({
      model: new LexicalCohesionChatModel(),
      paragraphs: markdownParagraphs,
      chunkSize: 120,
    });
    const inNode = await splitter.splitDocuments([new Document({ pageContent: text })]);
    expect(errors).toEqual([]);
    expect(inNode.length).toBeGreaterThan(5);
    expect(inBrowser).toEqual(
      inNode.map(({ pageContent, metadata }) => ({ pageContent, metadata })),
    );
    expect([...hosts]).toEqual([new URL(address ?? "").host]);
  });
});
