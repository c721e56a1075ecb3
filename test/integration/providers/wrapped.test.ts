import { initChatModel } from "@langchain/classic/chat_models/universal";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { InMemoryCache } from "@langchain/core/caches";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, test } from "vitest";
import { createBoundaryChain } from "../../../src/boundary/chain.js";
import type { ModelLike } from "../../../src/boundary/model.js";
import { anthropic } from "./anthropic.js";
import { QUESTION } from "./cases.js";
import { ollama } from "./ollama.js";
import { openai, openaiResponses, streamed } from "./openai.js";
import { type Provider, USAGE, withServer } from "./provider.js";
import type { Response } from "./server.js";

const OPENAI = { apiKey: "sk-test-openai", model: "gpt-4o-mini", maxRetries: 2 };

describe.each([openai, openaiResponses, anthropic, ollama])("$name", (provider) => {
  const good = provider.toolCalls({ boundaryId: 14 });

  test("with options bound to it, sends them", async () => {
    await withServer(provider, [good], async (server) => {
      const bound = provider.client(server.url).withConfig({ stop: ["\n\n\n"], tags: ["bound"] });
      expect(await ask(bound)).toMatchObject({ boundaryId: 14, usage: USAGE });
      expect(server.received.map(provider.wayOf)).toEqual(["functionCalling"]);
      const takesStop = provider.path !== "/v1/responses";
      expect(JSON.stringify(server.received[0]?.body).includes("\\n\\n\\n")).toBe(takesStop);
    });
  });

  test("with retries around it, retries what its client doesn't", async () => {
    await withServer(provider, [provider.error(429), good], async (server) => {
      const retried = provider.client(server.url).withRetry({ stopAfterAttempt: 2 });
      expect(await ask(retried)).toMatchObject({ boundaryId: 14, usage: USAGE });
      expect(server.received).toHaveLength(2);
    });
  });

  test("with a cache, asks once, and counts the cached answer as nothing", async () => {
    await withServer(provider, [good], async (server) => {
      const model = provider.client(server.url);
      model.cache = new InMemoryCache();
      // ChatOpenAI takes its cache from the constructor when options are bound.
      Object.assign(Reflect.get(model, "fields") ?? {}, { cache: model.cache });
      const chain = createBoundaryChain(model);
      expect(await chain.invoke(QUESTION)).toMatchObject({ boundaryId: 14, usage: USAGE });
      const { boundaryId, usage } = await chain.invoke(QUESTION);
      expect(boundaryId).toBe(14);
      expect(usage?.total_tokens ?? 0).toBe(0);
      expect(server.received).toHaveLength(1);
    });
  });

  test("aborts within bindings", async () => {
    await withServer(provider, ["stall"], async (server) => {
      const bound = provider
        .client(server.url)
        .withConfig({ tags: ["bound"] })
        .withRetry();
      const controller = new AbortController();
      const outcome = ask(bound, {}, controller);
      await expect.poll(server.open).toBe(1);
      controller.abort(new Error("enough"));
      expect(String(await outcome)).toContain("enough");
      await expect.poll(server.open).toBe(0);
    });
  });
});

describe("initChatModel", () => {
  const providers: [string, Provider, (url: string) => object][] = [
    ["openai:gpt-4o-mini", openai, (url) => ({ configuration: { baseURL: `${url}/v1` } })],
    ["anthropic:claude-haiku-4-5", anthropic, (url) => ({ anthropicApiUrl: url })],
    ["ollama:qwen3", ollama, (url) => ({ baseUrl: url })],
  ];
  const keys = { "/v1/chat/completions": OPENAI.apiKey, "/v1/messages": "sk-ant-test" };

  test.each(providers)("%s is asked like the model itself", async (name, provider, address) => {
    const apiKey = Reflect.get(keys, provider.path) as string;
    const replies = [provider.text("?"), provider.toolCalls({ boundaryId: 14 })];
    await withServer(provider, replies, async (server) => {
      const model = await initChatModel(name, { apiKey, ...address(server.url) });
      expect(await ask(model)).toMatchObject({ boundaryId: 14, usage: { total_tokens: 210 } });
      expect(server.received.map(provider.wayOf)).toEqual(["functionCalling", "functionCalling"]);
    });
  });

  test("a reply to a JSON Schema is not parsed by the client", async () => {
    await withServer(openai, [openai.cutText('{"boundaryId": 1')], async (server) => {
      const configuration = { baseURL: `${server.url}/v1` };
      const model = await initChatModel("openai:gpt-4o-mini", { ...OPENAI, configuration });
      const error = await ask(model, { method: "jsonSchema" });
      expect(error).toMatchObject({ reason: "unparsable", attempts: 2 });
      expect(server.received.map(openai.wayOf)).toEqual(["jsonSchema", "jsonSchema"]);
    });
  });

  test("a model chosen by the call's config is the one that is asked", async () => {
    await withServer(openai, [openai.toolCalls({ boundaryId: 14 })], async (server) => {
      const model = await initChatModel(undefined, {
        ...OPENAI,
        configuration: { baseURL: `${server.url}/v1` },
      });
      const config = { configurable: { model: "gpt-4o", modelProvider: "openai" } };
      expect(await ask(model, {}, config)).toMatchObject({ boundaryId: 14 });
      expect(server.received[0]?.body.model).toBe("gpt-4o");
    });
  });
});

/** A handler for which core streams, as it does within `streamEvents`. */
class Listener extends BaseCallbackHandler {
  name = "Listener";
}

describe("ChatOpenAI that streams", () => {
  const tool = { index: 0, id: "call_0", type: "function" };
  const replies: [string, Response, object][] = [
    [
      "a tool call",
      streamed(
        { tool_calls: [{ ...tool, function: { name: "boundary", arguments: "" } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{"boundaryId":' } }] },
        { tool_calls: [{ index: 0, function: { arguments: "14}" } }] },
      ),
      { boundaryId: 14 },
    ],
    ["text", streamed({ content: "ID " }, { content: "14" }), { boundaryId: 14 }],
    [
      "a refusal",
      streamed({ content: "" }, { refusal: "I " }, { refusal: "won't." }),
      { reason: "refused", reply: "I won't." },
    ],
  ];

  test.each(replies)("%s", async (_name, reply, expected) => {
    await withServer(openai, [reply], async (server) => {
      const configuration = { baseURL: `${server.url}/v1` };
      const callbacks = [Object.assign(new Listener(), { lc_prefer_streaming: true })];
      const model = new ChatOpenAI({ ...OPENAI, configuration });
      expect(await ask(model, {}, { callbacks })).toMatchObject({ ...expected, usage: USAGE });
      expect(server.received.map(({ body }) => body.stream)).toEqual([true]);
    });
  });
});

function ask(model: ModelLike, options = {}, config = {}): Promise<unknown> {
  const chain = createBoundaryChain(model, options);
  return chain.invoke(QUESTION, config).catch((error: unknown) => error);
}
