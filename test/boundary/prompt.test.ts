import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatParagraphs, wellFormed, withInstruction } from "../../src/boundary/prompt.js";

test("a paragraph stands behind its ID, and a blank line between two", () => {
  const paragraphs = [
    { id: 41, text: "Call me Ishmael." },
    { id: 42, text: "Some years ago\nnever mind how long" },
  ];
  expect(formatParagraphs({ paragraphs })).toBe(
    "ID 41: Call me Ishmael.\n\nID 42: Some years ago\nnever mind how long",
  );
});

test("a text without lone surrogates stays as it is, and any text survives UTF-8", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(wellFormed(text)).toBe(text);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(50), (text, cut) => {
      const formed = wellFormed(text.slice(cut));
      expect(new TextDecoder().decode(new TextEncoder().encode(`a${formed}`))).toBe(`a${formed}`);
    }),
  );
});

test("an instruction ends the last human message, or follows the others", () => {
  const system = new SystemMessage("Cut.");
  const ended = withInstruction([system, new HumanMessage("Here?")], "In JSON.");
  expect(ended.map(({ content }) => content)).toEqual(["Cut.", "Here?\n\nIn JSON."]);
  const followed = withInstruction([new HumanMessage("Here?"), new AIMessage("Ok")], "In JSON.");
  expect(followed.map(({ type }) => type)).toEqual(["human", "ai", "human"]);
  expect(withInstruction([], "In JSON.")).toHaveLength(1);
});
