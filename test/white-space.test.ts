import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBlank, isWhiteSpace, skipWhiteSpace, trim, trimEnd } from "../src/white-space.js";
import { anyText, stretchOf, trimmed } from "./helpers/texts.js";

/** Planes with characters in them: the two of letters and emoji, and that of tags. */
const CODE_POINTS = [
  ...Array(0x20000).keys(),
  ...Array.from({ length: 0x200 }, (_, i) => 0xe0000 + i),
];

describe("white space", () => {
  it("is what \\s has, over all UTF-16 units", () => {
    for (let code = 0; code <= 0xffff; code++)
      if (isWhiteSpace(code) !== /\s/.test(String.fromCharCode(code)))
        expect.fail(`U+${code.toString(16)}`);
  });

  it("is left out at the ends of any stretch, but where a grapheme holds it", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
        const [start, end] = stretchOf(text, a, b);
        const expected = trimmed(text.slice(start, end));
        const span = trim(text, { start, end });
        expect(text.slice(span.start, span.end)).toBe(expected);
        if (expected !== "") expect(span.start).toBe(skipWhiteSpace(text, start, end));
        if (expected !== "") expect(span.end).toBe(trimEnd(text, { start, end }));
        expect(isBlank(text, start, end)).toBe(expected === "");
      }),
      { numRuns: 1000 },
    );
  });

  it("belongs to the mark on it and to the sign before it, for every character", () => {
    const segmenter = new Intl.Segmenter("en");
    for (const space of [0x20, 0x0a])
      for (const code of CODE_POINTS) {
        if (isWhiteSpace(code)) continue;
        const [blank, character] = [String.fromCodePoint(space), String.fromCodePoint(code)];
        const marked = `${blank}${character}`;
        const [first] = segmenter.segment(marked);
        const skipped = first?.segment === marked ? 0 : 1;
        if (skipWhiteSpace(marked, 0, marked.length) !== skipped)
          expect.fail(`U+${space.toString(16)} U+${code.toString(16)}`);
        const signed = `${character}${blank}`;
        const [whole] = segmenter.segment(signed);
        const end = whole?.segment === signed ? signed.length : character.length;
        if (trimEnd(signed, { start: 0, end: signed.length }) !== end)
          expect.fail(`U+${code.toString(16)} U+${space.toString(16)}`);
      }
  });

  it("keeps \\u00a0\\u0301 and \\u06dd\\u0020 together", () => {
    const text = " \u00a0\u0301a\u06dd ";
    expect(trim(text, { start: 0, end: text.length })).toEqual({ start: 1, end: text.length });
  });
});
