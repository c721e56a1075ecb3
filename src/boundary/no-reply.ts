import type { BaseMessage } from "@langchain/core/messages";

/** Metadata that clients fill in by themselves, whatever a server sends. */
const CLIENTS_OWN: readonly string[] = ["model_provider", "model_name", "model", "output_version"];

/** Data that nests deeper than this says something. */
const MAX_DEPTH = 6;

/**
 * Whether a message is what a client made of something that is no reply of a chat model (`{}`, a
 * proxy's page): it holds no text and no call, and its account of the reply (usage, why it ended,
 * the reply's ID) is there, but blank. A model's empty reply has something in its account.
 *
 * A model whose messages have no account at all, such as a simple one of the caller's own or a test
 * double, is believed: its `new AIMessage("")` is an empty reply.
 */
export function isNoReply(message: BaseMessage): boolean {
  const { content, id, additional_kwargs, response_metadata } = message;
  const usage: unknown = Reflect.get(message, "usage_metadata");
  const hasAccount = usage !== undefined || Object.keys(response_metadata ?? {}).length > 0;
  const calls = ["tool_calls", "invalid_tool_calls"].map((key) => Reflect.get(message, key));
  // core gives a message without an ID that of its run
  const ownId = id?.startsWith("run-") ? undefined : id;
  const all = [content, ownId, additional_kwargs, response_metadata, usage, calls];
  return hasAccount && !all.some((part) => saysSomething(part));
}

/** Whether data holds a value that is not blank, beside what a client fills in by itself. */
export function saysSomething(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return Boolean(value);
  return Object.entries(value).some(
    ([key, inner]) => !CLIENTS_OWN.includes(key) && saysSomething(inner, depth + 1),
  );
}
