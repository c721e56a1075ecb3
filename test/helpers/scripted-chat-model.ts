import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import { AIMessageChunk, type BaseMessage, type ToolCall } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { BoundaryQuestion, QuestionParagraph } from "../../src/boundary/question.js";

/** What the script decides: an ID (as a tool call), a text, a whole message, or an error. */
export type ScriptedReply = number | string | AIMessageChunk | Error;

export interface ScriptedChatModelParams extends BaseChatModelParams {
  /** @param callIndex 0-based, over all calls of this model. */
  decide: (
    question: BoundaryQuestion,
    callIndex: number,
    messages: BaseMessage[],
  ) => ScriptedReply | Promise<ScriptedReply>;
  /** Milliseconds before each answer; an abort ends the wait. Default 0. */
  latency?: number;
  /** Tokens reported with each answer. Default 10 in, 2 out. */
  usage?: { input_tokens: number; output_tokens: number };
}

export interface ScriptedCall {
  question: BoundaryQuestion;
  messages: BaseMessage[];
  /** The tools that were offered. */
  tools: unknown[];
  signal: AbortSignal | undefined;
}

interface ScriptedCallOptions extends BaseChatModelCallOptions {
  tools?: BindToolsInput[];
}

/** A real chat model, callbacks and tools included, whose answers a function decides. */
export class ScriptedChatModel extends BaseChatModel<ScriptedCallOptions, AIMessageChunk> {
  static override lc_name(): string {
    return "ScriptedChatModel";
  }

  readonly calls: ScriptedCall[] = [];
  /** Calls that have begun and not ended. */
  inFlight = 0;
  /** The most calls that were in flight at once. */
  mostInFlight = 0;
  readonly #params: ScriptedChatModelParams;

  constructor(params: ScriptedChatModelParams) {
    super(params);
    this.#params = params;
  }

  _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: BindToolsInput[], kwargs?: Partial<ScriptedCallOptions>) {
    return this.withConfig({ tools, ...kwargs });
  }

  async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    _runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    options.signal?.throwIfAborted();
    const question = questionIn(messages);
    const tools = options.tools ?? [];
    this.calls.push({ question, messages, tools, signal: options.signal });
    const callIndex = this.calls.length - 1;
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
    try {
      await wait(this.#params.latency ?? 0, options.signal);
      const reply = await this.#params.decide(question, callIndex, messages);
      if (reply instanceof Error) throw reply;
      const message = this.#message(reply, callIndex, tools.length > 0);
      return { generations: [{ text: String(message.content), message }] };
    } finally {
      this.inFlight--;
    }
  }

  #message(
    reply: number | string | AIMessageChunk,
    index: number,
    asTool: boolean,
  ): AIMessageChunk {
    if (typeof reply === "object") return reply;
    const { input_tokens, output_tokens } = this.#params.usage ?? {
      input_tokens: 10,
      output_tokens: 2,
    };
    const message: AIMessageChunk = new AIMessageChunk({
      content: typeof reply === "string" || !asTool ? String(reply) : "",
      tool_calls: typeof reply === "string" || !asTool ? [] : [toolCall(reply, index)],
    });
    const total_tokens = input_tokens + output_tokens;
    return Object.assign(message, {
      usage_metadata: { input_tokens, output_tokens, total_tokens },
    });
  }
}

function toolCall(boundaryId: number, index: number): ToolCall {
  return { name: "boundary", args: { boundaryId }, id: `call_${index}`, type: "tool_call" };
}

/** The question in a prompt: the paragraphs of the first human message, their IDs counting up. */
function questionIn(messages: readonly BaseMessage[]): BoundaryQuestion {
  const human = messages.find((message) => message.type === "human");
  const paragraphs: QuestionParagraph[] = [];
  for (const piece of String(human?.content ?? "").split(/\n\n(?=ID \d+: )/)) {
    const [, digits, text] = /^ID (\d+): ([\s\S]*)$/.exec(piece) ?? [];
    const last = paragraphs.at(-1);
    if (last !== undefined && Number(digits) !== last.id + 1) last.text += `\n\n${piece}`;
    else if (text !== undefined) paragraphs.push({ id: Number(digits), text });
  }
  return { paragraphs };
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener("abort", stop, { once: true });
  });
}
