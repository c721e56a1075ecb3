import { after } from "./after.js";
import type { Span } from "./paragraphs.js";

/** What the white space between two neighbours adds to their tokens. */
export interface Gap {
  tokens: number;
  /** Whether the tokens of the whole are known to be those of its parts and of the gap. */
  exact: boolean;
}

/** Gaps whose tokens are remembered: how many, and how long (UTF-16 units). */
const MOST_GAPS = 1000;
const LONGEST_GAP = 64;

/** Punctuation at the end of a line is counted with the gap behind it, up to so many UTF-16 units. */
const LONGEST_END = 32;

const LINE_END = /[\r\n]$/;
const PUNCTUATION = /[^\s\p{L}\p{N}\p{M}]*$/u;
const WORD = /[\p{L}\p{N}]$/u;
const SPACE = /(?:^|\S) $/;

/** Counts the gaps of one text, those that are like another once. */
export class Gaps {
  readonly #known = new Map<string, number>();

  /** @param inWords whether tokens end where a word or a line ends, as those of byte pairs do. */
  constructor(
    private readonly text: string,
    private readonly inWords: boolean,
    private readonly count: (text: string) => number | Promise<number>,
  ) {}

  /** The gap behind a span and before what starts at an offset. */
  behind(span: Span, start: number): Gap | Promise<Gap> {
    if (span.end === start) return { tokens: 0, exact: false };
    const gap = this.text.slice(span.end, start);
    const end = this.inWords && this.#parts(gap, start) ? this.#end(span) : undefined;
    // a length function need not make sense of white space alone
    return after(this.#tokens(end ?? "a", gap), (tokens) =>
      end === undefined ? { tokens: Math.max(0, tokens), exact: false } : { tokens, exact: true },
    );
  }

  #tokens(before: string, gap: string): number | Promise<number> {
    return this.#known.get(`${before}${gap}a`) ?? this.#count(before, gap);
  }

  async #count(before: string, gap: string): Promise<number> {
    const whole = `${before}${gap}a`;
    const parts = (await this.count(before)) + (await this.count("a"));
    const tokens = (await this.count(whole)) - parts;
    if (gap.length <= LONGEST_GAP && this.#known.size < MOST_GAPS) this.#known.set(whole, tokens);
    return tokens;
  }

  /**
   * Whether no token reaches from a gap into what starts behind it. In `o200k_base` a slash goes
   * with the line end before it, and white space that a mark stands on may go with either.
   */
  #parts(gap: string, start: number): boolean {
    return LINE_END.test(gap) && !/[\s/]/.test(this.text.charAt(start));
  }

  /** What a span ends with, a letter in the place of its last word, where no token reaches further. */
  #end({ start, end }: Span): string | undefined {
    const from = Math.max(start, end - LONGEST_END);
    const tail = this.text.slice(from, end);
    const [punctuation] = PUNCTUATION.exec(tail) ?? [""];
    const rest = tail.slice(0, tail.length - punctuation.length);
    if (WORD.test(rest)) return `a${punctuation}`;
    if (rest === "" && from === start) return punctuation;
    return SPACE.test(rest) ? ` ${punctuation}` : undefined;
  }
}
