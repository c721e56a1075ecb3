import { after } from "./after.js";
import { type Counted, divide } from "./divide.js";
import { InvalidParameterError } from "./errors.js";
import { type Gap, Gaps } from "./gaps.js";
import { Growth } from "./growth.js";
import type { Pace } from "./pace.js";
import { Numbers, Pages } from "./pages.js";
import { type Paragraph, type ParagraphRule, pacedParagraphs, type Span } from "./paragraphs.js";
import { outsideSurrogatePair } from "./segments.js";
import { counterOf, LONGEST_TOKEN } from "./tokens.js";
import { isWhiteSpace } from "./white-space.js";

/** Counts tokens: by the default, or by a function of the caller's. */
export type LengthFunction = ((text: string) => number) | ((text: string) => Promise<number>);

/** A paragraph, or a part of one that is longer than `chunkSize`: what a chunk is made of. */
export interface Unit extends Counted {
  /** 1-based number of the paragraph. */
  paragraph: number;
  /** Path of headings, `""` where there is none. */
  section: string;
  startsSection: boolean;
}

export interface UnitsOptions {
  chunkSize: number;
  lengthFunction: LengthFunction;
  paragraphs: ParagraphRule;
  locale: string;
  pace: Pace;
  /** Whether others wait for each unit, who get their slices of time, too. Default: no. */
  givesWay?: boolean;
  signal: AbortSignal;
}

/** UTF-16 units that take some milliseconds to count: more are not, where they can't fit. */
const LONG = 65_536;

/** Of an overflowing paragraph, the share of `chunkSize` that is shown to the model. */
const SHOWN_SHARE = 1 / 4;

/**
 * The units of one text, in order. They are found and counted ahead of those who ask for them, a
 * slice of time at a time, each once.
 */
export class Units {
  readonly list = new Pages<Unit>();
  /** Called when units have come: after each slice of time, and at the end. */
  onGrowth: (() => void) | undefined;
  /** For each unit, the tokens of all before it and of the gaps between them. */
  readonly #before = new Numbers();
  /** For each unit, the gaps before it whose tokens are not exact. */
  readonly #inexact = new Numbers();
  readonly #beginnings = new Map<number, Counted | Promise<Counted>>();
  readonly #length: (text: string) => number | Promise<number>;
  /** UTF-16 units that a token stands for at most, where that is known. */
  readonly #longestToken: number;
  readonly #gaps: Gaps;
  readonly #growth = new Growth();
  #begun = false;

  constructor(
    readonly text: string,
    private readonly options: UnitsOptions,
  ) {
    const counter = counterOf(options.lengthFunction);
    this.#length = counter ?? options.lengthFunction;
    this.#longestToken = counter === undefined ? Number.POSITIVE_INFINITY : LONGEST_TOKEN;
    this.#gaps = new Gaps(text, counter !== undefined, (text) => this.count(text));
  }

  /** Whether `list` has all units of the text. */
  get complete(): boolean {
    return this.#growth.complete;
  }

  /** The unit, or nothing behind the end of the text. */
  at(index: number): Unit | undefined | Promise<Unit | undefined> {
    if (!this.#begun) {
      this.#begun = true;
      this.#fill().catch((error: unknown) => this.#growth.fail(error));
    }
    return this.list.at(index) ?? (this.complete ? undefined : this.#wait(index));
  }

  async #wait(index: number): Promise<Unit | undefined> {
    await this.#growth.passes(index);
    return this.list.at(index);
  }

  /** Tokens of the units from `from` to before `to`, and of the gaps between them. */
  tokens(from: number, to: number): number {
    return this.#before.at(to - 1) - this.#before.at(from) + this.#known(to - 1).tokens;
  }

  /** Tokens of the text from unit `from` to before unit `to`: counted, where the sum may be off. */
  exactTokens(from: number, to: number): number | Promise<number> {
    const exact = this.#inexact.at(to - 1) === this.#inexact.at(from);
    return exact ? this.tokens(from, to) : this.count(this.slice(from, to));
  }

  /** The text from unit `from` to before unit `to`. */
  slice(from: number, to: number): string {
    const [first, last] = this.ends(from, to);
    return this.text.slice(first.start, last.end);
  }

  /** The first and the last of the units from `from` to before `to`. */
  ends(from: number, to: number): [Unit, Unit] {
    return [this.#known(from), this.#known(to - 1)];
  }

  /** The beginning of a unit: all of it, or at most a quarter of `chunkSize`. */
  beginning(index: number): string | Promise<string> {
    return after(this.#beginning(index), ({ start, end }) => this.text.slice(start, end));
  }

  beginningTokens(index: number): number | Promise<number> {
    return after(this.#beginning(index), ({ tokens }) => tokens);
  }

  /** Tokens by the caller's function. */
  count(text: string): number | Promise<number> {
    this.options.signal.throwIfAborted();
    const tokens = this.#length(text);
    return typeof tokens === "number" ? checkedTokens(tokens) : checkedLater(tokens);
  }

  /** Leaves the event loop to others when it is time. */
  breathe(): Promise<void> | undefined {
    this.options.signal.throwIfAborted();
    return this.options.pace.breathe();
  }

  #known(index: number): Unit {
    const unit = this.list.at(index);
    if (unit === undefined) throw new RangeError(`No unit ${index} of ${this.list.length}`);
    return unit;
  }

  #beginning(index: number): Counted | Promise<Counted> {
    let beginning = this.#beginnings.get(index);
    if (beginning === undefined) {
      beginning = this.#findBeginning(this.#known(index));
      this.#beginnings.set(index, beginning);
    }
    return beginning;
  }

  #findBeginning({ start, end, tokens }: Counted): Counted | Promise<Counted> {
    const most = this.options.chunkSize * SHOWN_SHARE;
    const least = start + ((this.text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
    const beginning = { start, end, tokens };
    while (beginning.tokens > most && beginning.end > least) {
      const length = Math.floor(((beginning.end - start) * most) / beginning.tokens);
      const end = Math.max(least, this.#wordEnd(start, start + length));
      const counted = this.count(this.text.slice(start, end));
      if (counted instanceof Promise)
        return counted.then((tokens) => this.#findBeginning({ start, end, tokens }));
      beginning.end = end;
      beginning.tokens = counted;
    }
    return beginning;
  }

  /** Where the last word before an offset ends, if it ends in the second half of what is before. */
  #wordEnd(start: number, offset: number): number {
    for (let i = offset; i > start + (offset - start) / 2; i--)
      if (isWhiteSpace(this.text.charCodeAt(i))) return i;
    return outsideSurrogatePair(this.text, offset);
  }

  async #fill(): Promise<void> {
    let number = 0;
    for (const paragraph of pacedParagraphs(this.text, this.options.paragraphs)) {
      if (paragraph === undefined) {
        await this.#pause();
        continue;
      }
      number += 1;
      const { start, end, section = "", startsSection = false } = paragraph;
      const counted = this.#tokensOf(paragraph);
      const tokens = counted instanceof Promise ? await counted : counted;
      if (tokens <= this.options.chunkSize) {
        const added = this.#add({ start, end, tokens, paragraph: number, section, startsSection });
        if (added instanceof Promise) await added;
      } else {
        let first = startsSection;
        for await (const part of this.#divided({ ...paragraph, tokens })) {
          await this.#add({ ...part, paragraph: number, section, startsSection: first });
          first = false;
        }
      }
    }
    this.#growth.end();
    this.#tell();
  }

  /** Tokens of a span; of one that is far too long, as many as it has at least. */
  #tokensOf({ start, end }: Span): number | Promise<number> {
    const least = (end - start) / this.#longestToken;
    const farTooLong = end - start > LONG && least > this.options.chunkSize;
    return farTooLong ? least : this.count(this.text.slice(start, end));
  }

  #divided(paragraph: Paragraph & Counted): AsyncIterable<Counted> {
    const { chunkSize, locale } = this.options;
    return divide(this.text, paragraph, {
      chunkSize,
      locale,
      count: (span) => this.#tokensOf(span),
      breathe: () => this.#pause(),
    });
  }

  /** Breathes, and before it tells of the units that have come. */
  #pause(): Promise<void> | undefined {
    const { signal, pace, givesWay } = this.options;
    signal.throwIfAborted();
    const pause = givesWay ? pace.giveWay() : pace.breathe();
    if (pause !== undefined) this.#tell();
    return pause;
  }

  #tell(): void {
    this.#growth.to(this.list.length);
    this.onGrowth?.();
  }

  #add(unit: Unit): void | Promise<void> {
    return after(this.#gapBefore(unit.start), (gap) => {
      this.#push(unit, gap);
      return this.#pause();
    });
  }

  /** The gap between the last unit and what starts at an offset. */
  #gapBefore(start: number): Gap | Promise<Gap> {
    const previous = this.list.last;
    return previous === undefined ? NO_GAP : this.#gaps.behind(previous, start);
  }

  #push(unit: Unit, { tokens, exact }: Gap): void {
    const last = this.list.length - 1;
    const previous = this.list.at(last)?.tokens ?? 0;
    this.#before.push(this.#before.at(last) + previous + tokens);
    this.#inexact.push(this.#inexact.at(last) + (exact ? 0 : 1));
    this.list.push(unit);
  }
}

const NO_GAP: Gap = { tokens: 0, exact: true };

function checkedTokens(tokens: unknown): number {
  if (typeof tokens !== "number" || !(tokens >= 0) || tokens === Number.POSITIVE_INFINITY)
    throw new InvalidParameterError(
      "lengthFunction",
      "a function to a number of at least 0",
      tokens,
    );
  return tokens;
}

async function checkedLater(tokens: unknown): Promise<number> {
  return checkedTokens(await tokens);
}
