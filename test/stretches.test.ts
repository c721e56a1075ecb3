import { sha256 } from "@langchain/core/utils/hash";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Stretches } from "../src/stretches.js";

const items = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 });

function stretchesOf(items: readonly number[]): Stretches {
  return new Stretches(async (index) => sha256(String(items[index])));
}

function whole(items: readonly number[]): Promise<string> {
  return stretchesOf(items).digest(0, items.length);
}

describe("the digest of a stretch", () => {
  it("is the same for the same items, wherever they stand", async () => {
    await fc.assert(
      fc.asyncProperty(items, items, items, async (before, stretch, after) => {
        const all = stretchesOf([...before, ...stretch, ...after]);
        const from = before.length;
        expect(await all.digest(from, from + stretch.length)).toBe(await whole(stretch));
      }),
    );
  });

  it("differs where an item, the order or the length differs", async () => {
    await fc.assert(
      fc.asyncProperty(items, items, async (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        expect((await whole(one)) === (await whole(other))).toBe(same);
      }),
    );
    for (const other of [
      [1, 2],
      [1, 2, 2],
      [2, 1, 3],
      [1, 2, 3, 3],
      [2, 3],
    ])
      expect(await whole(other)).not.toBe(await whole([1, 2, 3]));
  });

  it("differs for any two stretches of a long row of items", async () => {
    const row = Array.from({ length: 300 }, (_, i) => i);
    const all = stretchesOf(row);
    const digests = new Set<string>();
    for (const from of row)
      for (const to of row) if (from < to) digests.add(await all.digest(from, to));
    expect(digests.size).toBe((300 * 299) / 2);
  });

  it("is the same whoever asks for it at the same time", async () => {
    const all = stretchesOf([1, 2, 3, 1, 2, 3]);
    const [one, other] = await Promise.all([all.digest(0, 3), all.digest(3, 6)]);
    expect(one).toBe(other);
  });

  it("has 24 digits and letters; that of nothing is empty", async () => {
    expect(await whole([1, 2])).toMatch(/^[0-9a-z]{24}$/);
    expect(await stretchesOf([1]).digest(1, 1)).toBe("");
  });

  it("is right for numbers that doubles can't multiply", async () => {
    const hashes = ["f".repeat(64), "7fffffff".repeat(8), "0".repeat(64), "80000000".repeat(8)];
    const all = new Stretches(async (index) => hashes[index % 4] as string);
    const [prime, base] = [2_147_483_647n, 1_640_531_527n];
    let expected = 0n;
    for (let i = 0; i < 40; i++)
      expected = (expected * base + BigInt(`0x${hashes[i % 4]?.slice(0, 8)}`)) % prime;
    expect((await all.digest(0, 40)).slice(0, 6)).toBe(expected.toString(36).padStart(6, "0"));
  });
});
