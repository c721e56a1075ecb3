import { Pace } from "../../src/pace.js";
import { Units, type UnitsOptions } from "../../src/units.js";

/** The units of a text, not yet read; characters are counted unless something else is. */
export function unitsOf(text: string, options: Partial<UnitsOptions> = {}): Units {
  return new Units(text, {
    chunkSize: 1000,
    lengthFunction: (text: string) => text.length,
    paragraphs: "auto",
    locale: "en",
    pace: new Pace(),
    signal: new AbortController().signal,
    ...options,
  });
}

/** The units of a text when all are found. */
export async function allUnits(text: string, options: Partial<UnitsOptions> = {}): Promise<Units> {
  const units = unitsOf(text, options);
  await units.at(Number.MAX_SAFE_INTEGER);
  return units;
}
