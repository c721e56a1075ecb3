import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Numbers, Pages } from "../src/pages.js";

const LENGTHS = [0, 1, 16_383, 16_384, 16_385, 50_000];

describe("Pages", () => {
  it.each(LENGTHS)("is a list of %d items", (length) => {
    const items = Array.from({ length }, (_, i) => `item ${i}`);
    const pages = new Pages<string>();
    for (const item of items) pages.push(item);
    expect(pages).toHaveLength(length);
    expect([...pages]).toEqual(items);
    expect(pages.last).toBe(items.at(-1));
    for (const i of [0, 1, 16_383, 16_384, length - 1, length, -1])
      expect(pages.at(i)).toBe(items[i]);
  });
});

describe("Numbers", () => {
  it("keeps what was put last at each index, and 0 elsewhere", () => {
    const index = fc.integer({ min: 0, max: 70_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(index, fc.double())), fc.array(index), (puts, others) => {
        const numbers = new Numbers();
        const expected = new Map<number, number>();
        for (const [at, number] of puts) {
          numbers.put(at, number);
          expected.set(at, number);
        }
        expect(numbers).toHaveLength(Math.max(0, ...[...expected.keys()].map((at) => at + 1)));
        for (const at of [-1, ...expected.keys(), ...others])
          expect(numbers.at(at)).toBe(expected.get(at) ?? 0);
      }),
    );
  });

  it.each(LENGTHS)("is a list of %d numbers", (length) => {
    const numbers = new Numbers();
    for (let i = 0; i < length; i++) numbers.push(i / 3);
    expect(numbers).toHaveLength(length);
    for (const i of [0, 16_384, length - 1].filter((i) => i >= 0 && i < length))
      expect(numbers.at(i)).toBe(i / 3);
  });
});
