import { ChatOllama } from "@langchain/ollama";
import { takesInteger } from "./openai.js";
import { alternates, type Provider } from "./provider.js";
import type { Response } from "./server.js";

/** Ollama's chat: a stream of JSON lines. */
export const ollama: Provider = {
  name: "ChatOllama",
  path: "/api/chat",
  retries: false,
  client: (url) => new ChatOllama({ baseUrl: url, model: "qwen3:4b" }),

  toolCalls: (...args) =>
    lines({
      content: "",
      tool_calls: args.map((value) => ({ function: { name: "boundary", arguments: value } })),
    }),
  brokenToolCall: () => lines({ content: "" }, "length"),
  text: (text) => lines({ content: text }),
  reasoned: (thinking, content) => lines({ content: "", thinking }, "stop", { content }),
  cutText: (text) => lines({ content: text }, "length"),
  empty: () => lines({ content: "" }),
  emptyBody: /Did not receive done/,
  noReply: /Did not receive done|Cannot read properties|'in' operator/,
  lateError: (message) => ({ body: { error: message } }),
  error: (status, headers = {}) => ({ status, headers, body: { error: `status ${status}` } }),

  objection({ body }) {
    const messages = body.messages as { role: string; content: string }[];
    const roles = messages.map(({ role }) => role);
    return roles[0] === "system" && alternates(roles.slice(1)) ? undefined : `roles: ${roles}`;
  },
  wayOf({ body }) {
    if (body.format === "json") return "jsonMode";
    if (body.format !== undefined) return takesInteger(body.format) ? "jsonSchema" : "other";
    if (body.tools === undefined) return "text";
    const [tool] = body.tools as { function: { name: string; parameters: unknown } }[];
    const isTool = tool?.function.name === "boundary" && takesInteger(tool.function.parameters);
    return isTool ? "functionCalling" : "other";
  },
  texts: ({ body }) =>
    (body.messages as { role: string; content: string }[]).map(({ role, content }) => ({
      role,
      text: content,
    })),
};

/** The message, in one piece or two, then the line that ends the reply. */
function lines(first: object, done_reason = "stop", second?: object): Response {
  const pieces = [first, ...(second ? [second] : [])].map((message) => ({
    model: "qwen3:4b",
    message: { role: "assistant", ...message },
    done: false,
  }));
  const last = {
    model: "qwen3:4b",
    message: { role: "assistant", content: "" },
    done: true,
    done_reason,
    prompt_eval_count: 100,
    eval_count: 5,
  };
  return {
    headers: { "content-type": "application/x-ndjson" },
    body: [...pieces, last].map((line) => `${JSON.stringify(line)}\n`).join(""),
  };
}
