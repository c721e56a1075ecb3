import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import type { LLMResult } from "@langchain/core/outputs";
import { mergeConfigs, Runnable, type RunnableConfig } from "@langchain/core/runnables";
import { InvalidParameterError } from "../errors.js";
import { withoutParsing, withRefusals, withSignal } from "./clients.js";
import { chooserOf, isBinding, isChatModel, openModel } from "./model.js";
import { type StructuredMethod, structured, structuredFor, type Way } from "./way.js";

/** Asks a chat model: messages in, what came back out, whatever it is. */
type Ask = (messages: BaseMessage[], config: RunnableConfig) => Promise<unknown>;

/**
 * Prepares a model, alone or within bindings, for questions. Nothing is parsed inside the client:
 * a client that parses a reply may retry, or lose, one that it can't read.
 */
export function prepareModel(value: unknown, way: Way): Runnable<BaseMessage[], unknown> {
  const { model, wrap } = openModel(value);
  const choose = chooserOf(model);
  const ask: Ask =
    choose === undefined
      ? prepareAsk(model, way)
      : async (messages, config) => prepareAsk(await choose(config), way)(messages, config);
  return wrap(new AskedModel(model.getName(), ask));
}

/** Stands in the place of the chat model within its bindings; no run of its own. */
class AskedModel extends Runnable<BaseMessage[], unknown> {
  lc_namespace = ["langchain_lumberchunker", "boundary"];
  readonly #ask: Ask;

  constructor(name: string, ask: Ask) {
    super();
    this.name = name;
    this.#ask = ask;
  }

  async invoke(messages: BaseMessage[], config?: Partial<RunnableConfig>): Promise<unknown> {
    return this.#ask(messages, config ?? {});
  }
}

function prepareAsk(model: BaseChatModel, way: Way): Ask {
  const pipeline = structuredFor(model, way);
  if (pipeline === undefined) return askModel(model);
  const bound = modelWithin(pipeline);
  if (bound !== undefined) return askModel(withoutParsing(bound));
  return (messages, config) => askPipeline(model, way.method, messages, config);
}

/** Asks a chat model; one that ends without a message has answered nothing. */
function askModel(model: Runnable): Ask {
  const bound = withRefusals(model);
  return async (messages, config) => {
    const end = new EndOfRun();
    try {
      return await withSignal(bound, config.signal).invoke(messages, withHandler(config, end));
    } catch (error) {
      if (end.emptyResult === undefined) throw error;
      return new AIMessage({ content: "", response_metadata: end.emptyResult });
    }
  };
}

/**
 * Asks through a `withStructuredOutput` of the model's own making. If that fails after the model has
 * answered, the answer was not what it expects, and is read here.
 */
async function askPipeline(
  model: BaseChatModel,
  method: StructuredMethod | undefined,
  messages: BaseMessage[],
  config: RunnableConfig,
): Promise<unknown> {
  const { listening, heard } = listenTo(model, config);
  try {
    const output: unknown = await structured(listening, method).invoke(messages, config);
    const raw = heard.at(-1);
    const isRaw = typeof output === "object" && output !== null && "raw" in output;
    return raw === undefined || isRaw ? output : { raw, parsed: output };
  } catch (error) {
    const raw = heard.at(-1);
    if (raw !== undefined) return raw;
    if (isPrivateAccess(error)) return structured(model, method).invoke(messages, config);
    throw error;
  }
}

/** A model that keeps what it answers, and passes the config on where its pipeline forgets it. */
function listenTo(model: BaseChatModel, config: RunnableConfig) {
  const heard: AIMessageChunk[] = [];
  const invoke: BaseChatModel["invoke"] = async (input, options) => {
    const message = await model.invoke(input, options ?? config);
    heard.push(message);
    return message;
  };
  const listening: BaseChatModel = Object.create(model, { invoke: { value: invoke } });
  return { listening, heard };
}

/** A class with `#private` members can't be listened to: only its own instances have them. */
function isPrivateAccess(error: unknown): boolean {
  const cause = error instanceof InvalidParameterError ? error.cause : error;
  return cause instanceof TypeError && /private/.test(cause.message);
}

/** The model, with its options, at the beginning of a structured output pipeline. */
function modelWithin(step: unknown): Runnable | undefined {
  if (isChatModel(step)) return step;
  if (isBinding(step)) {
    const inner = modelWithin(step.bound);
    return inner === step.bound ? step : inner;
  }
  const steps = Runnable.isRunnable(step) && "steps" in step ? step.steps : undefined;
  if (Array.isArray(steps)) return modelWithin(steps[0]);
  const hasRaw = typeof steps === "object" && steps !== null && "raw" in steps;
  return hasRaw ? modelWithin(steps.raw) : undefined;
}

function withHandler(
  config: RunnableConfig,
  handler: BaseCallbackHandler,
): Partial<RunnableConfig> {
  return mergeConfigs(config, { callbacks: [handler] });
}

/**
 * Hears how the model's run ended. A reply without a choice (`choices: []`, Gemini's blocked prompt)
 * has no message, and `invoke` of core 1.4 fails on it with a TypeError that says nothing.
 */
class EndOfRun extends BaseCallbackHandler {
  name = "EndOfRun";
  override awaitHandlers = true;
  /** What the model reported beside its empty list of generations. */
  emptyResult: Record<string, unknown> | undefined;

  override handleLLMEnd({ generations, llmOutput }: LLMResult): void {
    const isEmpty = generations.every((choices) => choices.length === 0);
    this.emptyResult = isEmpty ? { ...llmOutput } : undefined;
  }
}
