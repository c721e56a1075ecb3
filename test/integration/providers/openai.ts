import { ChatOpenAI } from "@langchain/openai";
import { alternates, type Provider, USAGE } from "./provider.js";
import type { Response } from "./server.js";

const KEY = "sk-test-openai";

/** OpenAI's chat completions. */
export const openai: Provider = {
  name: "ChatOpenAI",
  path: "/v1/chat/completions",
  retries: true,
  client: (url, settings) => new ChatOpenAI({ ...fields(url), model: "gpt-4o-mini", ...settings }),

  toolCalls: (...args) =>
    completion(
      { tool_calls: args.map((value, i) => call(JSON.stringify(value), i)) },
      "tool_calls",
    ),
  brokenToolCall: (args) => completion({ tool_calls: [call(args, 0)] }, "length"),
  text: (text) => completion({ content: text }),
  reasoned: (thoughts, answer) => completion({ reasoning_content: thoughts, content: answer }),
  cutText: (text) => completion({ content: text }, "length"),
  empty: () => completion({ content: "" }),
  noMessage: () => ({ body: { ...envelope(), choices: [] } }),
  emptyBody: /Unexpected end of JSON input/,
  noReply: /NoReplyError/,
  lateError: (message) => ({
    body: { error: { message, type: "server_error", code: null, param: null } },
  }),
  refused: (refusal) => completion({ refusal }),
  filtered: () => completion({ content: "" }, "content_filter"),
  error: (status, headers = {}) => ({
    status,
    headers,
    body: { error: { message: `status ${status}`, type: "test", code: null, param: null } },
  }),

  objection({ headers, body }) {
    if (headers.authorization !== `Bearer ${KEY}`) return "no key";
    const messages = body.messages as { role: string; content: unknown; tool_calls?: unknown }[];
    const roles = messages.map(({ role }) => role);
    if (roles[0] !== "system" || !alternates(roles.slice(1))) return `roles: ${roles}`;
    if (messages.some(({ tool_calls }) => tool_calls)) return "tool_calls without their results";
    const asksJson =
      (body.response_format as { type?: string } | undefined)?.type === "json_object";
    if (asksJson && !/json/i.test(JSON.stringify(messages))) return "messages don't say JSON";
    return messages.every(({ content }) => typeof content === "string" && content !== "")
      ? undefined
      : "empty content";
  },
  wayOf({ body }) {
    const format = body.response_format as Record<string, unknown> | undefined;
    if (format?.type === "json_object") return "jsonMode";
    if (format?.type === "json_schema")
      return isSchema(format.json_schema) ? "jsonSchema" : "other";
    if (body.tools === undefined) return "text";
    const forced = body.tool_choice as { function?: { name?: string } } | undefined;
    const [tool] = body.tools as { type: string; function: { name: string; parameters: object } }[];
    const isTool = tool?.type === "function" && tool.function.name === forced?.function?.name;
    return isTool && takesInteger(tool.function.parameters) ? "functionCalling" : "other";
  },
  texts: ({ body }) =>
    (body.messages as { role: string; content: string }[]).map(({ role, content }) => ({
      role,
      text: content,
    })),
};

/** OpenAI's responses, which ChatOpenAI uses when told to, or for some models. */
export const openaiResponses: Provider = {
  ...openai,
  name: "ChatOpenAI (responses)",
  // The client fails over a body that is no object before it can be heard.
  noReply: /NoReplyError|'in' operator to search for 'object'/,
  path: "/v1/responses",
  client: (url, settings) => {
    return new ChatOpenAI({ ...fields(url), model: "gpt-5-codex", ...settings });
  },

  toolCalls: (...args) => response(args.map((value, i) => callItem(JSON.stringify(value), i))),
  brokenToolCall: (args) => response([callItem(args, 0)], "max_output_tokens"),
  text: (text) => response([messageItem({ type: "output_text", text, annotations: [] })]),
  reasoned: (thoughts, text) =>
    response([
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: thoughts }] },
      messageItem({ type: "output_text", text, annotations: [] }),
    ]),
  cutText: (text) =>
    response([messageItem({ type: "output_text", text, annotations: [] })], "max_output_tokens"),
  empty: () => response([]),
  noMessage: () => response([messageItem()]),
  refused: (refusal) => response([messageItem({ type: "refusal", refusal })]),
  filtered: () => response([], "content_filter"),

  objection({ headers, body }) {
    if (headers.authorization !== `Bearer ${KEY}`) return "no key";
    const input = body.input as { type: string; role: string; content: unknown }[];
    if (input.some(({ type }) => type === "function_call")) return "call without its output";
    const roles = input.map(({ role }) => role);
    // ChatOpenAI calls the system "developer" for a reasoning model.
    const begins = roles[0] === "system" || roles[0] === "developer";
    return begins && alternates(roles.slice(1)) ? undefined : `roles: ${roles}`;
  },
  wayOf({ body }) {
    const format = (body.text as { format?: Record<string, unknown> } | undefined)?.format;
    if (format?.type === "json_object") return "jsonMode";
    if (format?.type === "json_schema") return isSchema(format) ? "jsonSchema" : "other";
    if (body.tools === undefined) return "text";
    const forced = body.tool_choice as { name?: string } | undefined;
    const [tool] = body.tools as { name: string; parameters: object }[];
    const isTool = tool !== undefined && tool.name === forced?.name;
    return isTool && takesInteger(tool.parameters) ? "functionCalling" : "other";
  },
  texts: ({ body }) =>
    (body.input as { role: string; content: string | { text: string }[] }[]).map(
      ({ role, content }) => ({
        role,
        text: typeof content === "string" ? content : content.map(({ text }) => text).join(""),
      }),
    ),
};

/** A chat completion as a stream of its pieces. */
export const streamed = (...deltas: object[]): Response => streamedTo("stop", ...deltas);

export function streamedTo(end: string, ...deltas: object[]): Response {
  const chunks = [{ role: "assistant", content: "" }, ...deltas].map((delta, i, { length }) => ({
    ...envelope(),
    object: "chat.completion.chunk",
    usage: null,
    choices: [{ index: 0, delta, finish_reason: i === length - 1 ? end : null }],
  }));
  const events = [...chunks, { ...envelope(), choices: [] }].map((event) => JSON.stringify(event));
  return {
    headers: { "content-type": "text/event-stream" },
    body: [...events, "[DONE]"].map((event) => `data: ${event}\n\n`).join(""),
  };
}

/** Whether a tool's parameters are one required integer, the same for all windows. */
export function takesInteger(schema: unknown): boolean {
  const { type, properties, required } = schema as Record<string, Record<string, object>>;
  const boundaryId = properties?.boundaryId as Record<string, unknown> | undefined;
  const isPlain =
    Object.keys(boundaryId ?? {})
      .sort()
      .join() === "description,type";
  const isOnlyOne = Object.keys(properties ?? {}).join() === "boundaryId";
  const isRequired = JSON.stringify(required) === '["boundaryId"]';
  return String(type) === "object" && isPlain && isOnlyOne && isRequired;
}

function isSchema(format: unknown): boolean {
  const { name, schema } = format as { name?: string; schema?: unknown };
  return name === "boundary" && takesInteger(schema);
}

function fields(url: string) {
  return { apiKey: KEY, configuration: { baseURL: `${url}/v1` }, maxRetries: 0 };
}

function envelope() {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: "gpt-4o-mini",
    usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 },
  };
}

function completion(message: object, finish_reason = "stop"): Response {
  const whole = { role: "assistant", content: null, ...message };
  return { body: { ...envelope(), choices: [{ index: 0, message: whole, finish_reason }] } };
}

function call(args: string, index: number) {
  return { id: `call_${index}`, type: "function", function: { name: "boundary", arguments: args } };
}

function callItem(args: string, index: number) {
  const call_id = `call_${index}`;
  return { type: "function_call", id: `fc_${index}`, call_id, name: "boundary", arguments: args };
}

function messageItem(...content: object[]) {
  return { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
}

function response(output: object[], incomplete?: string): Response {
  return {
    body: {
      id: "resp_1",
      object: "response",
      created_at: 0,
      model: "gpt-5-codex",
      status: incomplete ? "incomplete" : "completed",
      error: null,
      incomplete_details: incomplete ? { reason: incomplete } : null,
      output,
      usage: { ...USAGE, input_tokens_details: {}, output_tokens_details: {} },
    },
  };
}
