import type { CorpusInput } from "./input.js";

export const PAGES: CorpusInput[] = [
  {
    name: "a PDF page: no blank lines, a word hyphenated at a line end, a page number",
    text: "The pump was deliv-\nered in May and\nstarted in June.\n17",
    units: ["The pump was deliv-", "ered in May and", "started in June.", "17"],
  },
  {
    name: "pages parted by form feeds, lines by newlines",
    text: "The pump was delivered\nin May.\n\fIt was started\nin June.",
    units: ["The pump was delivered", "in May.", "It was started", "in June."],
  },
  {
    name: "pages parted by form feeds, paragraphs by blank lines",
    text: "The pump was delivered\nin May.\n\nIt was started\nin\fJune, and ran well.",
    units: ["The pump was delivered\nin May.", "It was started\nin", "June, and ran well."],
  },
  {
    name: "a filing with items",
    rule: "chapters",
    text: "PART I\n\nItem 1. Business\n\nWe make pumps.\n\nItem 1A. Risk Factors\n\nPumps may fail.\n\nPART II\n\nItem 5. Market\n\nThere is one.",
    units: [
      "PART I\n\nItem 1. Business\n\nWe make pumps.",
      "Item 1A. Risk Factors\n\nPumps may fail.",
      "PART II\n\nItem 5. Market\n\nThere is one.",
    ],
    sections: [
      "PART I > Item 1. Business",
      "PART I > Item 1A. Risk Factors",
      "PART II > Item 5. Market",
    ],
  },
  {
    name: "a table of numbers set with spaces",
    text: "Sales by year:\n\n          2022    2023\nPumps       410     455\nValves      120     118\nTotal       530     573\n\nFigures in thousands.",
    units: [
      "Sales by year:",
      "2022    2023\nPumps       410     455\nValves      120     118\nTotal       530     573",
      "Figures in thousands.",
    ],
  },
  {
    name: "a table of numbers that is too long is divided at its rows",
    text: "Pumps       410     455\nValves      120     118\nPipes        90      95\nTotal       620     668",
    chunkSize: 9,
    units: [
      "Pumps       410     455",
      "Valves      120     118",
      "Pipes        90      95",
      "Total       620     668",
    ],
  },
  {
    name: "a line of many sentences",
    text: "We make pumps. We make valves. We make pipes. They are sold in many lands. Nobody else makes them.",
    chunkSize: 12,
    units: [
      "We make pumps.",
      "We make valves.",
      "We make pipes.",
      "They are sold in many lands.",
      "Nobody else makes them.",
    ],
  },
  {
    name: "a sentence longer than the budget is cut between words, into equal parts",
    text: "one two six ten one two six ten one two six",
    chunkSize: 6,
    units: ["one two six ten one", "two six ten one two six"],
  },
];
