import { initChatModel } from "@langchain/classic/chat_models/universal";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { FakeListChatModel, FakeLLM } from "@langchain/core/utils/testing";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, test } from "vitest";
import { createBoundaryChain } from "../../src/boundary/chain.js";
import { assertChatModel } from "../../src/boundary/model.js";
import { InvalidParameterError } from "../../src/errors.js";
import { ScriptedChatModel } from "../helpers/scripted-chat-model.js";

const question = { paragraphs: [1, 2, 3].map((id) => ({ id, text: `Text ${id}` })) };
const tool = { type: "function", function: { name: "search", parameters: { type: "object" } } };

describe("assertChatModel", () => {
  const model = new ScriptedChatModel({ decide: () => 2 });
  const openai = new ChatOpenAI({ apiKey: "k", model: "gpt-4o-mini" });

  test.each([
    ["a chat model", model],
    ["one with options", model.withConfig({ stop: ["."] })],
    ["one with retries", model.withRetry({ stopAfterAttempt: 2 })],
    ["one with both", model.withConfig({ tags: ["a"] }).withRetry()],
    ["one with listeners", model.withListeners({ onEnd: () => undefined })],
    ["OpenAI's", openai],
    ["OpenAI's with options", openai.withConfig({ seed: 1 })],
  ])("takes %s", (_name, value) => {
    expect(() => assertChatModel(value)).not.toThrow();
  });

  test("takes what initChatModel returns", async () => {
    const configurable = await initChatModel("gpt-4o-mini", { apiKey: "k" });
    expect(() => assertChatModel(configurable)).not.toThrow();
  });

  test.each([
    ["undefined", undefined, /a chat model/],
    ["null", null, /a chat model/],
    ["a name", "gpt-4o", /a chat model/],
    ["a plain object", { model: "gpt-4o", invoke: () => 1 }, /a chat model/],
    ["a class", FakeListChatModel, /a chat model/],
    ["a completion model", new FakeLLM({ response: "2" }), /not a text completion model/],
    ["a function", RunnableLambda.from(() => 1), /pass the model itself/],
    ["a chain", ChatPromptTemplate.fromTemplate("{x}").pipe(model), /pass the model itself/],
    ["fallbacks", model.withFallbacks([model]), /withFallbacks\(\[createBoundaryChain\(b\)\]\)/],
    ["structured output", model.withStructuredOutput({ type: "object" }), /pass the model itself/],
    ["bound tools", model.bindTools([tool]), /without tools/],
    ["OpenAI's with bound tools", openai.bindTools([tool]), /without tools/],
    ["a binding of no model", RunnableLambda.from(() => 1).withConfig({}), /pass the model itself/],
  ])("refuses %s, saying what to pass instead", (_name, value, message) => {
    expect(() => assertChatModel(value)).toThrow(InvalidParameterError);
    expect(() => assertChatModel(value)).toThrow(message);
    expect(() => assertChatModel(value, "judge")).toThrow(/^judge must be/);
    expect(() => createBoundaryChain(value as ScriptedChatModel)).toThrow(InvalidParameterError);
  });
});

describe("bindings around the model", () => {
  test("pass their options and config to the model, and the question's tool", async () => {
    const seen: unknown[] = [];
    const model = new ScriptedChatModel({ decide: () => 2 });
    const bound = model.withConfig({
      tags: ["bound"],
      callbacks: [
        {
          handleChatModelStart: (_model, _messages, _id, _parent, extra, tags) => {
            seen.push(tags, extra?.options);
          },
        },
      ],
      stop: ["\n\n\n"],
    });
    await createBoundaryChain(bound).invoke(question);
    expect(seen).toEqual([["bound"], expect.objectContaining({ stop: ["\n\n\n"] })]);
    expect(model.calls[0]?.tools).toHaveLength(1);
  });

  test("retry the model's errors, and not its invalid answers", async () => {
    const replies = [new Error("gone"), 9, 3];
    const model = new ScriptedChatModel({ decide: (_question, i) => replies[i] ?? "" });
    const chain = createBoundaryChain(model.withRetry({ stopAfterAttempt: 2 }));
    expect((await chain.invoke(question)).boundaryId).toBe(3);
    expect(model.calls).toHaveLength(3);
  });

  test("leave the user's model as it was", async () => {
    const openai = new ChatOpenAI({ apiKey: "k", model: "gpt-4o-mini" });
    const before = JSON.stringify(openai);
    const own = Object.keys(openai);
    createBoundaryChain(openai, { method: "jsonSchema" });
    expect(JSON.stringify(openai)).toBe(before);
    expect(Object.keys(openai)).toEqual(own);
  });
});
