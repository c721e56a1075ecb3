import { ChatAnthropic } from "@langchain/anthropic";
import { takesInteger } from "./openai.js";
import { alternates, type Provider } from "./provider.js";
import type { Response } from "./server.js";

const KEY = "sk-ant-test";

interface Message {
  role: string;
  content: string | { type: string; text?: string }[];
}

/** Anthropic's messages. */
export const anthropic: Provider = {
  name: "ChatAnthropic",
  path: "/v1/messages",
  retries: true,
  client: (url, { maxRetries = 0, timeout } = {}) =>
    new ChatAnthropic({
      apiKey: KEY,
      anthropicApiUrl: url,
      model: "claude-haiku-4-5",
      maxRetries,
      ...(timeout && { clientOptions: { timeout } }),
    }),

  toolCalls: (...args) =>
    message(
      args.map((input, i) => ({ type: "tool_use", id: `toolu_${i}`, name: "boundary", input })),
      "tool_use",
    ),
  brokenToolCall: () =>
    message([{ type: "tool_use", id: "toolu_0", name: "boundary", input: {} }], "max_tokens"),
  text: (text) => message([{ type: "text", text }]),
  reasoned: (thinking, text) =>
    message([
      { type: "thinking", thinking, signature: "c2ln" },
      { type: "text", text },
    ]),
  cutText: (text) => message([{ type: "text", text }], "max_tokens"),
  empty: () => message([]),
  emptyBody: /Unexpected end of JSON input/,
  noReply: /NoReplyError/,
  lateError: (message) => ({ body: { type: "error", error: { type: "api_error", message } } }),
  refused: (text) => message([{ type: "text", text }], "refusal"),
  filtered: () => message([], "refusal"),
  error: (status, headers = {}) => ({
    status,
    headers,
    body: { type: "error", error: { type: "test_error", message: `status ${status}` } },
  }),

  objection({ headers, body }) {
    if (headers["x-api-key"] !== KEY) return "no key";
    if (typeof body.max_tokens !== "number") return "max_tokens is required";
    const messages = body.messages as Message[];
    if (!alternates(messages.map(({ role }) => role))) return "roles don't alternate";
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    if (blocks.some(({ type }) => type === "tool_use")) return "tool_use without tool_result";
    return messages.every(({ content }) => content.length > 0) ? undefined : "empty content";
  },
  wayOf({ body }) {
    const config = body.output_config as { format?: { type: string; schema: unknown } } | undefined;
    if (config?.format?.type === "json_schema") {
      return takesInteger(config.format.schema) ? "jsonSchema" : "other";
    }
    if (body.tools === undefined) return "text";
    const forced = body.tool_choice as { type?: string; name?: string } | undefined;
    const [tool] = body.tools as { name: string; input_schema: unknown }[];
    const isTool = tool !== undefined && (forced === undefined || forced.name === tool.name);
    return isTool && takesInteger(tool.input_schema) ? "functionCalling" : "other";
  },
  texts: ({ body }) => [
    { role: "system", text: textOf(body.system as Message["content"]) },
    ...(body.messages as Message[]).map(({ role, content }) => ({ role, text: textOf(content) })),
  ],
};

function textOf(content: Message["content"]): string {
  return typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("");
}

function message(content: object[], stop_reason = "end_turn"): Response {
  return {
    body: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-haiku-4-5",
      content,
      stop_reason,
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 5 },
    },
  };
}
