import type { CallbackManagerForChainRun } from "@langchain/core/callbacks/manager";
import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import type { TextSplitterChunkHeaderOptions } from "@langchain/textsplitters";
import { Boundaries, type Decider } from "./boundaries.js";
import type { BoundaryAnswer, BoundaryQuestion } from "./boundary/question.js";
import { type DecisionStore, TextDecisions } from "./decisions.js";
import { type ChunkDocument, ChunkWriter, type Source } from "./documents.js";
import { InvalidBoundaryError } from "./errors.js";
import { Forecast } from "./forecast.js";
import { Gate } from "./growth.js";
import { Habits } from "./habits.js";
import type { Pace } from "./pace.js";
import { PROGRESS_EVENT, type Progress } from "./progress.js";
import { NO_USAGE, Questions } from "./questions.js";
import { Units, type UnitsOptions } from "./units.js";
import type { Path } from "./path.js";
import type { Walks } from "./walk.js";
import type { WindowOptions } from "./window.js";

/** What all runs of one splitter share. */
export interface RunSettings {
  chain: Runnable<BoundaryQuestion, BoundaryAnswer>;
  units: Pick<UnitsOptions, "chunkSize" | "lengthFunction" | "paragraphs" | "locale">;
  window: WindowOptions;
  onInvalidAnswer: "fallback" | "throw";
  onProgress: ((progress: Progress) => void) | undefined;
  decisions: { store: DecisionStore; identity: string } | undefined;
}

/** Who else a run shares the machine and the model with. */
export interface RunPlace {
  walks: Walks;
  pace: Pace;
  config: Partial<RunnableConfig>;
  manager: CallbackManagerForChainRun | undefined;
}

/** A document that is being split. */
interface Text {
  source: Source;
  units: Units;
  boundaries: Boundaries;
  decisions: TextDecisions | undefined;
  path: Path;
}

/** Documents that are walked or wait for those before them to be given out. */
const MOST_TEXTS = 128;

/** One call of the splitter: its documents, its questions in flight, its progress. */
export class Run implements Decider {
  readonly #questions: Questions;
  readonly #texts: Text[] = [];
  readonly #habits = new Habits();
  readonly #controller = new AbortController();
  readonly #progress: Progress = {
    documents: 0,
    documentsDone: 0,
    units: 0,
    unitsDone: 0,
    chunks: 0,
    calls: 0,
    remembered: 0,
    fallbacks: 0,
    usage: NO_USAGE,
  };
  #failure: { error: unknown } | undefined;
  #fed = false;
  #unitsFinished = 0;
  #news = new Gate();
  #events: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly settings: RunSettings,
    private readonly place: RunPlace,
    private readonly header: TextSplitterChunkHeaderOptions = {},
  ) {
    this.#questions = new Questions(settings.chain, place.config, place.manager);
  }

  /** The chunks of all sources, in order, each as soon as it is final. */
  async *chunks(pieces: AsyncIterable<Source[]>): AsyncGenerator<ChunkDocument, void, undefined> {
    const { signal } = this.place.config;
    const abort = () => this.#stop(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    const feeding = this.#feed(pieces);
    try {
      for (let text = await this.#oldest(); text !== undefined; text = await this.#oldest()) {
        const writer = new ChunkWriter(text.source, text.units, this.header);
        let start = 0;
        for await (const next of text.path) {
          this.#progress.chunks += 1;
          yield writer.write(text.boundaries.chunk(start));
          start = next;
          const pause = this.place.pace.breathe();
          if (pause !== undefined) await pause;
          if (this.#failure !== undefined) throw this.#failure.error;
        }
        await text.decisions?.settle();
        this.#finish(text);
      }
      await feeding;
      await this.#events;
      if (this.#failure !== undefined) throw this.#failure.error;
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#stop(new Error("The run is over"));
    }
  }

  async ask(question: BoundaryQuestion): Promise<number | InvalidBoundaryError> {
    const pause = this.place.pace.breathe();
    if (pause !== undefined) await pause;
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#progress.calls += 1;
    try {
      return await this.#questions.ask(question);
    } catch (error) {
      const invalid = InvalidBoundaryError.isInstance(error);
      if (!invalid || this.settings.onInvalidAnswer === "throw") throw error;
      this.#progress.fallbacks += 1;
      return error;
    } finally {
      this.#report();
    }
  }

  async remembered(): Promise<void> {
    this.#progress.remembered += 1;
    this.#report();
    await this.place.pace.breathe();
  }

  async #feed(pieces: AsyncIterable<Source[]>): Promise<void> {
    try {
      for await (const sources of pieces) {
        this.#progress.documents += sources.length;
        for (const source of sources) {
          // all that came together are begun before a second walk in any of them
          if (this.#texts.length >= MOST_TEXTS) await this.#room();
          if (this.#failure !== undefined) return;
          this.#texts.push(this.#begin(source));
          this.#tell();
        }
      }
    } catch (error) {
      this.#stop(error);
    }
    this.#fed = true;
    this.#tell();
  }

  async #room(): Promise<void> {
    while (this.#texts.length >= MOST_TEXTS && this.#failure === undefined) await this.#news.opened;
  }

  #begin(source: Source): Text {
    const { settings } = this;
    const { walks, pace } = this.place;
    const [units, decisions] = openText(source.text, settings, pace, this.#controller.signal);
    const { window } = settings;
    const forecast = new Forecast(units, window.chunkSize, this.#habits, decisions);
    const boundaries = new Boundaries(units, forecast, window, this, decisions, this.#habits);
    const path = walks.add(boundaries, (error) => this.#stop(error));
    const grow = () => {
      forecast.grow();
      walks.pump();
    };
    units.onGrowth = grow;
    if (decisions !== undefined) decisions.onGrowth = grow;
    return { source, units, boundaries, decisions, path };
  }

  /** The first text that has not been given out, or nothing after the last. */
  async #oldest(): Promise<Text | undefined> {
    while (this.#texts.length === 0 && !this.#fed && this.#failure === undefined)
      await this.#news.opened;
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#texts[0];
  }

  #finish({ units }: Text): void {
    this.#texts.shift();
    this.#unitsFinished += units.list.length;
    this.#progress.documentsDone += 1;
    this.#report();
    this.#tell();
  }

  /** Starts nothing more, aborts what is in flight; who waits gets the error. */
  #stop(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    this.#controller.abort(error);
    this.#questions.abort(error);
    for (const { path } of this.#texts) path.stop(error);
    this.#tell();
  }

  #report(): void {
    const { onProgress } = this.settings;
    const { manager } = this.place;
    if (onProgress === undefined && manager === undefined) return;
    const progress = this.#progress;
    progress.usage = this.#questions.usage;
    progress.units = this.#texts.reduce(
      (sum, { units }) => sum + units.list.length,
      this.#unitsFinished,
    );
    progress.unitsDone = this.#texts.reduce(
      (sum, { path }) => sum + path.covered,
      this.#unitsFinished,
    );
    const event = { ...progress };
    const told: unknown = onProgress?.({ ...progress }); // a promise, where the function is async
    this.#events = Promise.all([this.#events, told])
      .then(() => manager?.handleCustomEvent(PROGRESS_EVENT, event))
      .catch((error: unknown) => this.#stop(error));
  }

  #tell(): void {
    const news = this.#news;
    this.#news = new Gate();
    news.open();
  }
}

/** The units of a text, and what is remembered of it. */
export function openText(
  text: string,
  settings: RunSettings,
  pace: Pace,
  signal: AbortSignal,
): [Units, TextDecisions | undefined] {
  const { decisions, window } = settings;
  const givesWay = decisions !== undefined;
  const units = new Units(text, { ...settings.units, pace, givesWay, signal });
  if (decisions === undefined) return [units, undefined];
  return [units, new TextDecisions(units, { ...decisions, window, pace, signal })];
}
