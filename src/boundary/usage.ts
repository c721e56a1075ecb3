import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { BaseMessage, UsageMetadata } from "@langchain/core/messages";
import type { LLMResult } from "@langchain/core/outputs";

type Counts = Record<string, number>;

/** The tokens of two answers together; undefined when neither reports any. */
export function sumUsage(
  a: UsageMetadata | undefined,
  b: UsageMetadata | undefined,
): UsageMetadata | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return withDetails(
    {
      input_tokens: a.input_tokens + b.input_tokens,
      output_tokens: a.output_tokens + b.output_tokens,
      total_tokens: a.total_tokens + b.total_tokens,
    },
    [a, b],
  );
}

/** Adds the tokens of one more reply; a reply that reports none changes nothing. */
export function addUsage(
  sum: UsageMetadata | undefined,
  message: BaseMessage | undefined,
): UsageMetadata | undefined {
  const reported = message && "usage_metadata" in message ? message.usage_metadata : undefined;
  return sumUsage(sum, readUsage(reported));
}

/** Reported usage with its three counts filled in; undefined when it reports none of them. */
export function readUsage(reported: unknown): UsageMetadata | undefined {
  if (typeof reported !== "object" || reported === null) return undefined;
  const usage: Partial<UsageMetadata> = reported;
  const counts = [usage.input_tokens, usage.output_tokens, usage.total_tokens];
  if (!counts.some(Number.isFinite)) return undefined;
  const [input_tokens = 0, output_tokens = 0, total = input_tokens + output_tokens] = counts;
  return withDetails({ input_tokens, output_tokens, total_tokens: total }, [usage]);
}

function withDetails(counts: UsageMetadata, parts: Partial<UsageMetadata>[]): UsageMetadata {
  const input = addCounts(parts.map((part) => part.input_token_details));
  const output = addCounts(parts.map((part) => part.output_token_details));
  return {
    ...counts,
    ...(input && { input_token_details: input }),
    ...(output && { output_token_details: output }),
  };
}

/** The sums of details, by name; undefined when there are none. */
function addCounts(details: (object | undefined)[]): Counts | undefined {
  const sums: Counts = {};
  for (const [name, count] of details.flatMap((detail) => Object.entries(detail ?? {}))) {
    if (typeof count === "number") sums[name] = (sums[name] ?? 0) + count;
  }
  return Object.keys(sums).length > 0 ? sums : undefined;
}

/** Sums what the models under one question have used, whatever became of their replies. */
export class UsageHandler extends BaseCallbackHandler {
  name = "lumberchunker_usage";
  override awaitHandlers = true;
  usage: UsageMetadata | undefined;

  /** A handler that is told of all runs under a manager. */
  static in(manager: CallbackManager): UsageHandler {
    const handler = new UsageHandler();
    manager.addHandler(handler, true);
    return handler;
  }

  override handleLLMEnd(output: LLMResult): void {
    for (const generation of output.generations.flat())
      if ("message" in generation)
        this.usage = addUsage(this.usage, generation.message as BaseMessage);
  }
}
