import { Runnable } from "@langchain/core/runnables";
import { assertChatModel, isChatModel, type ModelLike, withinBindings } from "./boundary/model.js";
import type { BoundaryAnswer, BoundaryQuestion } from "./boundary/question.js";
import { chapterParagraphs } from "./chapters.js";
import type { DecisionStore } from "./decisions.js";
import { InvalidParameterError } from "./errors.js";
import { checkNames } from "./names.js";
import type { ParagraphRule } from "./paragraphs.js";
import type { Progress } from "./progress.js";
import { tokenLength } from "./tokens.js";
import type { LengthFunction } from "./units.js";

/** Parameters of a `LumberChunkerSplitter`. Exactly one of `model` and `boundaryChain` is needed. */
export interface LumberChunkerSplitterParams {
  /** The chat model that decides, asked through `createBoundaryChain(model)`. */
  model?: ModelLike;
  /** What decides instead: any runnable from a question to an answer. */
  boundaryChain?: Runnable<BoundaryQuestion, BoundaryAnswer>;
  /**
   * θ: the window's budget and the most tokens of a chunk, in units of `lengthFunction`.
   * Default 550, the best of the paper's values (section 3.2).
   */
  chunkSize?: number;
  /** Chunks do not overlap: 0 is the only value. */
  chunkOverlap?: number;
  /** Of LangChain's splitters, and without effect: a chunk is a slice of its source. */
  keepSeparator?: boolean;
  /**
   * The fewest tokens of a chunk: a boundary that would leave a shorter one is not offered to the
   * model. Default 0, as in the paper. Where a window allows nothing else, a chunk may be shorter.
   */
  minChunkSize?: number;
  /**
   * Counts tokens, in a number of at least 0; sync or async. Default: `tokenLength()`, the tokens
   * of `cl100k_base`.
   */
  lengthFunction?: LengthFunction;
  /**
   * How paragraphs are found. Default `"auto"`: at blank lines where the text has one between two
   * lines, else at line ends.
   */
  paragraphs?: ParagraphRule;
  /** Whether a section that the paragraph rule marks always starts a chunk. Default `false`. */
  sectionBreaks?: boolean;
  /** The language of sentences and words, a BCP 47 tag. Default `"en"`. */
  locale?: string;
  /** Questions in flight, over all documents of one call. Default 8. */
  maxConcurrency?: number;
  /** Remembers answers: a second run, or one after a crash or an edit, asks only what is new. */
  decisionStore?: DecisionStore;
  /**
   * What becomes of an answer that names no candidate. `"fallback"` (default): the last candidate,
   * marked in the next chunk's metadata. `"throw"`: the `InvalidBoundaryError`.
   */
  onInvalidAnswer?: "fallback" | "throw";
  /** Called as boundaries are found. What it throws ends the run. */
  onProgress?: (progress: Progress) => void;
}

export type ResolvedParams = Omit<LumberChunkerSplitterParams, "chunkOverlap"> &
  Required<
    Pick<
      LumberChunkerSplitterParams,
      | "chunkSize"
      | "minChunkSize"
      | "lengthFunction"
      | "paragraphs"
      | "sectionBreaks"
      | "locale"
      | "maxConcurrency"
      | "onInvalidAnswer"
    >
  >;

const NAMES = Object.keys({
  model: 1,
  boundaryChain: 1,
  chunkSize: 1,
  chunkOverlap: 1,
  keepSeparator: 1,
  minChunkSize: 1,
  lengthFunction: 1,
  paragraphs: 1,
  sectionBreaks: 1,
  locale: 1,
  maxConcurrency: 1,
  decisionStore: 1,
  onInvalidAnswer: 1,
  onProgress: 1,
} satisfies Record<keyof LumberChunkerSplitterParams, 1>);

/**
 * The parameters with their defaults.
 *
 * @throws InvalidParameterError for one out of range, and for one that is not known.
 */
export function resolveParams(params: LumberChunkerSplitterParams): ResolvedParams {
  if (typeof params !== "object" || params === null)
    throw new InvalidParameterError("params", "an object with model or boundaryChain", params);
  checkNames(params, NAMES, "LumberChunkerSplitter");
  const resolved: ResolvedParams = {
    ...params,
    chunkSize: params.chunkSize ?? 550,
    minChunkSize: params.minChunkSize ?? 0,
    lengthFunction: params.lengthFunction ?? tokenLength(),
    paragraphs: params.paragraphs ?? "auto",
    sectionBreaks: params.sectionBreaks ?? false,
    locale: params.locale ?? "en",
    maxConcurrency: params.maxConcurrency ?? 8,
    onInvalidAnswer: params.onInvalidAnswer ?? "fallback",
  };
  checkDecider(params);
  checkSizes(resolved, params.chunkOverlap ?? 0);
  checkConcurrency(resolved.maxConcurrency);
  checkChoices(resolved);
  checkFunctions(resolved);
  return resolved;
}

function checkDecider({ model, boundaryChain }: LumberChunkerSplitterParams): void {
  if ((model === undefined) === (boundaryChain === undefined)) {
    const found = model === undefined ? undefined : { model: "given", boundaryChain: "given" };
    throw new InvalidParameterError("model", "given, or boundaryChain, and not both", found);
  }
  if (model !== undefined) assertChatModel(model);
  else if (!Runnable.isRunnable(boundaryChain))
    throw new InvalidParameterError("boundaryChain", "a Runnable", boundaryChain);
  else if (isChatModel(withinBindings(boundaryChain)))
    throw new InvalidParameterError(
      "boundaryChain",
      "createBoundaryChain(model), or the chat model passed as model",
      boundaryChain,
    );
}

function checkSizes({ chunkSize, minChunkSize }: ResolvedParams, chunkOverlap: number): void {
  if (typeof chunkSize !== "number" || !Number.isFinite(chunkSize) || chunkSize <= 0)
    throw new InvalidParameterError("chunkSize", "a number greater than 0", chunkSize);
  if (chunkOverlap !== 0)
    throw new InvalidParameterError("chunkOverlap", "0: chunks do not overlap", chunkOverlap);
  const fits = typeof minChunkSize === "number" && minChunkSize >= 0 && minChunkSize <= chunkSize;
  if (!fits)
    throw new InvalidParameterError(
      "minChunkSize",
      `from 0 to chunkSize (${chunkSize})`,
      minChunkSize,
    );
}

/** @throws InvalidParameterError when the most questions in flight is not an integer from 1. */
export function checkConcurrency(maxConcurrency: number): void {
  if (!Number.isInteger(maxConcurrency) || maxConcurrency < 1)
    throw new InvalidParameterError("maxConcurrency", "an integer of at least 1", maxConcurrency);
}

function checkChoices({
  paragraphs,
  sectionBreaks,
  onInvalidAnswer,
  locale,
}: ResolvedParams): void {
  if (typeof paragraphs !== "function" && !["auto", "blank-line", "line"].includes(paragraphs))
    throw new InvalidParameterError(
      "paragraphs",
      '"auto", "blank-line", "line" or a function',
      paragraphs,
    );
  const given: unknown = paragraphs;
  if (given === chapterParagraphs)
    throw new InvalidParameterError("paragraphs", "called: chapterParagraphs()", paragraphs);
  if (typeof sectionBreaks !== "boolean")
    throw new InvalidParameterError("sectionBreaks", "true or false", sectionBreaks);
  if (onInvalidAnswer !== "fallback" && onInvalidAnswer !== "throw")
    throw new InvalidParameterError("onInvalidAnswer", '"fallback" or "throw"', onInvalidAnswer);
  if (typeof locale !== "string")
    throw new InvalidParameterError("locale", "a BCP 47 language tag", locale);
  try {
    new Intl.Segmenter(locale);
  } catch (cause) {
    throw new InvalidParameterError("locale", "a BCP 47 language tag", locale, { cause });
  }
}

function checkFunctions({ lengthFunction, onProgress, decisionStore }: ResolvedParams): void {
  if (typeof lengthFunction !== "function")
    throw new InvalidParameterError("lengthFunction", "a function", lengthFunction);
  if (onProgress !== undefined && typeof onProgress !== "function")
    throw new InvalidParameterError("onProgress", "a function", onProgress);
  const isStore =
    decisionStore === undefined ||
    (typeof decisionStore?.mget === "function" && typeof decisionStore.mset === "function");
  if (!isStore)
    throw new InvalidParameterError(
      "decisionStore",
      "a BaseStore with mget and mset",
      decisionStore,
    );
}
