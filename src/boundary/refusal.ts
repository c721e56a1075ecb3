import type { BaseMessage } from "@langchain/core/messages";

/** How providers say that they would not answer, in the field that says why a reply ended. */
const REFUSALS = new Set([
  "content_filter", // OpenAI, Azure, Mistral
  "refusal", // Anthropic
  "guardrail_intervened", // Bedrock
  "content_filtered", // Bedrock
  "error_toxic", // Cohere
  "safety", // Gemini, and the six below
  "recitation",
  "blocklist",
  "prohibited_content",
  "spii",
  "language",
  "model_armor",
]);

/** How providers say that a reply reached its largest length. */
const CUTS = new Set(["length", "max_tokens", "max_output_tokens"]);

/** The fields in which clients keep why a reply ended. */
const END_KEYS = ["finish_reason", "stop_reason", "finishReason", "stopReason", "done_reason"];

/** Codes of errors with which OpenAI and Azure refuse a prompt before the model sees it. */
const BLOCKED_PROMPTS = new Set(["content_filter", "content_policy_violation", "invalid_prompt"]);

/** What the model or its provider said in refusing; undefined when it did not refuse. */
export function readRefusal(message: BaseMessage): string | undefined {
  const { refusal } = message.additional_kwargs;
  if (typeof refusal === "string" && refusal !== "") return refusal;
  return refusalBlock(message) ?? blockedPrompt(message) ?? endsWith(message, REFUSALS);
}

/** Whether the reply was cut at its largest length. */
export function wasCut(message: BaseMessage): boolean {
  return endsWith(message, CUTS) !== undefined;
}

/** Whether a provider's error says that the prompt itself was refused. */
export function isBlockedPrompt(error: unknown): boolean {
  const code = field(error, "code") ?? field(field(error, "error"), "code");
  return typeof code === "string" && BLOCKED_PROMPTS.has(code);
}

function refusalBlock({ content }: BaseMessage): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const block = content.find((part) => part.type === "refusal");
  if (block === undefined) return undefined;
  const refusal = field(block, "refusal");
  return typeof refusal === "string" && refusal !== "" ? refusal : "refusal";
}

/** Gemini's way to say that it looked at the prompt only. */
function blockedPrompt({ response_metadata }: BaseMessage): string | undefined {
  const feedback =
    field(response_metadata, "promptFeedback") ?? field(response_metadata, "filters");
  const reason = field(feedback, "blockReason");
  return typeof reason === "string" ? reason : undefined;
}

/** A client that streams may keep why a reply ended beside the metadata. */
function endsWith(message: BaseMessage, reasons: ReadonlySet<string>): string | undefined {
  const { response_metadata, additional_kwargs } = message;
  const all = [response_metadata, additional_kwargs].flatMap((fields) => [
    ...END_KEYS.map((key) => field(fields, key)),
    field(field(fields, "incomplete_details"), "reason"),
  ]);
  return all.find((end): end is string => {
    return typeof end === "string" && reasons.has(end.toLowerCase());
  });
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Reflect.get(value, key);
}
