import type { CallbackManagerForChainRun } from "@langchain/core/callbacks/manager";
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  type UsageMetadata,
} from "@langchain/core/messages";
import type { BasePromptTemplate } from "@langchain/core/prompts";
import { patchConfig, Runnable, type RunnableConfig } from "@langchain/core/runnables";
import { InvalidBoundaryError, InvalidParameterError } from "../errors.js";
import { checkNames } from "../names.js";
import { withOwnSignal } from "../own-signal.js";
import { Final, prepareModel } from "./ask.js";
import { chainIdentity } from "./identity.js";
import type { ModelLike } from "./model.js";
import {
  checkPrompt,
  DEFAULT_PROMPT,
  formatParagraphs,
  PARAGRAPHS_VARIABLE,
  wellFormed,
  withInstruction,
} from "./prompt.js";
import type { BoundaryAnswer, BoundaryQuestion } from "./question.js";
import { isBlockedPrompt } from "./refusal.js";
import { messageOf, type Reading, readReply } from "./reply.js";
import { withoutThoughts } from "./text.js";
import { addUsage } from "./usage.js";
import { checkWay, JSON_INSTRUCTION, type StructuredMethod, type Way } from "./way.js";

export interface BoundaryChainOptions {
  /**
   * The question's wording: a `ChatPromptTemplate`, or a `PromptTemplate` for one human message,
   * whose only variable is `{paragraphs}`; each paragraph stands in it as `ID <id>: <text>`.
   * Default: the paper's task in our words.
   */
  prompt?: BasePromptTemplate;
  /**
   * How the answer is asked for. `"auto"` (default): by a tool where the model takes tools, as text
   * where it doesn't. `"structured"`: by `method`. `"text"`: as text.
   */
  output?: "auto" | "structured" | "text";
  /** How structured output is asked for. Default `"functionCalling"`. */
  method?: StructuredMethod;
  /** Questions for one boundary, the first one included, until an answer is valid. Default 2. */
  maxAttempts?: number;
}

const OPTIONS = Object.keys({
  prompt: 1,
  output: 1,
  method: 1,
  maxAttempts: 1,
} satisfies Record<keyof BoundaryChainOptions, 1>);

/** A reply that is no boundary. */
type Invalid = Exclude<Reading, { boundaryId: number }>;

/**
 * Makes a runnable that asks a chat model where a window of paragraphs is cut.
 *
 * An answer that names no candidate is asked again, with the reply and what was wrong with it; a
 * refusal is not. Errors of the model pass through as they came, after the model's own retries.
 *
 * @param model a chat model, alone or with `withConfig` or `withRetry` around it, or what
 * `initChatModel` returns.
 * @returns a runnable that throws `InvalidBoundaryError` when no attempt gave a valid answer.
 * @throws InvalidParameterError for a model, prompt or option that can't be used.
 *
 * @example
 * const chain = createBoundaryChain(new ChatOpenAI({ model: "gpt-4o-mini" }))
 *   .withFallbacks([createBoundaryChain(new LexicalCohesionChatModel())]);
 * const splitter = new LumberChunkerSplitter({ boundaryChain: chain });
 */
export function createBoundaryChain(
  model: ModelLike,
  options: BoundaryChainOptions = {},
): BoundaryChain {
  return new BoundaryChain(model, options);
}

/** The runnable of {@link createBoundaryChain}. */
export class BoundaryChain extends Runnable<BoundaryQuestion, BoundaryAnswer> {
  static override lc_name(): string {
    return "BoundaryChain";
  }

  lc_namespace = ["langchain_lumberchunker", "boundary"];
  /** Names the model, its settings, the prompt and the way of asking; holds no secret. */
  readonly identity: string;
  readonly #model: Runnable<BaseMessage[], unknown>;
  readonly #prompt: BasePromptTemplate;
  readonly #way: Way;
  readonly #maxAttempts: number;

  constructor(model: ModelLike, options: BoundaryChainOptions = {}) {
    super();
    checkNames(options, OPTIONS, "createBoundaryChain");
    const { prompt = DEFAULT_PROMPT, output = "auto", method, maxAttempts = 2 } = options;
    if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
      throw new InvalidParameterError("maxAttempts", "an integer of at least 1", maxAttempts);
    }
    this.#way = { output, method };
    checkWay(this.#way);
    checkPrompt(prompt);
    this.#model = prepareModel(model, this.#way);
    this.#prompt = prompt;
    this.#maxAttempts = maxAttempts;
    this.identity = chainIdentity(model, prompt, this.#way);
  }

  async invoke(
    question: BoundaryQuestion,
    options?: Partial<RunnableConfig>,
  ): Promise<BoundaryAnswer> {
    return this._callWithConfig(
      (
        input: BoundaryQuestion,
        config?: Partial<RunnableConfig>,
        run?: CallbackManagerForChainRun,
      ) => this.#answer(input, patchConfig(config, run && { callbacks: run.getChild() })),
      question,
      withOwnSignal(options),
    );
  }

  /** The text of the prompt that a question is asked with. */
  async promptText(question: BoundaryQuestion): Promise<string> {
    const messages = await this.#messages(question, {});
    return messages.map(({ text }) => text).join("\n");
  }

  async #answer(question: BoundaryQuestion, config: RunnableConfig): Promise<BoundaryAnswer> {
    const candidateIds = candidatesOf(question);
    const asked = await this.#messages(question, config);
    let messages = asked;
    let usage: UsageMetadata | undefined;
    for (let attempts = 1; ; attempts++) {
      const reply = await this.#ask(messages, config, { candidateIds, attempts, usage });
      usage = addUsage(usage, messageOf(reply));
      const reading = readReply(reply, candidateIds);
      if ("boundaryId" in reading) return { ...reading, ...(usage && { usage }) };
      if (reading.reason === "refused" || attempts >= this.#maxAttempts) {
        const { reason, reply } = reading;
        throw new InvalidBoundaryError({ reason, reply, candidateIds, attempts, usage });
      }
      messages = [...messages, ...correction(reading, candidateIds)];
    }
  }

  async #messages(question: BoundaryQuestion, config: RunnableConfig): Promise<BaseMessage[]> {
    const values = { [PARAGRAPHS_VARIABLE]: formatParagraphs(question) };
    const messages = (await this.#prompt.invoke(values, config)).toChatMessages();
    return this.#way.method === "jsonMode" ? withInstruction(messages, JSON_INSTRUCTION) : messages;
  }

  /** Asks once; a prompt that the provider blocked is a refusal like another. */
  async #ask(
    messages: BaseMessage[],
    config: RunnableConfig,
    state: { candidateIds: number[]; attempts: number; usage: UsageMetadata | undefined },
  ): Promise<unknown> {
    const reply = await this.#model.invoke(messages, config);
    if (!(reply instanceof Final)) return reply;
    const { error } = reply;
    if (!isBlockedPrompt(error)) throw error;
    const said = error instanceof Error ? error.message : error;
    throw new InvalidBoundaryError({ ...state, reason: "refused", reply: said, cause: error });
  }
}

function candidatesOf(question: BoundaryQuestion): number[] {
  const paragraphs: unknown = (question as Partial<BoundaryQuestion> | null)?.paragraphs;
  if (!Array.isArray(paragraphs) || paragraphs.length < 2) {
    const found = paragraphs ?? question;
    throw new InvalidParameterError("question", "{ paragraphs } with two or more", found);
  }
  return question.paragraphs.slice(1).map(({ id }) => id);
}

/**
 * The reply and what was wrong with it. The reply is repeated as plain text, also where it was a
 * tool call: providers refuse a tool call that no result follows, and arguments that are no JSON.
 */
function correction(invalid: Invalid, candidateIds: readonly number[]): BaseMessage[] {
  return [
    new AIMessage(repeated(invalid.reply)),
    new HumanMessage(
      `${complaint(invalid)} Answer with one of these IDs and nothing else: ` +
        `${candidateIds.join(", ")}; or with 0 if nothing shifts.`,
    ),
  ];
}

function complaint({ reason, named }: Invalid): string {
  if (reason === "no-answer") return "There is no answer in that.";
  if (reason === "outside-window") return `${named} is not the ID of a paragraph to choose from.`;
  return "No single ID can be read from that.";
}

const REPEATED_LENGTH = 500;

function repeated(reply: unknown): string {
  const text = typeof reply === "string" ? withoutThoughts(reply) : (JSON.stringify(reply) ?? "");
  return wellFormed(text.trim().slice(0, REPEATED_LENGTH)) || "(no answer)";
}
