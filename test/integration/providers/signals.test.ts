import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createBoundaryChain } from "../../../src/boundary/chain.js";
import { anthropic } from "./anthropic.js";
import { QUESTION } from "./cases.js";
import { ollama } from "./ollama.js";
import { openai, openaiResponses } from "./openai.js";
import { type Provider, withServer } from "./provider.js";
import type { Response, ScriptedServer } from "./server.js";

const providers = [openai, openaiResponses, anthropic, ollama];

describe.concurrent.each(providers.map((p) => [p.name, p] as const))("%s", (_name, provider) => {
  test("an abort closes the request that the server has not answered", async ({ expect }) => {
    await withServer(provider, ["stall"], async (server) => {
      const { controller, outcome } = start(provider, server);
      await expect.poll(server.open).toBe(1);
      const reason = new Error("enough");
      controller.abort(reason);
      expect(await outcome).toBe(reason);
      await expect.poll(server.open).toBe(0);
      expect(server.received).toHaveLength(1);
    });
  });

  test("an abort before the call sends nothing", async ({ expect }) => {
    await withServer(provider, [provider.text("ID 14")], async (server) => {
      const chain = createBoundaryChain(provider.client(server.url));
      const signal = AbortSignal.abort(new Error("too early"));
      await expect(chain.invoke(QUESTION, { signal })).rejects.toThrow("too early");
      expect(server.received).toHaveLength(0);
    });
  });

  test("an abort between two questions asks no second one", async ({ expect }) => {
    await withServer(provider, [provider.text("?"), "stall"], async (server) => {
      const { controller, outcome } = start(provider, server);
      await expect.poll(() => server.received.length).toBe(2);
      controller.abort(new Error("enough"));
      expect(String(await outcome)).toContain("enough");
      await expect.poll(server.open).toBe(0);
    });
  });

  test("an abort while the client waits for its retry starts none", async ({ expect }) => {
    await withServer(provider, [provider.error(500)], async (server) => {
      const { controller, outcome } = start(provider, server, { maxRetries: 3 });
      await expect.poll(() => server.received.length).toBe(1);
      await expect.poll(server.open).toBe(0);
      controller.abort(new Error("enough"));
      expect(await outcome).toBeInstanceOf(Error);
      await sleep(2500); // the client's first retry comes after one to two seconds
      expect(server.received).toHaveLength(1);
    });
  });

  test("an abort of one call leaves another on the same model alone", async ({ expect }) => {
    let answer: (response: Response) => void = () => expect.unreachable();
    const later = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    await withServer(provider, ["stall", later], async (server) => {
      const chain = createBoundaryChain(provider.client(server.url));
      const controller = new AbortController();
      const first = chain.invoke(QUESTION, controller).catch((error: unknown) => error);
      await expect.poll(server.open).toBe(1);
      const second = chain.invoke(QUESTION);
      await expect.poll(server.open).toBe(2);
      controller.abort(new Error("enough"));
      expect(String(await first)).toContain("enough");
      await expect.poll(server.open).toBe(1);
      answer(provider.text("ID 14"));
      expect(await second).toMatchObject({ boundaryId: 14 });
    });
  });
});

test.each([openai, openaiResponses, anthropic])(
  "$name: its own timeout is an error like another",
  async (provider) => {
    await withServer(provider, ["stall"], async (server) => {
      const { outcome } = start(provider, server, { timeout: 200 });
      expect(String(await outcome)).toMatch(/timed out/i);
      await expect.poll(server.open).toBe(0);
      expect(server.received).toHaveLength(1);
    });
  },
);

test.each(providers)(
  "$name: a hundred calls under one signal warn of nothing",
  async (provider) => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on("warning", listen);
    try {
      await withServer(provider, [provider.toolCalls({ boundaryId: 14 })], async (server) => {
        const chain = createBoundaryChain(provider.client(server.url));
        const { signal } = new AbortController();
        const calls = Array.from({ length: 100 }, () => chain.invoke(QUESTION, { signal }));
        const answers = await Promise.all(calls);
        expect(answers.every(({ boundaryId }) => boundaryId === 14)).toBe(true);
      });
      expect(warnings).toEqual([]);
    } finally {
      process.off("warning", listen);
    }
  },
);

function start(provider: Provider, server: ScriptedServer, settings = {}) {
  const controller = new AbortController();
  const chain = createBoundaryChain(provider.client(server.url, settings));
  const outcome = chain.invoke(QUESTION, controller).catch((error: unknown) => error);
  return { controller, outcome };
}
