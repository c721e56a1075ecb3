import { initChatModel } from "@langchain/classic/chat_models/universal";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda, RunnableParallel } from "@langchain/core/runnables";
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOllama } from "@langchain/ollama";
import { ChatOpenAI, type ChatOpenAIFields } from "@langchain/openai";
import { describe, expect, test } from "vitest";
import { createBoundaryChain } from "../../src/boundary/chain.js";
import { runnableIdentity } from "../../src/boundary/identity.js";
import type { BoundaryQuestion } from "../../src/boundary/question.js";

function openai(fields: ChatOpenAIFields = {}) {
  return new ChatOpenAI({ apiKey: "sk-one", model: "gpt-4o-mini", ...fields });
}

const chain = (fields?: ChatOpenAIFields) => createBoundaryChain(openai(fields));
const prompt = ChatPromptTemplate.fromMessages([["human", "Where?\n{paragraphs}"]]);
const last = RunnableLambda.from(({ paragraphs }: BoundaryQuestion) => paragraphs.at(-1)?.id);
const first = RunnableLambda.from(({ paragraphs }: BoundaryQuestion) => paragraphs.at(1)?.id);

describe("runnableIdentity", () => {
  test("is a short string that stays the same", () => {
    expect(runnableIdentity(chain())).toMatch(/^[0-9a-f]{64}$/);
    expect(runnableIdentity(chain())).toBe(chain().identity);
    expect(chain().identity).toBe(chain().identity);
  });

  test.each([
    ["the key", chain({ apiKey: "sk-two" })],
    ["a key from the environment", chain({ apiKey: async () => "sk-three" })],
    ["headers", chain({ configuration: { defaultHeaders: { "x-user": "me" } } })],
    ["the address", chain({ configuration: { baseURL: "http://127.0.0.1:1/v1" } })],
    ["retries and timeout", chain({ maxRetries: 1, timeout: 1000, maxConcurrency: 2 })],
    ["callbacks", chain({ callbacks: [{ handleLLMEnd: () => undefined }], verbose: false })],
    ["the defaults, said again", createBoundaryChain(openai(), { output: "auto", maxAttempts: 3 })],
  ])("doesn't depend on %s", (_name, other) => {
    expect(runnableIdentity(other)).toBe(chain().identity);
  });

  test("differs by everything that changes answers", async () => {
    const different = [
      chain(),
      chain({ model: "gpt-4o" }),
      chain({ temperature: 0 }),
      chain({ modelKwargs: { seed: 7 } }),
      createBoundaryChain(openai(), { prompt }),
      createBoundaryChain(openai(), { output: "text" }),
      createBoundaryChain(openai(), { method: "jsonSchema" }),
      createBoundaryChain(openai().withConfig({ seed: 1 })),
      createBoundaryChain(openai().withRetry()),
      createBoundaryChain(new ChatOllama({ model: "qwen3:4b" })),
      createBoundaryChain(new ChatOllama({ model: "qwen3:8b" })),
      createBoundaryChain(new ChatOllama({ model: "qwen3:8b" }).withConfig({ format: "json" })),
      createBoundaryChain(new ChatAnthropic({ apiKey: "k", model: "claude-haiku-4-5" })),
      createBoundaryChain(new ChatAnthropic({ apiKey: "k", model: "claude-sonnet-4-5" })),
      createBoundaryChain(await initChatModel("gpt-4o-mini", { apiKey: "k" })),
      createBoundaryChain(await initChatModel("gpt-4o", { apiKey: "k" })),
      chain().withFallbacks([chain({ model: "gpt-4o" })]),
      chain({ model: "gpt-4o" }).withFallbacks([chain()]),
      chain().withRetry(),
      chain().pipe(({ boundaryId }) => boundaryId),
      chain().pipe(({ boundaryId }) => boundaryId + 1),
      RunnableParallel.from({ last }),
      RunnableParallel.from({ first }),
      first,
      last,
    ];
    const identities = new Set(different.map(runnableIdentity));
    expect(identities.size).toBe(different.length);
  });

  test("sees through bindings that carry secrets", async () => {
    const bound = (apiKey: string) =>
      createBoundaryChain(openai({ apiKey }).withConfig({ options: { headers: { apiKey } } }));
    expect(bound("a").identity).toBe(bound("b").identity);
    const chosen = async (apiKey: string) =>
      createBoundaryChain(await initChatModel("gpt-4o-mini", { apiKey }));
    expect((await chosen("a")).identity).toBe((await chosen("b")).identity);
    const fallback = (apiKey: string) => chain({ apiKey }).withFallbacks([chain({ apiKey })]);
    expect(runnableIdentity(fallback("a"))).toBe(runnableIdentity(fallback("b")));
  });
});
