import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chapterParagraphs } from "../src/chapters.js";
import { markdownParagraphs } from "../src/markdown/index.js";
import { type Paragraph, type ParagraphRule, paragraphsOf } from "../src/paragraphs.js";
import { LumberChunkerSplitter } from "../src/splitter.js";
import type { LengthFunction } from "../src/units.js";
import { CORPUS } from "./corpus/index.js";
import type { CorpusInput } from "./corpus/input.js";
import { ANSWERS, seededChain } from "./helpers/deciding-chain.js";
import { expectCover } from "./helpers/spans.js";
import { LENGTHS } from "./helpers/texts.js";
import { allUnits } from "./helpers/units.js";

const RULES: Record<string, ParagraphRule> = {
  auto: "auto",
  "blank-line": "blank-line",
  line: "line",
  markdown: markdownParagraphs,
  chapters: chapterParagraphs(),
  "chapters by lines": chapterParagraphs("line"),
};

const INPUTS = Object.values(CORPUS).flat();

async function unitsOf({ text, rule = "auto", chunkSize = 100, count = "words" }: CorpusInput) {
  const lengthFunction = LENGTHS[count] as LengthFunction;
  const paragraphs = RULES[rule] as ParagraphRule;
  const { list } = await allUnits(text, { chunkSize, lengthFunction, paragraphs });
  return [...list];
}

describe.each(Object.entries(CORPUS))("%s", (_, inputs) => {
  test.each(inputs.map((input) => [input.name, input] as const))("%s", async (_, input) => {
    const units = await unitsOf(input);
    expect(units.map(({ start, end }) => input.text.slice(start, end))).toEqual(input.units);
    expect(units.map(({ section }) => section)).toEqual(
      input.sections ?? input.units.map(() => ""),
    );
  });
});

/** Inputs one behind the other, with what stands between texts in files, and between pages. */
const mixture = fc
  .array(
    fc.tuple(
      fc.constantFrom(...INPUTS.map(({ text }) => text)),
      fc.constantFrom("\n\n", "\n", "\r\n", "\r\n\r\n", "\f", "\r", "\u2029", " ", ""),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.flat().join(""));

/** Markdown in which all is under headings, of lengths that come near the sizes in the tests. */
const headed = fc
  .array(
    fc
      .tuple(
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom("", "```\n", "- ", "> ", "| a |\n| - |\n| ", "    "),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
      )
      .map(([title, opening, lines]) => {
        const prefix = opening.split("\n").at(-1) ?? "";
        const rows = lines.map((length) => `${prefix}${"It was. ".repeat(8).slice(0, length)}`);
        const closing = opening === "```\n" ? "\n```" : "";
        const before = opening.slice(0, opening.length - prefix.length);
        return `# ${"whale ".repeat(6).slice(0, title)}\n\n${before}${rows.join("\n")}${closing}`;
      }),
    { minLength: 1, maxLength: 4 },
  )
  .map((sections) => sections.join("\n\n"));

const anyInput = fc.oneof(fc.constantFrom(...INPUTS.map(({ text }) => text)), mixture, headed);
const ruleName = fc.constantFrom(...Object.keys(RULES));
const kinds = fc.uniqueArray(fc.constantFrom(...Object.keys(ANSWERS)), { minLength: 1 });

describe("chunks of every input and of mixtures", () => {
  test("are exact slices in order, none over chunkSize, and leave out white space only", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyInput,
        ruleName,
        fc.integer({ min: 2, max: 60 }),
        fc.nat(),
        kinds,
        fc.boolean(),
        async (text, rule, chunkSize, seed, kinds, sectionBreaks) => {
          const splitter = new LumberChunkerSplitter({
            boundaryChain: seededChain(seed, kinds),
            chunkSize,
            lengthFunction: LENGTHS.characters as LengthFunction,
            paragraphs: RULES[rule] as ParagraphRule,
            sectionBreaks,
          });
          const chunks = await splitter.createDocuments([text]);
          const spans = chunks.map(({ metadata }) => ({
            start: metadata.startIndex,
            end: metadata.endIndex,
          }));
          expectCover(text, spans, { start: 0, end: text.length });
          for (const { pageContent, metadata } of chunks) {
            expect(pageContent).toBe(text.slice(metadata.startIndex, metadata.endIndex));
            expect(metadata.tokenCount).toBe(pageContent.length);
            if (metadata.tokenCount > chunkSize) expect([...pageContent]).toHaveLength(1);
            expect(typeof metadata.section).toBe("string");
          }
          expect(await splitter.createDocuments([text])).toEqual(chunks);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("no unit ends inside a line that fits, but the only one of a headed paragraph", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyInput,
        ruleName,
        fc.integer({ min: 2, max: 60 }),
        async (text, rule, chunkSize) => {
          const paragraphs = RULES[rule] as ParagraphRule;
          const only = bodiesOf(text, paragraphs)
            .filter(({ start, end, parts }) => !parts && lineAround(text, start).end === end)
            .map(({ start }) => start);
          const { list } = await allUnits(text, { chunkSize, paragraphs });
          for (const { end } of list) {
            const line = lineAround(text, end);
            const fits = line.end - line.start <= chunkSize && !only.includes(line.start);
            if (fits && end > line.start) expect(end).toBe(line.end);
          }
        },
      ),
      { numRuns: 600 },
    );
  });

  test("what has parts is whole while it fits, with a heading or without", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyInput,
        ruleName,
        fc.integer({ min: 30, max: 120 }),
        async (text, rule, chunkSize) => {
          const paragraphs = RULES[rule] as ParagraphRule;
          const whole = [...bodiesOf(text, paragraphs), ...paragraphsOf(text, paragraphs)].filter(
            ({ start, end, parts }) => parts && end - start <= chunkSize,
          );
          const { list } = await allUnits(text, { chunkSize, paragraphs });
          for (const { start, end } of whole)
            expect([...list].filter((unit) => unit.end > start && unit.end < end)).toEqual([]);
        },
      ),
      { numRuns: 600 },
    );
  });

  test("no heading ends a unit that what follows could go on with", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyInput,
        ruleName,
        fc.integer({ min: 20, max: 120 }),
        async (text, rule, chunkSize) => {
          const paragraphs = RULES[rule] as ParagraphRule;
          const bodies = new Map(bodiesOf(text, paragraphs).map((body) => [body.headingEnd, body]));
          const { list } = await allUnits(text, { chunkSize, paragraphs });
          for (const { start, end } of list) {
            const body = bodies.get(end);
            if (body === undefined) continue;
            const first = firstOf(text, body, chunkSize);
            if (first - nextText(text, body.start) <= chunkSize)
              expect(first - start).toBeGreaterThan(chunkSize);
            else expect(body.start - start).toBeGreaterThan(chunkSize / 2);
          }
        },
      ),
      { numRuns: 600 },
    );
  });
});

/** What stands behind the headings of paragraphs. */
function bodiesOf(text: string, rule: ParagraphRule): Paragraph[] {
  return [...paragraphsOf(text, rule)].flatMap(({ headingEnd = text.length, end, parts }) => {
    if (headingEnd >= end) return [];
    const inside = parts?.filter(({ start }) => start >= headingEnd);
    const start = inside?.[0]?.start ?? nextText(text, headingEnd);
    return [{ start, end, headingEnd, ...(inside && { parts: inside }) }];
  });
}

/** Where the first piece of a body ends that is not cut while it fits. */
function firstOf(text: string, { start, end, parts }: Paragraph, chunkSize: number): number {
  if (parts && end - start <= chunkSize) return end;
  const part = parts?.[0]?.end ?? end;
  if (parts && part - start <= chunkSize) return part;
  const line = Math.min(lineAround(text, start).end, part);
  if (parts || line < end) return line;
  const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
  const [sentence] = sentences.segment(text.slice(start, end));
  return end - start <= chunkSize ? start + (sentence?.segment.trimEnd().length ?? 0) : end;
}

function nextText(text: string, offset: number): number {
  return offset + text.slice(offset).length - text.slice(offset).trimStart().length;
}

/** The line that holds an offset, without the white space around it. */
function lineAround(text: string, offset: number): { start: number; end: number } {
  const ends = /[\n\r\f\u2028\u2029]/;
  let start = offset;
  while (start > 0 && !ends.test(text.charAt(start - 1))) start -= 1;
  let end = offset;
  while (end < text.length && !ends.test(text.charAt(end))) end += 1;
  const line = text.slice(start, end);
  return {
    start: start + line.length - line.trimStart().length,
    end: start + line.trimEnd().length,
  };
}
