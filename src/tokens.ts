import type { TiktokenBPE } from "js-tiktoken/lite";

import { InvalidParameterError } from "./errors.js";

/** The byte-pair encodings that come with `js-tiktoken`. */
export type TokenEncoding =
  | "gpt2"
  | "r50k_base"
  | "p50k_base"
  | "p50k_edit"
  | "cl100k_base"
  | "o200k_base";

/** Literal paths, so that bundlers can follow them. */
const LOADERS: Record<TokenEncoding, () => Promise<{ default: TiktokenBPE }>> = {
  gpt2: () => import("js-tiktoken/ranks/gpt2"),
  r50k_base: () => import("js-tiktoken/ranks/r50k_base"),
  p50k_base: () => import("js-tiktoken/ranks/p50k_base"),
  p50k_edit: () => import("js-tiktoken/ranks/p50k_edit"),
  cl100k_base: () => import("js-tiktoken/ranks/cl100k_base"),
  o200k_base: () => import("js-tiktoken/ranks/o200k_base"),
};

/**
 * Makes a `lengthFunction` that counts tokens as OpenAI's models do.
 *
 * The ranks of the encoding come with the package and are loaded at the first count, once for all
 * functions of that encoding; nothing is fetched. The count is exactly `js-tiktoken`'s, for any
 * text whose runs of white space and of other characters are at most 256 characters long. In longer
 * runs, letters, punctuation or white space are counted in windows: each repetition in the
 * encoding's pattern ends after 256 characters. So the time grows in step with the text's length,
 * and the count may be a few tokens off (0.4 % at most where measured). Special tokens such as
 * `<|endoftext|>` are counted as the text that they are. A long text is counted in many short turns
 * of the event loop.
 *
 * @param encoding Default `"cl100k_base"`, which OpenAI's embedding models use.
 * @returns A function from a text to its number of tokens, 0 for an empty text.
 * @throws InvalidParameterError when the encoding is unknown.
 *
 * @example
 * const length = tokenLength("o200k_base");
 * await length("Call me Ishmael."); // 5
 */
export function tokenLength(
  encoding: TokenEncoding = "cl100k_base",
): (text: string) => Promise<number> {
  if (!Object.hasOwn(LOADERS, encoding)) {
    const known = Object.keys(LOADERS).join(", ");
    const called = "; as a lengthFunction it is called first: tokenLength()";
    throw new InvalidParameterError("encoding", `one of ${known}${called}`, encoding);
  }
  let encoder: Encoder | undefined;
  const load = async (text: string) => {
    encoder = await loadEncoder(encoding);
    return countTokens(text, encoder);
  };
  const count = (text: string) => (encoder ? countTokens(text, encoder) : load(text));
  const length = async (text: string) => count(text);
  counters.set(length, count);
  return length;
}

/** Bytes of the longest token in all of their ranks, so UTF-16 units that it stands for at most. */
export const LONGEST_TOKEN = 128;

const counters = new WeakMap<object, (text: string) => number | Promise<number>>();

/**
 * What counts for a length function that is one of ours: without a promise, unless the text is long
 * or the ranks are not there. In all their encodings pieces end between a word and punctuation
 * behind it, before a space behind either, and after a line end.
 */
export function counterOf(
  lengthFunction: object,
): ((text: string) => number | Promise<number>) | undefined {
  return counters.get(lengthFunction);
}

/** What counts in one encoding: pieces that `pattern` cuts, each by itself. */
interface Encoder {
  pattern: RegExp;
  ranks: ReadonlyMap<string, number>;
  /** The tokens of pieces that were met before, by {@link keyOf}. */
  remembered: Map<string, number>;
  /** Characters in the keys of `remembered`. */
  rememberedLength: number;
}

const encoders = new Map<TokenEncoding, Promise<Encoder>>();

function loadEncoder(encoding: TokenEncoding): Promise<Encoder> {
  const known = encoders.get(encoding);
  if (known) return known;
  const loading = LOADERS[encoding]().then((ranks) => createEncoder(ranks.default));
  encoders.set(encoding, loading);
  loading.catch(() => encoders.delete(encoding));
  return loading;
}

const nextTurn = () => new Promise((resolve) => setTimeout(resolve));

/** In characters of remembered pieces: some 10 ms. */
const WORK_PER_TURN = 64_000;

function countTokens(
  text: string,
  encoder: Encoder,
  pieces: Iterable<RegExpExecArray> = text.matchAll(encoder.pattern),
  before = 0,
): number | Promise<number> {
  let tokens = before;
  let work = 0;
  for (const match of pieces) {
    const piece = match[0];
    const key = keyOf(piece);
    let count = encoder.remembered.get(key);
    if (count === undefined) {
      count = countPiece(piece, encoder.ranks);
      remember(key, count, encoder);
      // Measured: a new piece costs 8 times a remembered one, and its merging grows with n².
      work += piece.length * (8 + piece.length / 4);
    }
    tokens += count;
    work += piece.length;
    if (work > WORK_PER_TURN) {
      // the iterator goes on where it was left: it has no `return` that would close it
      return nextTurn().then(() => countTokens(text, encoder, pieces, tokens));
    }
  }
  return tokens;
}

/** V8 cuts a longer string as a view, and a view that is kept keeps its whole text in memory. */
const LONGEST_COPY = 12;

/** Short pieces stand for themselves, longer ones are copied; the two differ in length. */
function keyOf(piece: string): string {
  return piece.length <= LONGEST_COPY ? piece : toBytes(piece);
}

/** In characters. All the different pieces of Moby Dick have 166,784. */
const LONGEST_MEMORY = 500_000;

function remember(key: string, count: number, encoder: Encoder): void {
  encoder.rememberedLength += key.length;
  if (encoder.rememberedLength > LONGEST_MEMORY) {
    encoder.remembered.clear();
    encoder.rememberedLength = key.length;
  }
  encoder.remembered.set(key, count);
}

/**
 * The same as `encode(piece, [], []).length` of `js-tiktoken`, whose `Tiktoken` takes about ten
 * times as long to construct, and for 256 emoji some eighty times as long to encode.
 */
function countPiece(piece: string, ranks: ReadonlyMap<string, number>): number {
  const bytes = toBytes(piece);
  return ranks.has(bytes) ? 1 : mergedLength(bytes, ranks);
}

const LONGEST_RUN = 256;

async function createEncoder({ pat_str, bpe_ranks }: TiktokenBPE): Promise<Encoder> {
  return {
    pattern: boundedPattern(pat_str),
    ranks: await parseRanks(bpe_ranks),
    remembered: new Map(),
    rememberedLength: 0,
  };
}

/** The encoding's own pattern, with an end to every repetition: each match is short and linear. */
function boundedPattern(pattern: string): RegExp {
  const bounded = pattern
    .replaceAll("+", `{1,${LONGEST_RUN}}`)
    .replaceAll("*", `{0,${LONGEST_RUN}}`);
  return new RegExp(bounded, "gu");
}

/** Tokens whose ranks are read in one go: some 10 ms. */
const RANKS_PER_TURN = 16_384;

/** Lines of `! <first rank> <token in base64> …` as a map from a token's bytes to its rank. */
async function parseRanks(lines: string): Promise<Map<string, number>> {
  const ranks = new Map<string, number>();
  for (const line of lines.split("\n")) {
    const [, first, ...tokens] = line.split(" ");
    for (let from = 0; from < tokens.length; from += RANKS_PER_TURN) {
      tokens.slice(from, from + RANKS_PER_TURN).forEach((token, index) => {
        ranks.set(atob(token), Number(first) + from + index);
      });
      await nextTurn();
    }
  }
  return ranks;
}

const utf8 = new TextEncoder();

/** The UTF-8 bytes of a piece, one character (U+0000 to U+00FF) for each byte. */
function toBytes(piece: string): string {
  return String.fromCharCode(...utf8.encode(piece));
}

/** Byte-pair merging, lowest rank first and leftmost of equals: how many tokens are left. */
function mergedLength(bytes: string, ranks: ReadonlyMap<string, number>): number {
  const starts = Array.from({ length: bytes.length + 1 }, (_, index) => index);
  const rankOfPair = (index: number): number =>
    ranks.get(bytes.slice(starts[index], starts[index + 2])) ?? Infinity;
  const pairs = starts.slice(2).map((_, index) => rankOfPair(index));

  for (;;) {
    const lowest = indexOfLowest(pairs);
    if (lowest === undefined) return starts.length - 1;
    starts.splice(lowest + 1, 1);
    pairs.splice(lowest, 1);
    if (lowest < pairs.length) pairs[lowest] = rankOfPair(lowest);
    if (lowest > 0) pairs[lowest - 1] = rankOfPair(lowest - 1);
  }
}

/** The first index of the lowest rank, or undefined where no pair has a rank. */
function indexOfLowest(ranks: readonly number[]): number | undefined {
  let lowest: number | undefined;
  let lowestRank = Infinity;
  for (let index = 0; index < ranks.length; index++) {
    const rank = ranks[index] as number;
    if (rank < lowestRank) {
      lowest = index;
      lowestRank = rank;
    }
  }
  return lowest;
}
