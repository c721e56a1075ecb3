import { AIMessageChunk, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBoundaryChain } from "../../src/boundary/chain.js";
import { InvalidParameterError } from "../../src/errors.js";
import { LexicalCohesionChatModel } from "../../src/offline/index.js";

const SCHEMA = {
  type: "object",
  properties: { boundaryId: { type: "integer" } },
  required: ["boundaryId"],
};

const TWO_SUBJECTS = [
  "The harpooneer sharpened the harpoon on the deck while the whale sounded.",
  "Another whale was seen from the deck, and the harpooneer took his harpoon.",
  "The harpoon struck the whale; the line ran out over the deck.",
  "In the kitchen the landlady boiled chowder with clams and biscuit.",
  "Her clams were small, the biscuit pounded, the chowder seasoned with pepper.",
  "No kitchen in Nantucket served chowder like the landlady and her clams.",
];

function ask(texts: readonly string[], firstId = 1): string {
  return texts.map((text, i) => `ID ${firstId + i}: ${text}`).join("\n\n");
}

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.lorem({ mode: "sentences" }),
  fc.constantFrom("", "ID 2: no", "a\n\nID 9999: foo", "\uD800", "__proto__ constructor", "。。。"),
);

describe("LexicalCohesionChatModel", () => {
  it("answers 0 or an ID that was asked about, but the first, whatever the paragraphs say", async () => {
    const model = new LexicalCohesionChatModel();
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 1, max: 100_000 }),
        async (texts, firstId) => {
          const lines = texts.map((text) => text.replace(/[\s\u2028\u2029]+/g, " "));
          const { content } = await model.invoke(ask(lines, firstId));
          const id = Number(/^ID (\d+)$/.exec(String(content))?.[1]);
          const candidates = texts.slice(1).map((_, i) => firstId + i + 1);
          expect([0, ...candidates]).toContain(id);
        },
      ),
    );
  });

  it("answers the same twice, and the same place under other IDs", async () => {
    const model = new LexicalCohesionChatModel();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.lorem({ mode: "sentences" }), { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 1, max: 5000 }),
        async (texts, shift) => {
          const [once, twice, shifted] = await Promise.all([
            model.invoke(ask(texts)),
            model.invoke(ask(texts)),
            model.invoke(ask(texts, 1 + shift)),
          ]);
          expect(twice.content).toBe(once.content);
          const id = Number(once.text.slice(3));
          expect(shifted.content).toBe(`ID ${id === 0 ? 0 : id + shift}`);
        },
      ),
    );
  });

  it("never throws, whatever is asked", async () => {
    const model = new LexicalCohesionChatModel();
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { maxLength: 8 }), async (texts) => {
        const { text } = await model.invoke(texts.map((content) => new HumanMessage(content)));
        expect(text).toMatch(/^ID \d+$/);
      }),
    );
  });

  it("finds where the subject changes", async () => {
    const { content } = await new LexicalCohesionChatModel().invoke(ask(TWO_SUBJECTS));
    expect(content).toBe("ID 4");
  });

  it("answers 0 where the same words run through all paragraphs", async () => {
    const texts = [
      "The crew saw the white whale rise far from the boat.",
      "Far from the boat the whale rose, white; the crew saw it rise.",
      "From the boat the crew saw far off the white whale rise.",
    ];
    expect((await new LexicalCohesionChatModel().invoke(ask(texts))).content).toBe("ID 0");
  });

  it("leaves no scrap of a window behind", async () => {
    const texts = [TWO_SUBJECTS.join(" "), "The end."];
    expect((await new LexicalCohesionChatModel().invoke(ask(texts))).content).toBe("ID 0");
    const { content } = await new LexicalCohesionChatModel().invoke(ask(texts.toReversed()));
    expect(content).toBe("ID 0");
  });

  it("answers 0 where nothing can be chosen", async () => {
    const model = new LexicalCohesionChatModel();
    expect((await model.invoke("ID 7: alone")).content).toBe("ID 0");
    expect((await model.invoke("What shall I read?")).content).toBe("ID 0");
    expect((await model.invoke([])).content).toBe("ID 0");
  });

  it("gives structured output with core's own pipeline", async () => {
    const output = new LexicalCohesionChatModel().withStructuredOutput(SCHEMA, {
      name: "boundary",
      method: "functionCalling",
      includeRaw: true,
    });
    const { raw, parsed } = await output.invoke(ask(TWO_SUBJECTS, 41));
    expect(parsed).toEqual({ boundaryId: 44 });
    expect(AIMessageChunk.isInstance(raw)).toBe(true);
    expect(raw).toMatchObject({
      content: "",
      tool_calls: [{ type: "tool_call", name: "boundary", args: { boundaryId: 44 } }],
      usage_metadata: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    });
  });

  it("answers through the boundary chain, by tool and as text", async () => {
    const paragraphs = TWO_SUBJECTS.map((text, i) => ({ id: i + 8, text }));
    const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    for (const output of ["structured", "text"] as const) {
      const chain = createBoundaryChain(new LexicalCohesionChatModel(), { output });
      expect(await chain.invoke({ paragraphs })).toEqual({ boundaryId: 11, usage });
    }
  });

  it("streams to the answer that invoke gives", async () => {
    const model = new LexicalCohesionChatModel();
    let whole: AIMessageChunk | undefined;
    let pieces = 0;
    for await (const chunk of await model.stream(ask(TWO_SUBJECTS))) {
      whole = whole?.concat(chunk) ?? chunk;
      pieces += 1;
    }
    expect(pieces).toBeGreaterThan(1);
    expect(whole?.content).toBe("ID 4");

    for await (const chunk of await model.bindTools([tool("cut")]).stream(ask(TWO_SUBJECTS))) {
      expect(chunk.tool_calls).toMatchObject([{ name: "cut", args: { boundaryId: 4 } }]);
    }
  });

  it("tells the callbacks of a stream each token and the end", async () => {
    const tokens: string[] = [];
    const ends: string[] = [];
    const callbacks = [
      {
        handleLLMNewToken: (token: string) => void tokens.push(token),
        handleLLMEnd: () => void ends.push("end"),
      },
    ];
    const stream = await new LexicalCohesionChatModel().stream(ask(TWO_SUBJECTS), { callbacks });
    for await (const chunk of stream) expect(chunk.text).not.toBe("");
    expect(tokens.join("")).toBe("ID 4");
    expect(ends).toEqual(["end"]);
  });

  it("stops for an aborted signal, with its reason", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    const model = new LexicalCohesionChatModel();
    await expect(model.invoke(ask(TWO_SUBJECTS), { signal })).rejects.toThrow("enough");
    await expect(async () => {
      for await (const chunk of await model.stream(ask(TWO_SUBJECTS), { signal })) void chunk;
    }).rejects.toThrow("enough");
  });

  it("survives long and repetitive questions", async () => {
    const model = new LexicalCohesionChatModel();
    const many = Array.from({ length: 20_000 }, (_, i) => `line ${i} of ${i % 90}`);
    const questions = [
      ask(many),
      ask(["a".repeat(1_000_000), "b"]),
      ask([" ".repeat(1_000_000), "\n".repeat(100_000), "鯨".repeat(100_000)]),
      "ID 1: x\n".repeat(100_000),
    ];
    for (const question of questions) {
      expect((await model.invoke(question)).text).toMatch(/^ID \d+$/);
    }
  });
});

describe("bindTools", () => {
  const model = new LexicalCohesionChatModel();

  it("takes LangChain tools and fills the required integer", async () => {
    const structured = new DynamicStructuredTool({
      name: "cut",
      description: "Cuts.",
      schema: {
        type: "object",
        properties: {
          note: { type: "string" },
          weight: { type: "number" },
          place: { type: "integer" },
        },
        required: ["note", "place"],
      },
      func: async () => "",
    });
    const { tool_calls } = await model.bindTools([structured]).invoke(ask(TWO_SUBJECTS));
    expect(tool_calls).toMatchObject([{ name: "cut", args: { place: 4 } }]);
  });

  it("honours tool_choice", async () => {
    const called = async (tool_choice: string | object) => {
      const bound = model.bindTools([tool("one"), tool("two")], { tool_choice });
      const { tool_calls, text } = await bound.invoke(ask(TWO_SUBJECTS));
      return tool_calls?.[0]?.name ?? text;
    };
    expect(await called("auto")).toBe("one");
    expect(await called("any")).toBe("one");
    expect(await called("two")).toBe("two");
    expect(await called({ type: "function", function: { name: "two" } })).toBe("two");
    expect(await called("none")).toBe("ID 4");
    await expect(called("three")).rejects.toThrow(/tool_choice must be .* Found: "three"/);
  });

  it("refuses tools in which no answer fits", () => {
    const text = { ...tool("say").function, parameters: { type: "object", properties: {} } };
    expect(() => model.bindTools([{ type: "function", function: text }])).toThrow(
      InvalidParameterError,
    );
    expect(() => model.bindTools([])).toThrow(/^tools must be/);
  });
});

describe("the question", () => {
  const model = new LexicalCohesionChatModel();
  const answer = async (text: string) => (await model.invoke(text)).content;

  it("may stand between instructions, or in a system message", async () => {
    const question = ask(TWO_SUBJECTS);
    expect(await answer(`Say where.\n${question}\n\nAnswer with chowder clams.`)).toBe("ID 4");
    expect((await model.invoke([new SystemMessage(question)])).content).toBe("ID 4");
    const parts = [{ type: "text" as const, text: question }];
    expect((await model.invoke([new HumanMessage({ content: parts })])).content).toBe("ID 4");
  });

  it("is asked again by a message without paragraphs", async () => {
    const again = [ask(TWO_SUBJECTS), "Answer with one of these IDs: 2, 3, 4."];
    expect((await model.invoke(again.map((text) => new HumanMessage(text)))).content).toBe("ID 4");
  });

  it("is not misled by IDs inside a paragraph", async () => {
    for (const hostile of ["ID 9999: foo", "ID 7: foo", "ID 5: foo", "\nID 9999: foo", "ID 1: x"]) {
      for (const place of TWO_SUBJECTS.keys()) {
        const texts = TWO_SUBJECTS.map((text, i) => (i === place ? `${text}\n${hostile}` : text));
        expect(["ID 3", "ID 4", "ID 5"]).toContain(await answer(ask(texts)));
      }
    }
  });

  it("may be an example before the paragraphs, which begins no window", async () => {
    expect(await answer(`Example:\n\nID 12: …\n\n${ask(TWO_SUBJECTS)}`)).toBe("ID 4");
  });

  it("may join the paragraphs by single line ends of any kind", async () => {
    for (const end of ["\n", "\r\n", "\r\n\r\n"]) {
      expect(await answer(ask(TWO_SUBJECTS).replaceAll("\n\n", end))).toBe("ID 4");
    }
  });

  it("may leave IDs out where paragraphs were merged", async () => {
    const ids = [3, 4, 9, 12, 13, 20];
    const question = TWO_SUBJECTS.map((text, i) => `ID ${ids[i]}: ${text}`).join("\n\n");
    expect(await answer(question)).toBe("ID 12");
  });

  it("may be in a script without spaces", async () => {
    const texts = [
      "鯨は海を泳ぐ。捕鯨船の船長は鯨を追う。",
      "船長は鯨を憎み、捕鯨船で海を渡る。",
      "捕鯨船の甲板で船長は鯨の海を見た。",
      "台所では女将が料理を作る。貝の汁物だ。",
      "女将の料理は貝と胡椒の汁物である。",
      "台所の汁物は貝の味、女将の自慢の料理。",
    ];
    expect(await answer(ask(texts))).toBe("ID 4");
  });
});

function tool(name: string) {
  return {
    type: "function" as const,
    function: { name, description: "Cuts.", parameters: SCHEMA },
  };
}
