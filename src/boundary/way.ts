import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { Runnable } from "@langchain/core/runnables";
import { InvalidParameterError } from "../errors.js";

/** How structured output is asked for; LangChain's names. */
export type StructuredMethod = "functionCalling" | "jsonSchema" | "jsonMode";

/** How the answer is asked for. */
export interface Way {
  output: "auto" | "structured" | "text";
  method?: StructuredMethod | undefined;
}

const METHODS: readonly string[] = ["functionCalling", "jsonSchema", "jsonMode"];
const OUTPUTS: readonly string[] = ["auto", "structured", "text"];

/** The name of the tool, or of the schema. */
export const BOUNDARY_NAME = "boundary";

/**
 * What an answer looks like. The same for all windows: ranges and enumerations are refused by some
 * providers and ignored by others, so the answer is checked here instead.
 */
export const BOUNDARY_SCHEMA = {
  type: "object",
  description: "Names the first paragraph whose content clearly shifts.",
  properties: {
    boundaryId: {
      type: "integer",
      description: "The ID of that paragraph, or 0 if nothing shifts.",
    },
  },
  required: ["boundaryId"],
  additionalProperties: false,
};

/** What is added to the prompt where the model is asked for JSON but not shown the schema. */
export const JSON_INSTRUCTION = 'Answer with a JSON object: {"boundaryId": <ID>}';

/** @throws InvalidParameterError for an unknown `output` or `method`, or a pair that contradicts. */
export function checkWay({ output, method }: Way): void {
  if (!OUTPUTS.includes(output)) {
    throw new InvalidParameterError("output", '"auto", "structured" or "text"', output);
  }
  if (method === undefined) return;
  if (!METHODS.includes(method)) {
    const expected = '"functionCalling", "jsonSchema" or "jsonMode"';
    throw new InvalidParameterError("method", expected, method);
  }
  if (output === "text") {
    throw new InvalidParameterError("method", 'left out where output is "text"', method);
  }
}

/**
 * The model's structured output, by the way that was asked for; undefined where it is to be asked
 * for text. By default that is tool calling where the model takes tools, and text where it doesn't.
 */
export function structuredFor(
  model: BaseChatModel,
  { output, method }: Way,
): Runnable<BaseLanguageModelInput, unknown> | undefined {
  if (output === "text") return undefined;
  if (output === "structured" || method !== undefined) return structured(model, method);
  if (typeof model.bindTools !== "function") return undefined;
  try {
    return structured(model);
  } catch {
    return undefined;
  }
}

/** @throws InvalidParameterError when the model knows no such method. */
export function structured(
  model: BaseChatModel,
  method: StructuredMethod = "functionCalling",
): Runnable<BaseLanguageModelInput, unknown> {
  try {
    return model.withStructuredOutput(BOUNDARY_SCHEMA, {
      name: BOUNDARY_NAME,
      method,
      includeRaw: true,
    });
  } catch (cause) {
    const expected = `one that the model supports (${cause instanceof Error ? cause.message : cause})`;
    throw new InvalidParameterError("method", expected, method, { cause });
  }
}
