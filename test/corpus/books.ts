import type { CorpusInput } from "./input.js";

const rain = `The rain had come down all night,
and in the morning the river stood
at the garden wall.`;
const miller = `“We must go,” said the miller, and
took down his coat.`;
const boat = `They found the boat where they had
left it. Nobody spoke.`;

export const BOOKS: CorpusInput[] = [
  {
    name: "hard-wrapped lines between blank lines",
    text: `${rain}\n\n${miller}\n\n${boat}\n`,
    units: [rain, miller, boat],
  },
  {
    name: "a hard-wrapped paragraph that is too long",
    text: `${rain}\n${boat}`,
    chunkSize: 12,
    units: [
      "The rain had come down all night,",
      "and in the morning the river stood",
      "at the garden wall.",
      "They found the boat where they had",
      "left it. Nobody spoke.",
    ],
  },
  {
    name: "chapters, by blank lines alone",
    text: `CHAPTER I.\n\n${rain}\n\nCHAPTER II.\n\n${miller}`,
    units: ["CHAPTER I.", rain, "CHAPTER II.", miller],
  },
  {
    name: "chapters, with their headings",
    rule: "chapters",
    text: `CHAPTER I.\n\n${rain}\n\n${boat}\n\nCHAPTER II.\n\n${miller}`,
    units: [`CHAPTER I.\n\n${rain}`, boat, `CHAPTER II.\n\n${miller}`],
    sections: ["CHAPTER I.", "CHAPTER I.", "CHAPTER II."],
  },
  {
    name: "parts and chapters with titles, one paragraph a line",
    rule: "chapters",
    text: [
      "PART ONE",
      "Chapter 1. The Flood",
      "The rain had come down all night.",
      "Nobody slept.",
      "Chapter 2",
      "The Boat",
      "They found the boat where they had left it.",
    ].join("\n"),
    units: [
      "PART ONE\nChapter 1. The Flood\nThe rain had come down all night.",
      "Nobody slept.",
      "Chapter 2\nThe Boat\nThey found the boat where they had left it.",
    ],
    sections: [
      "PART ONE > Chapter 1. The Flood",
      "PART ONE > Chapter 1. The Flood",
      "PART ONE > Chapter 2 The Boat",
    ],
  },
  {
    name: "a table of contents before the chapters",
    rule: "chapters",
    text: `THE FLOOD\n\nCHAPTER I\n\nCHAPTER II\n\nCHAPTER I\n\n${rain}\n\nCHAPTER II\n\n${boat}`,
    units: [
      "THE FLOOD",
      "CHAPTER I\n\nCHAPTER II",
      `CHAPTER I\n\n${rain}`,
      `CHAPTER II\n\n${boat}`,
    ],
    sections: ["", "", "CHAPTER I", "CHAPTER II"],
  },
  {
    name: "a play",
    rule: "chapters",
    text: "ACT I\n\nScene 1. A garden.\n\nANNA. Who is there?\n\nBEN. Only the wind.\n\nScene 2\n\nANNA. Again!",
    units: [
      "ACT I\n\nScene 1. A garden.\n\nANNA. Who is there?",
      "BEN. Only the wind.",
      "Scene 2\n\nANNA. Again!",
    ],
    sections: ["ACT I > Scene 1. A garden.", "ACT I > Scene 1. A garden.", "ACT I > Scene 2"],
  },
  {
    name: "a break of asterisks",
    text: `${rain}\n\n* * *\n\n${boat}`,
    units: [rain, "* * *", boat],
  },
  {
    name: "footnotes",
    text: `The miller[1] was seldom wrong.[2]\n\n[1] Of the upper mill.\n\n[2] But see the letters.`,
    units: [
      "The miller[1] was seldom wrong.[2]",
      "[1] Of the upper mill.",
      "[2] But see the letters.",
    ],
  },
  {
    name: "a licence at both ends",
    text: `This book is free to all.\nCopy it as you like.\n\n*** START OF THE BOOK ***\n\n${rain}\n\n*** END OF THE BOOK ***\n\nNo warranty is given.`,
    units: [
      "This book is free to all.\nCopy it as you like.",
      "*** START OF THE BOOK ***",
      rain,
      "*** END OF THE BOOK ***",
      "No warranty is given.",
    ],
  },
  {
    name: "verse that fits is whole, a stanza a paragraph",
    text: "The river rose,\n  the mill wheel stood,\nand no one knows\n  who saved the wood.\n\nThe river fell.",
    units: [
      "The river rose,\n  the mill wheel stood,\nand no one knows\n  who saved the wood.",
      "The river fell.",
    ],
  },
  {
    name: "verse that is too long is divided at its lines",
    text: "The river rose,\n  the mill wheel stood,\nand no one knows\n  who saved the wood.",
    chunkSize: 14,
    units: ["The river rose,", "the mill wheel stood,", "and no one knows", "who saved the wood."],
  },
  {
    name: "dialogue in short paragraphs",
    text: "“Are you there?”\n\n“Yes.”\n\n“And the boat?”\n\nShe laughed.",
    units: ["“Are you there?”", "“Yes.”", "“And the boat?”", "She laughed."],
  },
  {
    name: "first lines are indented, no line is blank",
    text: "    The rain had come down all night.\n    Nobody slept.\n\tIn the morning the river stood high.",
    units: [
      "The rain had come down all night.",
      "Nobody slept.",
      "In the morning the river stood high.",
    ],
  },
  {
    name: "lines that hold white space only are blank",
    text: "The rain came down.\n \t \nThe river rose.\n\u00a0\u3000\nNobody slept.",
    units: ["The rain came down.", "The river rose.", "Nobody slept."],
  },
];
