import type { CorpusInput } from "./input.js";

export const LINE_ENDS: CorpusInput[] = [
  { name: "LF", text: "one\ntwo\n\nthree", units: ["one\ntwo", "three"] },
  { name: "CRLF", text: "one\r\ntwo\r\n\r\nthree", units: ["one\r\ntwo", "three"] },
  {
    name: "CRLF and no blank line",
    text: "one\r\ntwo\r\nthree\r\n",
    units: ["one", "two", "three"],
  },
  { name: "CR alone", text: "one\rtwo\r\rthree", units: ["one\rtwo", "three"] },
  { name: "CR alone and no blank line", text: "one\rtwo\rthree", units: ["one", "two", "three"] },
  {
    name: "mixed",
    text: "one\r\ntwo\n\nthree\r\rfour\n\r\nfive",
    units: ["one\r\ntwo", "three", "four", "five"],
  },
  {
    name: "line separators",
    text: "one\u2028two\u2028\u2028three",
    units: ["one\u2028two", "three"],
  },
  {
    name: "paragraph separators",
    text: "one\u2028two\u2029three\n\nfour",
    units: ["one\u2028two", "three", "four"],
  },
  { name: "form feeds", text: "one\ftwo\f\nthree", units: ["one", "two", "three"] },
  {
    name: "white space at both ends, and a byte order mark",
    text: "\ufeff \n\n one \n\n\n\n two \n ",
    units: ["one", "two"],
  },
];
