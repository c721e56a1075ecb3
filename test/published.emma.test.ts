import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { BoundaryQuestion } from "../src/boundary/question.js";
import { LumberChunkerSplitter } from "../src/splitter.js";
import type { LengthFunction } from "../src/units.js";
import { ScriptedChatModel } from "./helpers/scripted-chat-model.js";

/** The paper's public example, beside the repository where it is there at all. */
const FOLDER = fileURLToPath(new URL("../../shared/gutenqa-emma/", import.meta.url));

function read<T>(name: string): T {
  return JSON.parse(readFileSync(`${FOLDER}${name}`, "utf8"));
}

describe.skipIf(!existsSync(FOLDER))("the paper's chunks of Emma", () => {
  const paragraphs = existsSync(FOLDER)
    ? read<{ text: string }[]>("paragraphs.json").map(({ text }) => text)
    : [];
  const starts = existsSync(FOLDER) ? read<number[]>("published-chunk-starts.json") : [];
  const published = starts.map((start, i) => paragraphs.slice(start, starts[i + 1]).join("\n"));
  const startIds = new Set(starts.map((start) => start + 1));

  /** The first published start in the window; in the last window there is none. */
  const decide = ({ paragraphs: [, ...candidates] }: BoundaryQuestion): number =>
    candidates.find(({ id }) => startIds.has(id))?.id ?? 0;

  const words: LengthFunction = (text) => 1.2 * (text.match(/\S+/g)?.length ?? 0);

  const ways = ["\n\n", "\r\n\r\n", "\n"].flatMap((separator) =>
    [1, 16].map((maxConcurrency) => [separator, maxConcurrency, words] as const),
  );

  it.each([...ways, ["\n\n", 16, undefined] as const])(
    "come out exactly, paragraphs joined by %j, %d at once, length %o",
    async (separator, maxConcurrency, lengthFunction) => {
      const model = new ScriptedChatModel({ decide });
      const splitter = new LumberChunkerSplitter({
        model,
        chunkSize: 4000,
        maxConcurrency,
        ...(lengthFunction && { lengthFunction }),
      });
      const text = paragraphs.join(separator);
      const chunks = await splitter.createDocuments([text]);
      expect(published).toHaveLength(476);
      expect(chunks.map(({ pageContent }) => pageContent.replaceAll(separator, "\n"))).toEqual(
        published,
      );
      expect(chunks.map(({ metadata }) => metadata.paragraphFrom)).toEqual(
        starts.map((start) => start + 1),
      );
      expect(chunks.map(({ metadata }) => metadata.boundary)).toEqual(
        starts.map((_, i) => (i === 0 ? "start" : "model")),
      );
      for (const { pageContent, metadata } of chunks)
        expect(text.slice(metadata.startIndex, metadata.endIndex)).toBe(pageContent);
    },
  );
});
