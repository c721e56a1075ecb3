import { ChatAnthropic } from "@langchain/anthropic";
import { describe, expect, test } from "vitest";
import { createBoundaryChain } from "../../../src/boundary/chain.js";
import { InvalidBoundaryError } from "../../../src/errors.js";
import { anthropic } from "./anthropic.js";
import { QUESTION } from "./cases.js";
import { ollama } from "./ollama.js";
import { openai, openaiResponses } from "./openai.js";
import { type Provider, USAGE, withServer } from "./provider.js";
import type { Response } from "./server.js";

const json = '{"boundaryId": 14}';

for (const provider of [openai, openaiResponses, anthropic, ollama]) {
  describe(provider.name, () => {
    test.each([
      ["text", { output: "text" }, provider.text("ID 14")],
      ["functionCalling", { output: "structured" }, provider.toolCalls({ boundaryId: 14 })],
      ["jsonSchema", { method: "jsonSchema" }, provider.text(json)],
    ] as const)("asks by %s", async (way, options, reply) => {
      const { outcome, received } = await run(provider, [reply], options);
      expect(outcome).toMatchObject({ boundaryId: 14, usage: USAGE });
      expect(received.map(provider.wayOf)).toEqual([way]);
    });

    // 1.5.8 of ChatOpenAI parses inside its retry loop, and would send each of these three times.
    test.each([
      ["JSON that was cut", provider.cutText('{"boundaryId": 1')],
      ["text that is no JSON", provider.text("At ID 14 or ID 15.")],
      ["an empty reply", provider.empty()],
    ])("asks once more, and by JSON Schema still, after %s", async (_name, reply) => {
      const { outcome, received } = await run(
        provider,
        [reply],
        { method: "jsonSchema" },
        { maxRetries: 2 },
      );
      expect(outcome).toBeInstanceOf(InvalidBoundaryError);
      expect(outcome).toMatchObject({ attempts: 2, usage: { total_tokens: 210 } });
      expect(received.map(provider.wayOf)).toEqual(["jsonSchema", "jsonSchema"]);
    });

    test.each([{ output: "text" }, { output: "structured" }, { method: "jsonSchema" }] as const)(
      "asked by %o, ends with an error that comes with status 200",
      async (options) => {
        for (const [reply, said] of [
          [provider.lateError("quota exceeded"), /quota exceeded/],
          [{ body: {} }, provider.noReply],
        ] as const) {
          const { outcome, received } = await run(provider, [reply], options, { maxRetries: 2 });
          expect(outcome).not.toBeInstanceOf(InvalidBoundaryError);
          expect(String(outcome)).toMatch(said);
          expect(received).toHaveLength(1);
        }
      },
    );

    test("repeats the reply and says what was wrong with it", async () => {
      const replies = [provider.toolCalls({ boundaryId: 4711 }), provider.text("ID 14")];
      const { received } = await run(provider, replies);
      const [first, second] = received.map(provider.texts);
      expect(second?.slice(0, first?.length)).toEqual(first);
      const [reply, complaint] = second?.slice(first?.length ?? 0) ?? [];
      expect(reply).toMatchObject({ role: "assistant", text: '{"boundaryId":4711}' });
      expect(complaint).toMatchObject({ role: "user" });
      expect(complaint?.text).toContain("4711 is not the ID");
      expect(complaint?.text).toContain("12, 13, 14, 15, 16, 17, 18");
    });
  });
}

describe.each([openai, openaiResponses, ollama])("$name", (provider) => {
  test("asks by JSON mode, with the words that it needs", async () => {
    const { outcome, received } = await run(provider, [provider.text(json)], {
      method: "jsonMode",
    });
    expect(outcome).toMatchObject({ boundaryId: 14 });
    expect(received.map(provider.wayOf)).toEqual(["jsonMode"]);
    expect(received.map(provider.texts)[0]?.at(-1)?.text).toContain('{"boundaryId": <ID>}');
  });
});

describe.each([openai, openaiResponses])("$name", (provider) => {
  test.each([
    ["a refusal", provider.refused?.("No.")],
    ["a filtered reply", provider.filtered?.()],
  ])("takes %s to a JSON Schema for what it is", async (_name, reply) => {
    const replies = reply ? [reply] : [];
    const options = { method: "jsonSchema" } as const;
    const { outcome, received } = await run(provider, replies, options, { maxRetries: 2 });
    expect(outcome).toMatchObject({ reason: "refused", attempts: 1, usage: USAGE });
    expect(received).toHaveLength(1);
  });
});

test("Claude that thinks may not be made to call a tool, and answers either way", async () => {
  const replies = [
    anthropic.reasoned("Is it ID 12?", "I see no clear ID."),
    anthropic.reasoned("It is.", "The shift is at ID 12."),
  ];
  await withServer(anthropic, replies, async (server) => {
    const model = new ChatAnthropic({
      apiKey: "sk-ant-test",
      anthropicApiUrl: server.url,
      model: "claude-haiku-4-5",
      thinking: { type: "enabled", budget_tokens: 1024 },
    });
    const answer = await createBoundaryChain(model).invoke(QUESTION);
    expect(answer).toMatchObject({ boundaryId: 12, usage: { total_tokens: 210 } });
    expect(server.received.map(({ body }) => body.tool_choice)).toEqual([undefined, undefined]);
  });
});

test("Azure's error for a blocked prompt is a refusal", async () => {
  const error = { code: "content_filter", message: "The prompt was filtered", param: "prompt" };
  const { outcome, received } = await run(openai, [{ status: 400, body: { error } }]);
  expect(outcome).toBeInstanceOf(InvalidBoundaryError);
  expect(outcome).toMatchObject({ reason: "refused", attempts: 1, cause: { status: 400 } });
  expect(received).toHaveLength(1);
});

test("an exhausted quota passes through at once", async () => {
  const error = { code: "insufficient_quota", message: "You exceeded your current quota" };
  const reply = { status: 429, headers: { "retry-after": "0" }, body: { error } };
  const { outcome, received } = await run(openai, [reply], {}, { maxRetries: 3 });
  expect(outcome).toMatchObject({ name: "InsufficientQuotaError", status: 429 });
  expect(received).toHaveLength(1);
});

async function run(
  provider: Provider,
  replies: Response[],
  options: Parameters<typeof createBoundaryChain>[1] = {},
  settings = {},
) {
  return withServer(provider, replies, async (server) => {
    const chain = createBoundaryChain(provider.client(server.url, settings), options);
    const outcome = await chain.invoke(QUESTION).catch((error: unknown) => error);
    return { outcome, received: server.received };
  });
}
