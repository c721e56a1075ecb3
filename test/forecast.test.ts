import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Forecast } from "../src/forecast.js";
import { Habits } from "../src/habits.js";
import { allUnits } from "./helpers/units.js";

const CHUNK_SIZE = 60;

/** What can be told of a text of paragraphs of so many letters. */
async function forecastOf(lengths: readonly number[]): Promise<Forecast> {
  const text = lengths.map((length) => "x".repeat(length)).join("\n\n");
  const options = { chunkSize: CHUNK_SIZE, lengthFunction: (text: string) => text.length };
  const forecast = new Forecast(await allUnits(text, options), CHUNK_SIZE, new Habits());
  forecast.grow();
  return forecast;
}

const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 10, maxLength: 300 });
const share = fc.double({ min: 0.1, max: 0.9, noNaN: true });

describe("Forecast", () => {
  it("expects questions that add up, and no more than there are units", async () => {
    await fc.assert(
      fc.asyncProperty(lengths, fc.nat(), async (lengths, place) => {
        const forecast = await forecastOf(lengths);
        const { size } = forecast;
        const middle = place % size;
        const all = forecast.questions(0, size);
        expect(size).toBe(lengths.length);
        expect(all).toBeLessThanOrEqual(size);
        expect(forecast.questions(0, middle) + forecast.questions(middle, size)).toBeCloseTo(all);
      }),
      { numRuns: 100 },
    );
  });

  it("divides a stretch inside, and leaves no part next to nothing", async () => {
    await fc.assert(
      fc.asyncProperty(lengths, share, async (lengths, share) => {
        const forecast = await forecastOf(lengths);
        const { size } = forecast;
        const begin = forecast.split(0, size, share);
        const all = forecast.questions(0, size);
        if (begin === undefined) {
          expect(all * Math.min(share, 1 - share)).toBeLessThan(2);
          return;
        }
        expect(begin).toBeGreaterThan(0);
        expect(begin).toBeLessThan(size);
        const most = 1 + 1e-9; // a start more is at most one question
        expect(forecast.questions(0, begin) + most).toBeGreaterThan((share * all) / 2);
        expect(forecast.questions(begin, size) + most).toBeGreaterThan(((1 - share) * all) / 2);
      }),
      { numRuns: 200 },
    );
  });
});
