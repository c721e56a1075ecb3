import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readReply } from "../../src/boundary/reply.js";

/** A window's candidates, in order. */
const candidates = fc
  .tuple(fc.integer({ min: 2, max: 3000 }), fc.integer({ min: 1, max: 30 }))
  .map(([first, count]) => Array.from({ length: count }, (_, i) => first + i));

/** Candidates and one of them. */
const choice = candidates.chain((ids) => fc.tuple(fc.constant(ids), fc.constantFrom(...ids)));

/** Ways to say an ID, all of which must be understood. */
const sayings: ((id: number) => string)[] = [
  (id) => `${id}`,
  (id) => ` ${id}.\n`,
  (id) => `"${id}"`,
  (id) => `#${id}`,
  (id) => `ID ${id}`,
  (id) => `ID: ${id}`,
  (id) => `ID-${id}`,
  (id) => `**ID ${id}**`,
  (id) => `__ID ${id}__`,
  (id) => `\`${id}\``,
  (id) => `Answer: ${id}`,
  (id) => `Answer: ID ${id}`,
  (id) => `**Answer:** ID ${id}`,
  (id) => `The answer is ID ${id}.`,
  (id) => `Paragraph ${id}`,
  (id) => `boundaryId: ${id}`,
  (id) => `{"boundaryId": ${id}}`,
  (id) => `{"boundaryId": "${id}"}`,
  (id) => `{"boundary_id": "ID ${id}"}`,
  (id) => `{"id": ${id}, "why": "In 2024, ID 1"}`,
  (id) => `\`\`\`json\n{"boundaryId": ${id}}\n\`\`\``,
  (id) => `\`\`\`\n${id}\n\`\`\``,
  (id) => `Here it is: {"boundaryId": ${id}} as you asked.`,
  (id) => `<tool_call>{"name": "boundary", "arguments": {"boundaryId": ${id}}}</tool_call>`,
  (id) => `{"name": "boundary", "arguments": "{\\"boundaryId\\": ${id}}"}`,
  (id) => `In 1815 the war ends; the shift is at ID ${id}.`,
  (id) => `ID 1 sets the scene. From ID ${id} on it is another one, 3 years later.`,
  (id) => `I weighed 12 places.\n\nAnswer: ${id}`,
  (id) => `[${id}]`,
  (id) => `{"boundaryId": [${id}]}`,
  (id) => `ID is ${id}`,
  (id) => `The ID is ${id}.`,
  (id) => `The ID of the paragraph is ${id}.`,
  (id) => `The ID of the first paragraph is: ${id}`,
];

/** Text with numbers in it that says nothing about IDs. */
const prose = fc
  .array(
    fc.oneof(
      fc.constantFrom("the", "whale", "of", "shifts", "chapter", "scene", "seems", "clear"),
      fc.integer({ min: 0, max: 4000 }).map(String),
    ),
    { minLength: 3, maxLength: 12 },
  )
  .map((words) => `Perhaps ${words.join(" ")} indeed.`);

describe("readReply", () => {
  test("gives a candidate, 0 or a reason for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), candidates, (text, ids) => {
        const reading = readReply(new AIMessage(text), ids);
        if ("boundaryId" in reading) expect([0, ...ids]).toContain(reading.boundaryId);
        else expect(["no-answer", "outside-window", "unparsable"]).toContain(reading.reason);
      }),
    );
  });

  test("gives a candidate, 0 or a reason for any arguments", () => {
    fc.assert(
      fc.property(fc.anything(), candidates, (args, ids) => {
        const reading = readReply({ raw: new AIMessage(""), parsed: args }, ids);
        if ("boundaryId" in reading) expect([0, ...ids]).toContain(reading.boundaryId);
        else expect(reading.reason).not.toBe("refused");
      }),
    );
  });

  test("understands every way to say an ID, and judges it by the window", () => {
    fc.assert(
      fc.property(choice, fc.constantFrom(...sayings), ([ids, id], say) => {
        expect(readReply(new AIMessage(say(id)), ids)).toEqual({ boundaryId: id });
        const outside = (ids.at(-1) ?? 0) + 1;
        expect(readReply(new AIMessage(say(outside)), ids)).toMatchObject({
          reason: "outside-window",
        });
      }),
    );
  });

  test("takes no number for an ID because it stands there", () => {
    fc.assert(
      fc.property(prose, candidates, (text, ids) => {
        expect(readReply(new AIMessage(text), ids)).toEqual({ reason: "unparsable", reply: text });
      }),
    );
  });

  test("does not choose between two candidates", () => {
    const two = candidates
      .filter((ids) => ids.length > 1)
      .chain((ids) => fc.tuple(fc.constant(ids), fc.shuffledSubarray(ids, { minLength: 2 })));
    const join = fc.constantFrom(" or ID ", ", ", " and ", " to ", "-", ". Or was it ID ");
    fc.assert(
      fc.property(two, join, ([ids, [a, b]], between) => {
        const reading = readReply(new AIMessage(`It is ID ${a}${between}${b} I think`), ids);
        expect(reading).toMatchObject({ reason: "unparsable" });
      }),
    );
  });

  test("takes no thought for an answer", () => {
    const thought = fc.string().filter((text) => !/<\/?think/i.test(text));
    const thinking = fc.constantFrom(
      (text: string, answer: string) => `<think>${text}ID 2</think>\n${answer}`,
      (text: string, answer: string) => `${text}ID 2</think>${answer}`,
      (text: string, answer: string) => `${answer}<thinking>${text} ID 2`,
    );
    fc.assert(
      fc.property(thought, thinking, choice, (text, wrap, [ids, id]) => {
        expect(readReply(new AIMessage(wrap(text, `ID ${id}`)), ids)).toEqual({ boundaryId: id });
        expect(readReply(new AIMessage(wrap(text, "")), ids)).toMatchObject({
          reason: "no-answer",
        });
      }),
    );
  });

  test("reads no ID from JSON that was cut", () => {
    const whole = fc.constantFrom(
      (id: number) => `{"boundaryId": ${id}}`,
      (id: number) => `{"boundaryId":"${id}"}`,
      (id: number) => `{"why": "ID 12 differs", "boundaryId": ${id}}`,
    );
    fc.assert(
      fc.property(choice, whole, fc.nat(), ([ids, id], write, seed) => {
        const json = write(id);
        const cut = json.slice(0, 1 + (seed % (json.length - 1)));
        expect(readReply(new AIMessage(cut), ids)).toMatchObject({ reason: "unparsable" });
      }),
    );
  });

  test("handles long replies", () => {
    const unit = [
      "<think>",
      "{",
      "ID ",
      "answer ",
      "_",
      "`",
      "ID 1 ",
      '{"a":',
      "[",
      "-",
      "\n",
      "😀",
    ];
    for (const piece of unit) {
      const text = piece.repeat(100_000);
      for (const reply of [text, `\`\`\`${text}x`, `answer${text}x`, `ID 1${text}x`, `x${text}`]) {
        expect(readReply(new AIMessage(reply), [2, 3])).toHaveProperty("reason");
      }
    }
  });

  test.each([
    ["0", 0],
    ["None", 0],
    ["Answer: none.", 0],
    ["nothing shifts", 0],
    ["ID 0", 0],
    ["ID: none", 0],
    ["N/A", 0],
    ["There is no shift.", 0],
    ["None of the paragraphs shift.", 0],
  ])("%s: nothing shifts", (text, boundaryId) => {
    expect(readReply(new AIMessage(text), [2, 3])).toEqual({ boundaryId });
  });

  test.each([
    ["There are no passages.", "unparsable"],
    ["ID 2 or ID 3", "unparsable"],
    ["ID 2.5", "unparsable"],
    ["2.5", "outside-window"],
    ["-2", "outside-window"],
    ["ID -2", "outside-window"],
    ["ID 1", "outside-window"],
    ["1e400", "outside-window"],
    ["null", "no-answer"],
    ["[]", "no-answer"],
    ["[2, 3]", "unparsable"],
    ["true", "unparsable"],
    ["The answer is 2 paragraphs later.", "unparsable"],
    ["Answer: ID 2\nAnswer: ID 3", "unparsable"],
    ["Answer: ID 2 or ID 3", "unparsable"],
    ["Answer: ID 2, ID 3", "unparsable"],
    ["Answer: ID 2-3", "unparsable"],
    ["Answer: ID 2.5", "unparsable"],
    ["Answer: ID 2,000", "unparsable"],
    ["The answer is ID 2, or maybe ID 3.", "unparsable"],
    ["I did 2 of them, said David 3 times.", "unparsable"],
  ])("%s: %s", (text, reason) => {
    expect(readReply(new AIMessage(text), [2, 3])).toMatchObject({ reason });
  });
});

describe("readReply of messages", () => {
  const call = (args: Record<string, unknown>) => ({ name: "boundary", args, id: "1" });

  test("prefers the tool call to the text beside it", () => {
    const message = new AIMessage({ content: "ID 3", tool_calls: [call({ boundaryId: 2 })] });
    expect(readReply(message, [2, 3])).toEqual({ boundaryId: 2 });
  });

  test("reads the text where the tool call is broken", () => {
    const broken = { name: "boundary", args: '{"boundaryId": 1', id: "1" };
    const message = new AIMessage({ content: "ID 3", invalid_tool_calls: [broken] });
    expect(readReply(message, [2, 3])).toEqual({ boundaryId: 3 });
    const silent = new AIMessage({ content: "", invalid_tool_calls: [broken] });
    expect(readReply(silent, [2, 3])).toEqual({ reason: "unparsable", reply: broken.args });
  });

  test("takes no number that two blocks of text make together", () => {
    const content = ["2", "3"].map((text) => ({ type: "text", text }));
    const reading = readReply(new AIMessage({ content }), [2, 3, 23]);
    expect(reading).toMatchObject({ reason: "unparsable" });
  });

  test("takes no number out of a tool call that was made whole in streaming", () => {
    const chunk = (args: string) =>
      new AIMessageChunk({
        content: "",
        tool_call_chunks: [{ name: "boundary", args, id: "1", index: 0, type: "tool_call_chunk" }],
      });
    expect(readReply(chunk('{"boundaryId": 2}'), [2, 21])).toEqual({ boundaryId: 2 });
    const cut = '{"boundaryId": 2';
    expect(readReply(chunk(cut), [2, 21])).toEqual({ reason: "unparsable", reply: cut });
    expect(readReply(chunk(""), [2, 21])).toMatchObject({ reason: "no-answer" });
  });

  test("joins blocks of text, and leaves out the others", () => {
    const content = [
      { type: "thinking", thinking: "ID 2" },
      { type: "reasoning", reasoning: "ID 2" },
      { type: "text", text: "ID" },
      { type: "text", text: " 3" },
    ];
    expect(readReply(new AIMessage({ content }), [2, 3])).toEqual({ boundaryId: 3 });
  });

  test.each([
    ["OpenAI's field", { content: "", additional_kwargs: { refusal: "I can't" } }],
    ["a refusal block", { content: [{ type: "refusal", refusal: "I can't" }] }],
    ["a filter", { content: "ID 2", response_metadata: { finish_reason: "content_filter" } }],
    ["Anthropic's stop", { content: "ID 2", response_metadata: { stop_reason: "refusal" } }],
    ["a stream's end", { content: "2", additional_kwargs: { stop_reason: "refusal" } }],
    ["Gemini's filter", { content: "", response_metadata: { finishReason: "SAFETY" } }],
    [
      "Gemini's blocked prompt",
      { content: "", response_metadata: { promptFeedback: { blockReason: "OTHER" } } },
    ],
    [
      "a filtered response",
      { content: "", response_metadata: { incomplete_details: { reason: "content_filter" } } },
    ],
  ])("a refusal by %s", (_name, fields) => {
    expect(readReply(new AIMessage(fields), [2, 3])).toMatchObject({ reason: "refused" });
  });

  test("a number at the end of a text that was cut is none", () => {
    const response_metadata = { finish_reason: "length" };
    const cut = new AIMessage({ content: "ID 2", response_metadata });
    expect(readReply(cut, [2, 3])).toMatchObject({ reason: "unparsable" });
    const later = new AIMessage({ content: "ID 2, since the", response_metadata });
    expect(readReply(later, [2, 3])).toEqual({ boundaryId: 2 });
  });

  test.each([
    ["with includeRaw", { raw: new AIMessage("."), parsed: { boundaryId: 2 } }],
    ["without", { boundaryId: 2 }],
    ["as a number", 2],
    ["as a string", "ID 2"],
  ])("structured output %s", (_name, output) => {
    expect(readReply(output, [2, 3])).toEqual({ boundaryId: 2 });
  });

  test("structured output that is null, beside calls that disagree or a refusal, is no answer", () => {
    expect(readReply(null, [2, 3])).toMatchObject({ reason: "no-answer" });
    expect(readReply({ raw: new AIMessage(""), parsed: null }, [2, 3])).toMatchObject({
      reason: "no-answer",
    });
    const tool_calls = [call({ boundaryId: 2 }), call({ boundaryId: 3 })];
    const raw = new AIMessage({ content: "", tool_calls });
    expect(readReply({ raw, parsed: { boundaryId: 2 } }, [2, 3])).toMatchObject({
      reason: "unparsable",
      reply: [{ boundaryId: 2 }, { boundaryId: 3 }],
    });
  });
});

describe("long white space in a reply", () => {
  test("is read in time that grows with it", () => {
    const reply = `The answer is${" ".repeat(1_000_000)}unclear`;
    expect(readReply(new AIMessage(reply), [2, 3])).toMatchObject({ reason: "unparsable" });
    const spaced = `The answer is${"\t \n".repeat(100_000)}ID 3`;
    expect(readReply(new AIMessage(spaced), [2, 3])).toMatchObject({ boundaryId: 3 });
  });
});
