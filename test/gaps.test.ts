import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Gaps } from "../src/gaps.js";
import { type TokenEncoding, tokenLength } from "../src/tokens.js";
import { anyText, isBlank, LENGTHS, LINE_ENDS } from "./helpers/texts.js";
import { allUnits } from "./helpers/units.js";

const ENCODINGS: TokenEncoding[] = ["gpt2", "p50k_base", "cl100k_base", "o200k_base"];

/** Words that tokens like to reach across: punctuation, digits, contractions, slashes. */
const odd = fc.array(
  fc.oneof(
    fc.constantFrom(
      "a",
      "Word",
      "don't",
      "'s",
      "1",
      "12345",
      ".",
      "!?",
      "/",
      "/x",
      "”",
      "é",
      "鯨",
      "👍🏽",
    ),
    fc.constantFrom(
      " ",
      "  ",
      "\t",
      "\u00a0",
      "\u3000",
      "\n",
      "\n\n",
      "\r\n",
      "\n  ",
      " \n",
      "\f",
      "\u2028",
    ),
    fc.constantFrom(...LINE_ENDS),
    fc.stringMatching(/^[!-/a-c]{1,4}$/),
  ),
  { maxLength: 40 },
);
const texts = fc.oneof(
  anyText,
  odd.map((pieces) => pieces.join("")),
);

describe.each(ENCODINGS)("the tokens of units, in %s", (encoding) => {
  const lengthFunction = tokenLength(encoding);

  it("are those of the whole, wherever they are taken to be", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 2, max: 40 }), async (text, chunkSize) => {
        const units = await allUnits(text, { lengthFunction, chunkSize, paragraphs: "line" });
        for (let from = 0; from < units.list.length; from++)
          for (let to = from + 1; to <= Math.min(from + 5, units.list.length); to++) {
            const whole = await lengthFunction(units.slice(from, to));
            expect(await units.exactTokens(from, to)).toBe(whole);
          }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a gap", () => {
  it("is exact between paragraphs of prose, and not where a token may reach across", async () => {
    const gapIn = (text: string, inWords = true) => {
      const end = text.search(/\s+\S*$/);
      const gaps = new Gaps(text, inWords, tokenLength());
      return gaps.behind({ start: 0, end }, text.length - (/\S+$/.exec(text)?.[0].length ?? 0));
    };
    expect(await gapIn("The end.\n\nA")).toEqual({ tokens: 0, exact: true });
    expect(await gapIn("The end\n\nA")).toEqual({ tokens: 1, exact: true });
    expect(await gapIn("The end\n\nA", false)).toEqual({ tokens: 1, exact: false });
    expect((await gapIn("The end.\n\n  A")).exact).toBe(false);
    expect((await gapIn("The end. A")).exact).toBe(false);
    expect((await gapIn("The end.\n/")).exact).toBe(false);
  });

  it("of no white space adds nothing", async () => {
    const gaps = new Gaps("ab", true, tokenLength());
    expect(await gaps.behind({ start: 0, end: 1 }, 1)).toEqual({
      tokens: 0,
      exact: false,
    });
  });

  it("is never taken to be exact for a function of the caller's", async () => {
    for (const lengthFunction of Object.values(LENGTHS)) {
      let counted = 0;
      const text = "One line.\n\nAnd another one.";
      const units = await allUnits(text, {
        lengthFunction: async (text: string) => {
          if (!isBlank(text) && text.length > 20) counted += 1;
          return lengthFunction(text);
        },
      });
      const before = counted;
      expect(await units.exactTokens(0, 2)).toBe(await lengthFunction(text));
      expect(counted).toBe(before + 1);
    }
  });

  it("spares the counting of whole chunks where tokens are those of an encoding", async () => {
    const text = "One line.\n\nAnd another one, “quoted”\n\nThe end";
    const units = await allUnits(text, { lengthFunction: tokenLength() });
    expect(await units.exactTokens(0, 3)).toBe(await tokenLength()(text));
    expect(units.tokens(0, 3)).toBe(await tokenLength()(text));
  });
});
