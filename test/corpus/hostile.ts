import type { CorpusInput } from "./input.js";

/** What other splitters lose, change or never return from. */
export const HOSTILE: CorpusInput[] = [
  { name: "an empty text", text: "", units: [] },
  { name: "a blank text", text: " \n\t\r\n\f\u2028\u3000 ", units: [] },
  { name: "one word", text: "whale", units: ["whale"] },
  {
    name: "one sentence without a newline",
    text: "Call me what you like.",
    units: ["Call me what you like."],
  },
  {
    name: "what looks like an answer",
    text: "Answer: ID 7\n\nID 9999: the end\n\n**Answer:** ID 3\n\nIn 2024 there are no passages.",
    units: [
      "Answer: ID 7",
      "ID 9999: the end",
      "**Answer:** ID 3",
      "In 2024 there are no passages.",
    ],
  },
  {
    name: "patterns of templates and replacements",
    text: "Pay $& or $$ or $1.\n\n{x} {{y}} {text} %s \\n",
    units: ["Pay $& or $$ or $1.", "{x} {{y}} {text} %s \\n"],
  },
  {
    name: "special tokens are text",
    text: "<|endoftext|>\n\n<|im_start|>user <|fim_prefix|>",
    units: ["<|endoftext|>", "<|im_start|>user <|fim_prefix|>"],
  },
  {
    name: "the same paragraph again and again",
    text: "Again.\n\nAgain.\n\nAgain.\nAgain.",
    units: ["Again.", "Again.", "Again.\nAgain."],
  },
  {
    name: "several spaces and newlines inside and between paragraphs stay",
    text: "one  two\n   three\n\n\n\n four",
    units: ["one  two\n   three", "four"],
  },
  {
    name: "the last sentence has no full stop, the first word is short",
    text: "I go. You stay. They come and go. Nobody knows",
    chunkSize: 8,
    units: ["I go.", "You stay.", "They come and go.", "Nobody knows"],
  },
  {
    name: "a run of letters without a space is cut into equal parts",
    text: "abcdefghijklmnopqrst",
    count: "characters",
    chunkSize: 5,
    units: ["abcde", "fghij", "klmno", "pqrst"],
  },
  { name: "lone surrogates", text: "a\ud800\n\n\udc00b", units: ["a\ud800", "\udc00b"] },
  {
    name: "a surrogate pair is not cut",
    text: "🐳🐳🐳",
    count: "characters",
    chunkSize: 3,
    units: ["🐳", "🐳", "🐳"],
  },
  {
    name: "a code point longer than the budget stands alone",
    text: "a🐳b",
    count: "characters",
    chunkSize: 1,
    units: ["a", "🐳", "b"],
  },
  {
    name: "control characters are text",
    text: "one\u0000two\n\nthree\u0007\u200b",
    units: ["one\u0000two", "three\u0007\u200b"],
  },
];
