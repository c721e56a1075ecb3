import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseLanguageModelInput, ToolDefinition } from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import {
  AIMessageChunk,
  type AIMessageChunkFields,
  type BaseMessage,
  type StandardMessageStructure,
  type ToolCallChunk,
  type UsageMetadata,
} from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { strongestShift } from "./cohesion.js";
import { readQuestion } from "./question.js";
import { chosenTool, type IntegerTool, toOpenAITools } from "./tool.js";

export interface LexicalCohesionCallOptions extends BaseChatModelCallOptions {
  /** Tools in OpenAI's format, as `bindTools` binds them. */
  tools?: ToolDefinition[];
}

/** Nothing is charged, so nothing is counted. */
const NO_USAGE: UsageMetadata = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

/** To be raised when answers change, so that remembered ones are asked for again. */
const MEASURE_VERSION = 1;

/**
 * A chat model that needs no key, no network and no weights: it answers where lexical cohesion drops
 * most in the paragraphs it is shown, each behind its ID (`ID 12: …` at the beginning of a line).
 *
 * It compares words, not meaning: good enough to try things out, for tests, and as the last
 * fallback. The same question always gets the same answer: one of the IDs but the first, or 0 when
 * all is of one piece. It calls the tool that is bound with the ID as its integer argument, and
 * without one answers in text (`ID 12`). It reports 0 tokens, since none are charged.
 *
 * @example
 * const splitter = new LumberChunkerSplitter({ model: new LexicalCohesionChatModel() });
 */
export class LexicalCohesionChatModel extends BaseChatModel<LexicalCohesionCallOptions> {
  static override lc_name(): string {
    return "LexicalCohesionChatModel";
  }

  override lc_namespace = ["langchain_lumberchunker", "offline"];

  constructor(fields: BaseChatModelParams = {}) {
    super(fields);
  }

  override _llmType(): string {
    return "lexical-cohesion";
  }

  override _identifyingParams(): Record<string, unknown> {
    return { measure: "bridging-words", version: MEASURE_VERSION };
  }

  /**
   * @param tools LangChain tools or tools in OpenAI's format. The first that takes an integer is
   * called, or the one that `tool_choice` names.
   * @throws InvalidParameterError when none takes an integer.
   */
  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<LexicalCohesionCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, LexicalCohesionCallOptions> {
    return this.withConfig({ ...kwargs, tools: toOpenAITools(tools) });
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    const chunks = answerTo(messages, options);
    const message = chunks.reduce((whole, chunk) => whole.concat(chunk));
    return { generations: [{ message, text: message.text }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for (const message of answerTo(messages, options)) {
      const chunk = new ChatGenerationChunk({ message, text: message.text });
      yield chunk;
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, {
        chunk,
      });
    }
  }
}

function answerTo(
  messages: readonly BaseMessage[],
  { signal, tools, tool_choice }: LexicalCohesionCallOptions,
): AIMessageChunk[] {
  signal?.throwIfAborted();
  const tool = chosenTool(tools, tool_choice);
  const paragraphs = readQuestion(messages);
  const shift = strongestShift(paragraphs.map(({ text }) => text));
  const id = shift === 0 ? 0 : (paragraphs[shift]?.id ?? 0);
  return tool === undefined ? [inText("ID "), inText(`${id}`)] : [toolCall(tool, id)];
}

function inText(content: string): AIMessageChunk {
  return chunkOf({ content });
}

function toolCall({ name, argument }: IntegerTool, id: number): AIMessageChunk {
  const args = JSON.stringify({ [argument]: id });
  const call: ToolCallChunk = {
    type: "tool_call_chunk",
    index: 0,
    id: `call_${name}_${id}`,
    name,
    args,
  };
  return chunkOf({ content: "", tool_call_chunks: [call] });
}

function chunkOf(fields: AIMessageChunkFields<StandardMessageStructure>): AIMessageChunk {
  return new AIMessageChunk<StandardMessageStructure>({ ...fields, usage_metadata: NO_USAGE });
}
