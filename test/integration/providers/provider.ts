import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { StructuredMethod } from "../../../src/boundary/way.js";
import { type Received, type Response, type ScriptedServer, startServer } from "./server.js";

/** Settings of a client under test. */
export interface ClientSettings {
  /** Retries of the client itself, for those that have them. */
  maxRetries?: number;
  /** Milliseconds after which the client gives up a request, for those that can. */
  timeout?: number;
}

/** One provider: its real client, its protocol from the server's side, and its quirks. */
export interface Provider {
  name: string;
  /** Requests are sent here. */
  path: string;
  /** Whether the client has retries of its own. */
  retries: boolean;
  client(url: string, settings?: ClientSettings): BaseChatModel;

  /** Replies. Each reports {@link USAGE}. */
  toolCalls(...args: unknown[]): Response;
  brokenToolCall(args: string): Response;
  text(text: string): Response;
  /** Thoughts in the provider's own field or block, then an answer in text. */
  reasoned(thoughts: string, answer: string): Response;
  cutText(text: string): Response;
  empty(): Response;
  /** A reply without what the protocol promises. */
  noMessage?(): Response;
  /** The client's error for a body without a byte. */
  emptyBody: RegExp;
  /** The error for a body that is no reply. */
  noReply: RegExp;
  /** An error that comes with status 200. */
  lateError(message: string): Response;
  refused?(text: string): Response;
  filtered?(): Response;
  error(status: number, headers?: Record<string, string>): Response;

  /** What is wrong with a request, as the provider would say it; undefined if nothing is. */
  objection(request: Received): string | undefined;
  /** What the request asks for, as the server understands it. */
  wayOf(request: Received): StructuredMethod | "text" | "other";
  /** The prompt: its messages' texts in order. */
  texts(request: Received): { role: string; text: string }[];
}

/**
 * Runs a server that answers from a script, the last reply for ever, and that refuses a request as
 * the provider would (status 422).
 */
export async function withServer<Result>(
  provider: Provider,
  replies: readonly (Response | Promise<Response>)[],
  use: (server: ScriptedServer) => Promise<Result>,
): Promise<Result> {
  const server = await startServer((request, index) => {
    const objection = provider.objection(request);
    if (objection) return { status: 422, body: { error: { message: objection } } };
    return replies[Math.min(index, replies.length - 1)] ?? "stall";
  });
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** Tokens of one reply. */
export const USAGE = { input_tokens: 100, output_tokens: 5, total_tokens: 105 };

/** Whether messages alternate between user and assistant, begin with the user and end there. */
export function alternates(roles: readonly string[]): boolean {
  return (
    roles.length % 2 === 1 && roles.every((role, i) => role === (i % 2 ? "assistant" : "user"))
  );
}
