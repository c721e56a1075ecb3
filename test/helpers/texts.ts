import fc from "fast-check";
import type { LengthFunction } from "../../src/units.js";

export const LINE_ENDS = ["\n", "\r\n", "\r", "\u2028", "\u2029", "\f", "\n\r", "\r\r\n"] as const;

/** Characters that JavaScript's `\s` has, and some that look like white space and are none. */
const SPACES = [..." \t\v\u00a0\u1680\u2003\u202f\u205f\u3000\ufeff", "\u0085", "\u200b", "\u180e"];

const CLUSTERS = [
  "👨‍👩‍👧‍👦",
  "🇳🇱",
  "🇳🇱🇧🇪🇫",
  "👍🏽",
  "e\u0301",
  "o\u0323\u0302",
  "क्षि",
  "각",
  "ที่นี่",
  "\u0600\u0661",
  "\u0600「",
  "\u{110bd}\u{110bd}a",
  "a.\u200d B",
  "\u00a0\u0301",
  "🏻",
  `a${"\u0300".repeat(40)}`,
  "👩‍".repeat(12),
  "\ud800",
  "\udc00",
  "\udc00\ud800",
];

const WORDS = [
  "whale",
  "Call me Ishmael. ",
  "ID 9999: ",
  "{x}",
  "$&",
  "<|endoftext|>",
  "Dr. Who? No! ",
  "「鯨だ。」",
  "海は広い。",
  "مرحبا بالعالم؟ ",
  "नमस्ते दुनिया। ",
  "x".repeat(30),
  "a b c d e f g h ",
];

/** A piece of a text with no line end of its own, as far as the generator is concerned. */
const fragment = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 4 })
    .map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom(...SPACES),
  fc.constantFrom(...CLUSTERS),
  fc.constantFrom(...WORDS),
);

/** Text of all of Unicode, lone surrogates included, with every kind of line end. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fragment },
      { weight: 1, arbitrary: fc.constantFrom(...LINE_ENDS) },
      { weight: 1, arbitrary: fc.constantFrom("\n\n", "\r\n\r\n", "\n \t\n") },
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(""));

/** A text that is not blank. */
export const someText = anyText.filter((text) => /\S/.test(text));

/** Ways to count that users have. All but the last two find in a whole what its parts have. */
export const LENGTHS: Record<string, LengthFunction> = {
  characters: (text) => text.length,
  "code points, later": async (text) => [...text].length,
  words: (text) => text.split(/\s+/).filter(Boolean).length,
  "1.2 words": (text) => 1.2 * text.split(/\s+/).filter(Boolean).length,
  "characters / 4": (text) => text.length / 4,
  "bytes of UTF-8": (text) => new TextEncoder().encode(text).length,
  "characters / 4, rounded up": (text) => Math.ceil(text.length / 4),
  "characters / 4, rounded down": (text) => Math.floor(text.length / 4),
};

/** A whole number between 0 and 1, the same for the same text and seed: FNV-1a. */
export function hash(text: string, seed = 0): number {
  let state = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++)
    state = Math.imul(state ^ text.charCodeAt(i), 0x01000193) >>> 0;
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
  return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
}

export const isBlank = (text: string): boolean => !/\S/.test(text);

export function newlines(text: string): number {
  return text.split("\n").length - 1;
}

/** The graphemes that are cut at one of these offsets. */
export function cutGraphemes(text: string, cuts: readonly number[]): string[] {
  const wanted = new Set(cuts);
  const cut: string[] = [];
  for (const { segment, index } of graphemes.segment(text))
    for (let i = 1; i < segment.length; i++) if (wanted.has(index + i)) cut.push(segment);
  return cut;
}

const graphemes = new Intl.Segmenter("en");

/** A text without the graphemes at its ends that are white space alone. */
export function trimmed(text: string): string {
  const all = [...graphemes.segment(text)].filter(({ segment }) => !isBlank(segment));
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined) return "";
  return text.slice(first.index, last.index + last.segment.length);
}

/** A stretch of a text that begins and ends with a grapheme, by any two numbers. */
export function stretchOf(text: string, a: number, b: number): [start: number, end: number] {
  const breaks = [...graphemes.segment(text)].map(({ index }) => index).concat(text.length);
  const [start = 0, end = 0] = [a, b]
    .map((n) => breaks[n % breaks.length] ?? 0)
    .sort((x, y) => x - y);
  return [start, end];
}
