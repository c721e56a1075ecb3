import { initChatModel } from "@langchain/classic/chat_models/universal";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { InMemoryCache } from "@langchain/core/caches";
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, test } from "vitest";
import { createBoundaryChain } from "../../../src/boundary/chain.js";
import type { ModelLike } from "../../../src/boundary/model.js";
import { anthropic } from "./anthropic.js";
import { QUESTION } from "./cases.js";
import { ollama } from "./ollama.js";
import { openai, openaiResponses, streamed, streamedTo } from "./openai.js";
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

test.each([openai, anthropic])(
  "$name: what was no reply is not asked again by withRetry",
  async (provider) => {
    await withServer(provider, [provider.lateError("no quota")], async (server) => {
      const retried = provider.client(server.url).withRetry({ stopAfterAttempt: 3 });
      expect(await ask(retried)).toMatchObject({ name: "NoReplyError" });
      expect(server.received).toHaveLength(1);
    });
  },
);

test("a prompt that was blocked is not asked again by withRetry", async () => {
  const blocked = { error: { message: "The prompt was filtered", code: "content_filter" } };
  await withServer(openai, [{ status: 400, body: blocked }], async (server) => {
    const retried = openai.client(server.url).withRetry({ stopAfterAttempt: 3 });
    expect(await ask(retried)).toMatchObject({ reason: "refused", attempts: 1 });
    expect(server.received).toHaveLength(1);
  });
});

/** Of a reply that may be the beginning of another. */
const CUT = { reason: "unparsable", attempts: 2 };

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
    ["a filter", streamedTo("content_filter", {}), { reason: "refused", attempts: 1 }],
    [
      "a filter behind an answer",
      streamedTo("content_filter", { content: "ID 14" }),
      { reason: "refused", attempts: 1 },
    ],
    ["a number that was cut", streamedTo("length", { content: "ID 14" }), CUT],
    [
      "a tool call that was cut",
      streamedTo("length", {
        tool_calls: [{ ...tool, function: { name: "boundary", arguments: '{"boundaryId": 14' } }],
      }),
      CUT,
    ],
  ];

  test.each(replies)("%s", async (_name, reply, expected) => {
    await withServer(openai, [reply, reply], async (server) => {
      const configuration = { baseURL: `${server.url}/v1` };
      const callbacks = [Object.assign(new Listener(), { lc_prefer_streaming: true })];
      const model = new ChatOpenAI({ ...OPENAI, configuration });
      const outcome = await ask(model, {}, { callbacks });
      const requests = server.received.map(({ body }) => body.stream);
      expect(requests).toEqual(expected === CUT ? [true, true] : [true]);
      const usage = expected === CUT ? { total_tokens: 2 * USAGE.total_tokens } : USAGE;
      expect(outcome).toMatchObject({ ...expected, usage });
    });
  });
});

test("ChatOpenAI that streams what is no reply", async () => {
  const bodies = [{ error: { message: "no quota" } }, "<!doctype html>Sign in", {}];
  for (const body of bodies)
    await withServer(openai, [{ body }], async (server) => {
      const callbacks = [Object.assign(new Listener(), { lc_prefer_streaming: true })];
      expect(await ask(openai.client(server.url), {}, { callbacks })).toMatchObject({
        name: "NoReplyError",
      });
      expect(server.received).toHaveLength(1);
    });
});

describe("ChatAnthropic that streams", () => {
  const text = { type: "text", text: "" };
  const tool = { type: "tool_use", id: "toolu_0", name: "boundary", input: {} };
  const said = (text: string) => ({ type: "text_delta", text });
  const input = (partial_json: string) => ({ type: "input_json_delta", partial_json });
  const replies: [string, Response, object, number][] = [
    ["a tool call", events("tool_use", tool, input('{"boundaryId": 14}')), { boundaryId: 14 }, 1],
    ["a refusal", events("refusal", text, said("ID 14")), { reason: "refused" }, 1],
    ["a number that was cut", events("max_tokens", text, said("ID 14")), CUT, 2],
    ["a cut tool call", events("max_tokens", tool, input('{"boundaryId": 14')), CUT, 2],
  ];

  test.each(replies)("%s", async (_name, reply, expected, requests) => {
    await withServer(anthropic, [reply, reply], async (server) => {
      const model = new ChatAnthropic({
        apiKey: "sk-ant-test",
        anthropicApiUrl: server.url,
        model: "claude-haiku-4-5",
        maxRetries: 0,
        streaming: true,
      });
      expect(await ask(model)).toMatchObject(expected);
      expect(server.received.map(({ body }) => body.stream)).toEqual(
        new Array(requests).fill(true),
      );
    });
  });
});

/** A message of Anthropic's as a stream: one block, and why it ended. */
function events(stop_reason: string, content_block: object, delta: object): Response {
  const message = { id: "msg_0", type: "message", role: "assistant", model: "m", content: [] };
  const list = [
    {
      type: "message_start",
      message: { ...message, usage: { input_tokens: 9, output_tokens: 1 } },
    },
    { type: "content_block_start", index: 0, content_block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  return {
    headers: { "content-type": "text/event-stream" },
    body: list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
  };
}

function ask(model: ModelLike, options = {}, config = {}): Promise<unknown> {
  const chain = createBoundaryChain(model, options);
  return chain.invoke(QUESTION, config).catch((error: unknown) => error);
}
