import type { CallbackManagerForChainRun } from "@langchain/core/callbacks/manager";
import { Document } from "@langchain/core/documents";
import type { RunnableBatchOptions, RunnableConfig } from "@langchain/core/runnables";
import type { IterableReadableStream } from "@langchain/core/utils/stream";
import { TextSplitter, type TextSplitterChunkHeaderOptions } from "@langchain/textsplitters";
import { createBoundaryChain } from "./boundary/chain.js";
import { runnableIdentity } from "./boundary/identity.js";
import type { ModelLike } from "./boundary/model.js";
import type { ChunkDocument } from "./documents.js";
import { InvalidParameterError } from "./errors.js";
import { type Estimate, estimateText, promptTokensOf, sumEstimates } from "./estimate.js";
import { checkConfig, checkDocuments, checkHeader, checkTexts } from "./inputs.js";
import { withOwnSignal } from "./own-signal.js";
import { Pace } from "./pace.js";
import { checkConcurrency, type LumberChunkerSplitterParams, resolveParams } from "./params.js";
import { openText, Run, type RunSettings } from "./run.js";
import { close, leavable, piecesOf, sourcesOf } from "./sources.js";
import { Walks } from "./walk.js";

/** What runs share that are one call: their places in the queue of questions, and their pace. */
interface Shared {
  walks: Walks;
  pace: Pace;
}

/**
 * A text splitter that lets a chat model decide where a text is cut (LumberChunker, Duarte et al.,
 * Findings of EMNLP 2024).
 *
 * Paragraph by paragraph, a window of at most `chunkSize` tokens and the paragraph that exceeds it
 * is shown to the model; the first paragraph where the content shifts is where the chunk ends, and
 * where the next window starts. Chunks are exact slices of the source, none longer than `chunkSize`
 * tokens; their metadata says where they stand ({@link ChunkMetadata}).
 *
 * Every method takes a `RunnableConfig` last: callbacks, tags and metadata reach the model,
 * `signal` and `timeout` stop the work.
 *
 * Errors of the model pass through as they came, after the model's own retries.
 *
 * @example
 * const splitter = new LumberChunkerSplitter({
 *   model: new ChatOpenAI({ model: "gpt-4o-mini", temperature: 0 }),
 * });
 * const chunks = await splitter.splitDocuments(documents);
 */
export class LumberChunkerSplitter extends TextSplitter {
  static override lc_name(): string {
    return "LumberChunkerSplitter";
  }

  override lc_namespace = ["langchain_lumberchunker"];
  /** Questions in flight over all documents of one call; a config may lower it. */
  readonly maxConcurrency: number;
  readonly #settings: RunSettings;

  /** @throws InvalidParameterError that names the parameter out of range and its value. */
  constructor(params: LumberChunkerSplitterParams) {
    const resolved = resolveParams(params);
    const { chunkSize, minChunkSize, sectionBreaks, lengthFunction } = resolved;
    super({ chunkSize, chunkOverlap: 0, lengthFunction });
    this.maxConcurrency = resolved.maxConcurrency;
    const { paragraphs, locale, decisionStore: store } = resolved;
    const chain = resolved.boundaryChain ?? createBoundaryChain(resolved.model as ModelLike);
    this.#settings = {
      chain,
      units: { chunkSize, lengthFunction, paragraphs, locale },
      window: { chunkSize, minChunkSize, sectionBreaks },
      onInvalidAnswer: resolved.onInvalidAnswer,
      onProgress: resolved.onProgress,
      decisions: store && { store, identity: runnableIdentity(chain) },
    };
  }

  /** The chunks of a text. */
  override async splitText(text: string, config?: Partial<RunnableConfig>): Promise<string[]> {
    if (typeof text !== "string") throw new InvalidParameterError("text", "a string", text);
    const chunks = await this.#run([new Document({ pageContent: text })], {}, config);
    return chunks.map(({ pageContent }) => pageContent);
  }

  /**
   * The chunks of texts as Documents.
   *
   * @param metadatas one for each text, or none.
   * @param chunkHeaderOptions as of every LangChain splitter; a header is not counted in offsets
   * and tokens.
   */
  override async createDocuments(
    texts: string[],
    metadatas: Record<string, unknown>[] = [],
    chunkHeaderOptions: TextSplitterChunkHeaderOptions = {},
    config?: Partial<RunnableConfig>,
  ): Promise<ChunkDocument[]> {
    checkTexts(texts, metadatas);
    checkHeader(chunkHeaderOptions);
    const documents = texts.map(
      (pageContent, i) => new Document({ pageContent, metadata: metadatas[i] ?? {} }),
    );
    return this.#run(documents, chunkHeaderOptions, config);
  }

  /** The chunks of documents, with the metadata of their sources. */
  override async splitDocuments(
    documents: Document[],
    chunkHeaderOptions: TextSplitterChunkHeaderOptions = {},
    config?: Partial<RunnableConfig>,
  ): Promise<ChunkDocument[]> {
    checkHeader(chunkHeaderOptions);
    return this.#run(documents, chunkHeaderOptions, config);
  }

  /** The same as `splitDocuments`. */
  override async transformDocuments(
    documents: Document[],
    chunkHeaderOptions: TextSplitterChunkHeaderOptions = {},
    config?: Partial<RunnableConfig>,
  ): Promise<ChunkDocument[]> {
    return this.splitDocuments(documents, chunkHeaderOptions, config);
  }

  /** The same as `splitDocuments`, without a header: what a chain of runnables calls. */
  override async invoke(
    documents: Document[],
    config?: Partial<RunnableConfig>,
  ): Promise<ChunkDocument[]> {
    return this.#run(documents, {}, config);
  }

  override async batch(
    inputs: Document[][],
    options?: Partial<RunnableConfig> | Partial<RunnableConfig>[],
    batchOptions?: RunnableBatchOptions & { returnExceptions?: false },
  ): Promise<ChunkDocument[][]>;
  override async batch(
    inputs: Document[][],
    options?: Partial<RunnableConfig> | Partial<RunnableConfig>[],
    batchOptions?: RunnableBatchOptions & { returnExceptions: true },
  ): Promise<(ChunkDocument[] | Error)[]>;
  override async batch(
    inputs: Document[][],
    options?: Partial<RunnableConfig> | Partial<RunnableConfig>[],
    batchOptions?: RunnableBatchOptions,
  ): Promise<(ChunkDocument[] | Error)[]>;
  /**
   * Splits several lists of documents at once. They share `maxConcurrency`; the first that fails
   * stops the others, unless `returnExceptions` is set.
   */
  override async batch(
    inputs: Document[][],
    options: Partial<RunnableConfig> | Partial<RunnableConfig>[] = {},
    batchOptions: RunnableBatchOptions = {},
  ): Promise<(ChunkDocument[] | Error)[]> {
    for (const one of [options].flat()) checkConfig(one);
    const configs = this._getOptionsList(options, inputs.length);
    const shared = this.#shared(configs[0]?.maxConcurrency ?? batchOptions.maxConcurrency);
    const failed = new AbortController();
    const split = async (documents: Document[], i: number) => {
      try {
        const config = withOwnSignal(configs[i], failed.signal);
        return await this.#run(documents, {}, config, shared);
      } catch (error) {
        if (batchOptions.returnExceptions) return error as Error;
        failed.abort(error);
        throw error;
      }
    };
    return Promise.all(inputs.map(split));
  }

  /**
   * The chunks as they become final, in order, an array at a time.
   *
   * @param documents an array, or anything that yields Documents one by one, sync or async; of such a source
   * nothing is kept that has been yielded.
   */
  override async stream(
    documents: Iterable<Document> | AsyncIterable<Document>,
    options?: Partial<RunnableConfig>,
  ): Promise<IterableReadableStream<ChunkDocument[]>> {
    checkConfig(options);
    // the base class only hands its input on to _streamIterator
    return super.stream(documents as Document[], withOwnSignal(options)) as Promise<
      IterableReadableStream<ChunkDocument[]>
    >;
  }

  override _streamIterator(
    documents: Iterable<Document> | AsyncIterable<Document>,
    options?: Partial<RunnableConfig>,
  ): AsyncGenerator<ChunkDocument[]> {
    return this.transform(piecesOf(documents), options);
  }

  override transform(
    generator: AsyncGenerator<Document[]>,
    options?: Partial<RunnableConfig>,
  ): AsyncGenerator<ChunkDocument[]> {
    checkConfig(options);
    const split = (
      pieces: AsyncIterable<Document[]>,
      manager?: CallbackManagerForChainRun,
      config: Partial<RunnableConfig> = {},
    ) => this.#chunks(pieces, {}, config, manager);
    const left = new AbortController();
    const config = withOwnSignal(options, left.signal);
    config.signal?.addEventListener("abort", () => close(generator), { once: true });
    return leavable(this._transformStreamWithConfig(generator, split, config), left);
  }

  /**
   * What a run over documents will cost: no question is asked. Remembered answers cost nothing.
   *
   * The instructions of `createBoundaryChain` are counted, those of another chain are not; nor is
   * what a provider adds for tools.
   */
  async estimate(
    documents: Document[],
    config?: Pick<RunnableConfig, "signal">,
  ): Promise<Estimate> {
    checkConfig(config);
    const { chain, window } = this.#settings;
    const signal = config?.signal ?? new AbortController().signal;
    const pace = new Pace();
    const estimates: Estimate[] = [];
    const prompt = await promptTokensOf(chain, async (text) => this.lengthFunction(text));
    for await (const pieces of sourcesOf([documents])) {
      for (const { text } of pieces) {
        const [units, decisions] = openText(text, this.#settings, pace, signal);
        estimates.push(await estimateText(units, window, prompt, pace, decisions));
      }
    }
    return sumEstimates(estimates, this.maxConcurrency);
  }

  /** Keeps the trace of a stream small: how many documents, not the documents. */
  override _concatOutputChunks<O>(first: O, second: O): O {
    return { documents: countOf(first) + countOf(second) } as O;
  }

  async *#chunks(
    pieces: Iterable<Document[]> | AsyncIterable<Document[]>,
    header: TextSplitterChunkHeaderOptions,
    config: Partial<RunnableConfig>,
    manager: CallbackManagerForChainRun | undefined,
    shared?: Shared,
  ): AsyncGenerator<ChunkDocument[], void, undefined> {
    const place = shared ?? this.#shared(config.maxConcurrency);
    const run = new Run(this.#settings, { ...place, config, manager }, header);
    for await (const chunk of run.chunks(sourcesOf(pieces))) yield [chunk];
  }

  /** Splits documents under a run of the splitter's name. */
  async #run(
    documents: Document[],
    header: TextSplitterChunkHeaderOptions,
    options?: Partial<RunnableConfig>,
    shared?: Shared,
  ): Promise<ChunkDocument[]> {
    checkConfig(options);
    checkDocuments(documents);
    const split = async (
      input: Document[],
      config: Partial<RunnableConfig> = {},
      manager?: CallbackManagerForChainRun,
    ) => {
      const chunks: ChunkDocument[] = [];
      for await (const piece of this.#chunks([input], header, config, manager, shared))
        chunks.push(...piece);
      return chunks;
    };
    const config = withOwnSignal(options);
    return this._callWithConfig(split, documents, config) as Promise<ChunkDocument[]>;
  }

  #shared(limit = this.maxConcurrency): Shared {
    checkConcurrency(limit);
    return { walks: new Walks(Math.min(limit, this.maxConcurrency)), pace: new Pace() };
  }
}

function countOf(documents: unknown): number {
  if (Array.isArray(documents)) return documents.length;
  return (documents as { documents?: number } | null)?.documents ?? 1;
}
