import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import type { LLMResult } from "@langchain/core/outputs";
import { mergeConfigs, Runnable, type RunnableConfig } from "@langchain/core/runnables";
import { InvalidParameterError, NoReplyError } from "../errors.js";
import { hearing, withoutParsing, withRefusals, withSignal } from "./clients.js";
import { chooserOf, isBinding, isChatModel, openModel } from "./model.js";
import { isBlockedPrompt } from "./refusal.js";
import { isMessage } from "./reply.js";
import { isNoReply, saysSomething } from "./no-reply.js";
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
    try {
      return await this.#ask(messages, config ?? {});
    } catch (error) {
      if (isBlockedPrompt(error) || NoReplyError.isInstance(error)) return new Final(error);
      throw error;
    }
  }
}

/** An error that the same question would end with again: no `withRetry` around the model sees it. */
export class Final {
  constructor(readonly error: unknown) {}
}

function prepareAsk(model: BaseChatModel, way: Way): Ask {
  const pipeline = structuredFor(model, way);
  if (pipeline === undefined) return askModel(model);
  const bound = modelWithin(pipeline);
  if (bound !== undefined) return askModel(withoutParsing(bound));
  return (messages, config) => askPipeline(model, way.method, messages, config);
}

/**
 * Asks a chat model. What is no reply of one is an error; a reply without a message that says why
 * is an empty message.
 */
function askModel(model: Runnable): Ask {
  const bound = withRefusals(model);
  return async (messages, config) => {
    const run = new ModelRun();
    const ask = async (asked: Runnable) =>
      replyOf(run.completed(await asked.invoke(messages, withHandler(config, run))), run.body);
    const heard = hearing(withSignal(bound, config.signal), (body) => {
      run.body = body;
    });
    const askPlainly = (error: unknown) => {
      if (isPrivateAccess(error)) return ask(model);
      throw error;
    };
    try {
      return await ask(heard).catch(askPlainly);
    } catch (error) {
      return run.explain(error);
    }
  };
}

/** @throws NoReplyError when a message is none. */
function replyOf<Message>(message: Message, body?: unknown): Message {
  if (isMessage(message) && isNoReply(message)) throw new NoReplyError(body ?? message);
  return message;
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
    const run = new ModelRun();
    const message = await model.invoke(input, withHandler({ ...(options ?? config) }, run));
    heard.push(replyOf(run.completed(message)));
    return message;
  };
  const listening: BaseChatModel = Object.create(model, { invoke: { value: invoke } });
  return { listening, heard };
}

/** A class with `#private` members can't be derived from: only its own instances have them. */
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
 * Hears how the model's run goes. A reply without a choice (`choices: []`, Gemini's blocked prompt)
 * has no message, and `invoke` of core 1.4 fails on it with a TypeError that says nothing.
 */
class ModelRun extends BaseCallbackHandler {
  name = "ModelRun";
  override awaitHandlers = true;
  /** What the server sent, where the client can be heard. */
  body: unknown;
  #emptyResult: Record<string, unknown> | undefined;
  #generationInfo: Record<string, unknown> | undefined;
  #failure: unknown;

  override handleLLMEnd({ generations, llmOutput }: LLMResult): void {
    const isEmpty = generations.every((choices) => choices.length === 0);
    this.#emptyResult = isEmpty ? { ...llmOutput } : undefined;
    this.#generationInfo = generations[0]?.[0]?.generationInfo;
  }

  override handleLLMError(error: unknown): void {
    this.#failure = error;
  }

  /** A message with what the model told beside it: where core streams, it leaves out why it ended. */
  completed<Message>(message: Message): Message {
    if (isMessage(message))
      message.response_metadata = { ...this.#generationInfo, ...message.response_metadata };
    return message;
  }

  /**
   * An empty message, if the reply was without one and says why.
   *
   * @throws NoReplyError when the client ended without a reply, or stumbled over what came with an
   * error that says nothing; otherwise the error.
   */
  explain(error: unknown): AIMessage {
    const result = this.#emptyResult;
    if (result !== undefined && saysSomething(result))
      return new AIMessage({ content: "", response_metadata: result });
    const heard = this.body !== undefined || isEmptyStream(error);
    const stumbled = heard && error === this.#failure && saysNothing(error);
    if (result === undefined && !stumbled) throw error;
    throw new NoReplyError(this.body ?? result, { cause: error });
  }
}

/** Whether an error is about the client's own code, or about nothing. */
function saysNothing(error: unknown): boolean {
  if (error instanceof TypeError || isEmptyStream(error)) return true;
  return error instanceof Error && error.message === "";
}

/** What core says where a stream ends without a message: the client has thrown away what came. */
function isEmptyStream(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Received empty response from chat");
}
