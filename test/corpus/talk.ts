import type { CorpusInput } from "./input.js";

export const TALK: CorpusInput[] = [
  {
    name: "a transcript, one speaker a line",
    text: "ANNA: Shall we begin?\nBEN: Yes. The budget first.\nANNA: It is spent.\nBEN: All of it?",
    units: [
      "ANNA: Shall we begin?",
      "BEN: Yes. The budget first.",
      "ANNA: It is spent.",
      "BEN: All of it?",
    ],
  },
  {
    name: "a transcript with time stamps on lines of their own",
    text: "[00:01]\nShall we begin?\n[00:04]\nYes. The budget first.",
    units: ["[00:01]", "Shall we begin?", "[00:04]", "Yes. The budget first."],
  },
  {
    name: "subtitles in blocks",
    text: "1\n00:00:01,000 --> 00:00:03,000\nShall we begin?\n\n2\n00:00:04,000 --> 00:00:06,500\nYes. The budget first.",
    units: [
      "1\n00:00:01,000 --> 00:00:03,000\nShall we begin?",
      "2\n00:00:04,000 --> 00:00:06,500\nYes. The budget first.",
    ],
  },
  {
    name: "a transcript with rare blank lines is divided at its lines when it is too long",
    text: "ANNA: Shall we begin?\nBEN: The budget first.\nANNA: It is spent.\n\nANNA: Now the roof.\nBEN: It leaks.",
    chunkSize: 10,
    units: [
      "ANNA: Shall we begin?",
      "BEN: The budget first.",
      "ANNA: It is spent.",
      "ANNA: Now the roof.\nBEN: It leaks.",
    ],
  },
  {
    name: "a chat log",
    text: "12:01 <ann> is the build red again\r\n12:01 <ben> no\r\n12:02 <ann> ok",
    units: ["12:01 <ann> is the build red again", "12:01 <ben> no", "12:02 <ann> ok"],
  },
  {
    name: "log lines and a trace",
    text: "10:00:00 INFO start\n10:00:01 ERROR no file\n    at read (a.js:3)\n    at main (a.js:9)\n10:00:02 INFO stop",
    units: [
      "10:00:00 INFO start",
      "10:00:01 ERROR no file",
      "at read (a.js:3)",
      "at main (a.js:9)",
      "10:00:02 INFO stop",
    ],
  },
];
