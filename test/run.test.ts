import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { InvalidParameterError } from "../src/errors.js";
import { LumberChunkerSplitter } from "../src/splitter.js";
import { DecidingChain } from "./helpers/deciding-chain.js";

const TEXT = "One two three.\n\nFour five six.\n\nSeven eight nine.";

function split(answer: unknown) {
  const boundaryChain = new DecidingChain(() => answer);
  return {
    boundaryChain,
    chunks: new LumberChunkerSplitter({ boundaryChain }).createDocuments([TEXT]),
  };
}

describe("what a boundaryChain answers", () => {
  it.each([3, "3", "ID 2", true, {}, { boundary_id: 2 }, [2], new AIMessage("ID 2")])(
    "is the chain's fault where it has another shape, and is said at once: %j",
    async (answer) => {
      const { boundaryChain, chunks } = split(answer);
      const error: unknown = await chunks.catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(InvalidParameterError);
      expect(error).toMatchObject({ parameter: "boundaryChain", value: answer });
      expect((error as Error).message).toMatch(/^boundaryChain must be .* boundaryId. Found: /);
      expect(boundaryChain.questions).toHaveLength(1);
    },
  );

  it.each([undefined, null, { boundaryId: undefined }, { boundaryId: null }, { boundaryId: "2" }])(
    "is invalid and falls back where there is no ID in it: %j",
    async (answer) => {
      const chunks = await split(answer).chunks;
      expect(chunks.map(({ metadata }) => metadata.boundary)).toContain("fallback");
    },
  );
});
