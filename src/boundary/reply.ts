import type { BaseMessage } from "@langchain/core/messages";
import type { InvalidBoundaryReason } from "../errors.js";
import { readRefusal, wasCut } from "./refusal.js";
import { agreed, type Claim, parseJson, readText, readValue } from "./text.js";

/** A reply as it was understood: a valid boundary, or why it is none. */
export type Reading =
  | { boundaryId: number }
  | { reason: InvalidBoundaryReason; reply: unknown; named?: number };

/**
 * Reads what came back from a chat model, however it was asked: a message (with tool calls, text or
 * a refusal), structured output with its raw message (`{ raw, parsed }`), or structured output alone.
 *
 * @param candidateIds the IDs that can be chosen; 0, for "nothing shifts", is valid beside them.
 */
export function readReply(reply: unknown, candidateIds: readonly number[]): Reading {
  const validIds = new Set([0, ...candidateIds]);
  if (isMessage(reply)) return readMessage(reply, validIds);
  if (!isRawAndParsed(reply)) return judge(readValue(reply, validIds), reply, validIds);
  const fromRaw = readMessage(reply.raw, validIds);
  if ("boundaryId" in fromRaw || fromRaw.reason === "refused") return fromRaw;
  if (reply.parsed === null || reply.parsed === undefined || toolCalls(reply.raw).length > 1) {
    return fromRaw;
  }
  return judge(readValue(reply.parsed, validIds), reply.parsed, validIds);
}

/** The message in which a reply came, if it is known. */
export function messageOf(reply: unknown): BaseMessage | undefined {
  if (isMessage(reply)) return reply;
  return isRawAndParsed(reply) ? reply.raw : undefined;
}

function readMessage(message: BaseMessage, validIds: ReadonlySet<number>): Reading {
  const text = textOf(message);
  const refusal = readRefusal(message);
  if (refusal !== undefined) return { reason: "refused", reply: text || refusal };
  const calls = toolCalls(message);
  if (calls.length > 0) {
    const reply = calls.length === 1 ? calls[0] : calls;
    return judge(agreed(calls.map((args) => readValue(args, validIds))), reply, validIds);
  }
  const broken = brokenToolCalls(message);
  const claim = wasCut(message) && /\d\s*$/.test(text) ? "unparsable" : readText(text, validIds);
  if (broken.length > 0 && typeof claim !== "number") {
    return { reason: "unparsable", reply: broken.join("\n") };
  }
  return judge(claim, text, validIds);
}

function judge(claim: Claim, reply: unknown, validIds: ReadonlySet<number>): Reading {
  if (typeof claim !== "number") return { reason: claim, reply };
  if (validIds.has(claim)) return { boundaryId: claim === 0 ? 0 : claim };
  return { reason: "outside-window", reply, named: claim };
}

function toolCalls(message: BaseMessage): unknown[] {
  const calls = "tool_calls" in message ? message.tool_calls : undefined;
  if (!Array.isArray(calls) || repairedToolCalls(message).length > 0) return [];
  return calls.map((call: { args?: unknown }) => call.args);
}

/** Arguments that core has made whole when the reply was streamed: a number in them may be cut. */
function repairedToolCalls(message: BaseMessage): string[] {
  const chunks = "tool_call_chunks" in message ? message.tool_call_chunks : undefined;
  if (!Array.isArray(chunks)) return [];
  const parts = chunks.map(({ args }: { args?: string }) => args ?? "");
  return parts.filter((args) => args !== "" && parseJson(args) === undefined);
}

/** Arguments that the client could not parse, such as JSON that was cut. */
function brokenToolCalls(message: BaseMessage): string[] {
  const calls = "invalid_tool_calls" in message ? message.invalid_tool_calls : undefined;
  const invalid = Array.isArray(calls) ? calls.map(({ args }: { args?: string }) => args) : [];
  return [...invalid.map((args) => args ?? ""), ...repairedToolCalls(message)];
}

/** A message's text, without reasoning and other blocks that are no text. */
function textOf({ content }: BaseMessage): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  // on lines of their own, so that the numbers of two blocks don't become one
  return content.map(textOfBlock).join("\n");
}

function textOfBlock(block: unknown): string {
  if (typeof block === "string") return block;
  if (typeof block !== "object" || block === null) return "";
  if (!("type" in block) || !("text" in block) || typeof block.text !== "string") return "";
  return block.type === "text" || block.type === "output_text" ? block.text : "";
}

export function isMessage(value: unknown): value is BaseMessage {
  return typeof value === "object" && value !== null && "content" in value && "getType" in value;
}

function isRawAndParsed(value: unknown): value is { raw: BaseMessage; parsed?: unknown } {
  return typeof value === "object" && value !== null && "raw" in value && isMessage(value.raw);
}
