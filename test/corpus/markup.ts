import type { CorpusInput } from "./input.js";

const fence = "```sh\nnpm ci\n\n# not a heading\nnpm test\n```";
const table = "| part | price |\n| --- | ---: |\n| pump | 410 |\n| valve | 120 |\n| pipe | 90 |";

export const MARKUP: CorpusInput[] = [
  {
    name: "Markdown: headings go with what follows",
    rule: "markdown",
    text: "# Pumps\n\nWe make pumps.\n\nThey run.\n\n## Small ones\n\nFor gardens.\n\nValves\n======\nWe make these too.",
    units: [
      "# Pumps\n\nWe make pumps.",
      "They run.",
      "## Small ones\n\nFor gardens.",
      "Valves\n======\nWe make these too.",
    ],
    sections: ["Pumps", "Pumps", "Pumps > Small ones", "Valves"],
  },
  {
    name: "Markdown: a code fence with blank lines is whole",
    rule: "markdown",
    text: `Run this:\n\n${fence}\n\nThat is all.`,
    units: ["Run this:", fence, "That is all."],
  },
  {
    name: "the same by blank lines",
    text: `Run this:\n\n${fence}\n\nThat is all.`,
    units: ["Run this:", "```sh\nnpm ci", "# not a heading\nnpm test\n```", "That is all."],
  },
  {
    name: "Markdown: a fence that is too long is divided at its lines",
    rule: "markdown",
    text: "```py\ndef run(pump):\n    pump.start()\n\n    return pump\n```",
    chunkSize: 5,
    units: ["```py", "def run(pump):", "    pump.start()", "    return pump", "```"],
  },
  {
    name: "Markdown: a table is whole",
    rule: "markdown",
    text: `Prices:\n\n${table}\n\nWithout tax.`,
    units: ["Prices:", table, "Without tax."],
  },
  {
    name: "Markdown: a table that is too long is divided at its rows, the head with the first",
    rule: "markdown",
    text: table,
    chunkSize: 20,
    units: ["| part | price |\n| --- | ---: |\n| pump | 410 |", "| valve | 120 |", "| pipe | 90 |"],
  },
  {
    name: "Markdown: a list is whole, loose or not",
    rule: "markdown",
    text: "Needed:\n\n- a pump\n\n- two valves\n  - one of brass\n\n- a pipe\n\nNo more.",
    units: ["Needed:", "- a pump\n\n- two valves\n  - one of brass\n\n- a pipe", "No more."],
  },
  {
    name: "Markdown: a list that is too long is divided at its items",
    rule: "markdown",
    text: "1. Open the valve.\n2. Start the pump:\n   - slowly,\n   - and watch.\n3. Close it.",
    chunkSize: 14,
    units: [
      "1. Open the valve.",
      "2. Start the pump:\n   - slowly,\n   - and watch.",
      "3. Close it.",
    ],
  },
  {
    name: "Markdown: front matter, a quote, HTML and a rule",
    rule: "markdown",
    text: "---\ntitle: Pumps\n\ndraft: true\n---\n> Old pumps\n>\n> run best.\n\n<details>\nMore.\n</details>\n\n***\nEnd.",
    units: [
      "---\ntitle: Pumps\n\ndraft: true\n---",
      "> Old pumps\n>\n> run best.",
      "<details>\nMore.\n</details>",
      "***",
      "End.",
    ],
  },
  {
    name: "HTML turned to text: headings in capitals, bullets, indented lines",
    text: "PUMPS\n\n  * small pumps\n  * large pumps\n\n    For gardens.\n\n\n\nVALVES",
    units: ["PUMPS", "* small pumps\n  * large pumps", "For gardens.", "VALVES"],
  },
  {
    name: "a table with tabs",
    text: "part\tprice\npump\t410\nvalve\t120",
    units: ["part\tprice", "pump\t410", "valve\t120"],
  },
  {
    name: "rows of comma-separated values that are too long together stay whole each",
    text: "Rows:\n\npump,red,410 euros each\nvalve,blue,120 euros each\npipe,grey,90 euros each",
    chunkSize: 8,
    units: [
      "Rows:",
      "pump,red,410 euros each",
      "valve,blue,120 euros each",
      "pipe,grey,90 euros each",
    ],
  },
  {
    name: "Markdown: a heading stays with the beginning of a long paragraph",
    rule: "markdown",
    text: "## Pumps\n\nWe make small pumps. We make large pumps. We sell them all.",
    chunkSize: 8,
    units: ["## Pumps\n\nWe make small pumps.", "We make large pumps.", "We sell them all."],
    sections: ["Pumps", "Pumps", "Pumps"],
  },
  {
    name: "Markdown: a sentence is cut where it and its heading are too long together",
    rule: "markdown",
    text: "## Pumps\n\nWe make small pumps. We make large pumps.",
    chunkSize: 5,
    units: ["## Pumps\n\nWe make", "small pumps.", "We make large pumps."],
    sections: ["Pumps", "Pumps", "Pumps"],
  },
];
