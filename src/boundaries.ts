import { after } from "./after.js";
import type { BoundaryQuestion, QuestionParagraph } from "./boundary/question.js";
import type { TextDecisions } from "./decisions.js";
import type { InvalidBoundaryError } from "./errors.js";
import type { Forecast } from "./forecast.js";
import type { Habits } from "./habits.js";
import type { Units } from "./units.js";
import type { WalkText } from "./path.js";
import { isForced, type Window, type WindowOptions, windowAt } from "./window.js";

/**
 * How the start of a chunk was decided: as the text's first, by the model's answer, because there
 * was nothing to choose, by falling back from an invalid answer to the last candidate, or because a
 * section begins there.
 */
export type Boundary = "start" | "model" | "forced" | "fallback" | "section";

/** A chunk by its units: the one it starts with, and the one after its last. */
export interface Chunk {
  from: number;
  to: number;
  tokens: number;
  /** How the boundary at `to` was decided. */
  boundary: Boundary;
}

/** Where a window is cut. */
interface Cut {
  at: number;
  boundary: Boundary;
}

/** What the boundaries of a text are decided by. */
export interface Decider {
  /** Asks; gives the ID of a paragraph or 0, or the error that is to be fallen back from. */
  ask(question: BoundaryQuestion): Promise<number | InvalidBoundaryError>;
  /** Called for each question that needed not be asked: its answer was remembered. */
  remembered(): Promise<void>;
}

/** The boundaries of one text: from each start, the next. */
export class Boundaries implements WalkText {
  readonly #chunks = new Map<number, Chunk>();

  constructor(
    readonly units: Units,
    private readonly forecast: Forecast,
    private readonly options: WindowOptions,
    private readonly decider: Decider,
    private readonly decisions: TextDecisions | undefined,
    private readonly habits: Habits,
  ) {}

  get size(): number {
    return Math.min(this.forecast.size, this.decisions?.known ?? Number.POSITIVE_INFINITY);
  }

  /** The chunk that starts at a unit whose boundary has been found. */
  chunk(start: number): Chunk {
    const chunk = this.#chunks.get(start);
    if (chunk === undefined) throw new RangeError(`No chunk starts at unit ${start}`);
    return chunk;
  }

  async next(start: number): Promise<number | undefined> {
    const chunk = await after(this.units.at(start), (unit) => unit && this.#chunkFrom(start));
    if (chunk === undefined) return undefined;
    this.#chunks.set(start, chunk);
    return chunk.to;
  }

  /** Where nothing is asked, no one else takes a turn but here. */
  #chunkFrom(start: number): Chunk | Promise<Chunk> {
    const window = after(this.units.breathe(), () => windowAt(this.units, start, this.options));
    return after(window, (window) =>
      isForced(window) ? this.#fit(start, this.#end(window)) : this.#decide(window),
    );
  }

  async #decide(window: Window): Promise<Chunk> {
    const { start, last, closed } = window;
    const cut = await this.#cut(window);
    if (!closed) this.habits.saw(cut.at - start, last - start);
    return this.#fit(start, cut);
  }

  joins(start: number): boolean {
    return this.forecast.joins(start);
  }

  get growing(): boolean {
    return !this.units.complete || this.size < this.units.list.length;
  }

  stepsToJoin(start: number): number {
    return this.forecast.stepsToJoin(start);
  }

  get lost(): number | undefined {
    return this.forecast.lost;
  }

  questions(from: number, to: number): number {
    return this.forecast.questions(from, to);
  }

  /** Where a remembered way ends nearby, the walk goes on from there: it is part of the way. */
  split(from: number, to: number, share: number): number | undefined {
    const begin = this.forecast.split(from, to, share);
    const end = begin && this.decisions?.wayEnd(begin, from + 1, to - 1);
    if (begin === undefined || end === undefined) return begin;
    const [low, high] = end < begin ? [end, begin] : [begin, end];
    const most = (this.questions(from, to) * Math.min(share, 1 - share)) / 4;
    return this.questions(low, high) <= most ? end : begin;
  }

  async #cut(window: Window): Promise<Cut> {
    const { decisions } = this;
    const remembered = decisions && (await decisions.recall(window));
    if (remembered !== undefined) {
      await this.decider.remembered();
      return this.#cutAt(window, remembered);
    }
    const answer = await after(this.#question(window), (question) => this.decider.ask(question));
    if (typeof answer !== "number") return { at: window.last, boundary: "fallback" };
    const place = answer === 0 ? 0 : answer - 1 - window.start;
    if (decisions !== undefined) await decisions.remember(window, place);
    return this.#cutAt(window, place);
  }

  /** The cut that a place in the window means: 0 for none, else the units before it. */
  #cutAt(window: Window, place: number): Cut {
    if (place > 0) return { at: window.start + place, boundary: "model" };
    return window.closed ? this.#end(window) : { at: window.last, boundary: "model" };
  }

  /** The cut at the end of a window without another choice. */
  #end({ closed, end, last }: Window): Cut {
    return closed ? { at: end, boundary: "section" } : { at: last, boundary: "forced" };
  }

  /** Whole chunks are counted: a length function may find more in one than in its units. */
  #fit(from: number, { at, boundary }: Cut): Chunk | Promise<Chunk> {
    return after(this.units.exactTokens(from, at), (tokens) => {
      const chunk = { from, to: at, tokens, boundary };
      return tokens <= this.options.chunkSize ? chunk : this.#shorten(chunk);
    });
  }

  async #shorten({ from, to: at, tokens: found, boundary }: Chunk): Promise<Chunk> {
    let to = at;
    let tokens = found;
    while (to > from + 1 && tokens > this.options.chunkSize) {
      to -= 1;
      tokens = await this.units.exactTokens(from, to);
    }
    return { from, to, tokens, boundary: to < at ? "forced" : boundary };
  }

  /**
   * What is shown of a window. Units before the first candidate and behind the last stand as one
   * paragraph, so that every ID but the first is a candidate.
   */
  #question({
    start,
    end,
    closed,
    first,
    last,
  }: Window): BoundaryQuestion | Promise<BoundaryQuestion> {
    const paragraphs: QuestionParagraph[] = [this.#shown(start, first)];
    for (let unit = first; unit < last; unit++) paragraphs.push(this.#shown(unit, unit + 1));
    const overflow = closed ? this.units.slice(last, end) : this.units.beginning(last);
    return after(overflow, (text) => {
      paragraphs.push({ id: last + 1, text });
      return { paragraphs };
    });
  }

  #shown(from: number, to: number): QuestionParagraph {
    return { id: from + 1, text: this.units.slice(from, to) };
  }
}
