import { InMemoryStore } from "@langchain/core/stores";
import { LumberChunkerSplitter } from "../../src/splitter.js";
import { mobyDick } from "../helpers/books.js";
import { hash } from "../helpers/texts.js";
import { TextDecider } from "../helpers/text-decider.js";
import { characters } from "./decider.js";
import { percent, type Table } from "./table.js";

type Edit = (paragraphs: readonly string[], at: number) => string[];

const INSERT: Edit = (all, at) => all.toSpliced(at, 0, `A paragraph that was not there: ${at}.`);
const DELETE: Edit = (all, at) => all.toSpliced(at, 1);
const CHANGE: Edit = (all, at) => all.with(at, `${all[at]} Or so it was said.`);

const EDITS: Record<string, Edit[]> = {
  nothing: [],
  "a paragraph inserted": [INSERT],
  "a paragraph deleted": [DELETE],
  "a paragraph changed": [CHANGE],
  "all three, far apart": [INSERT, DELETE, CHANGE],
};

const PLACES = 8;

async function split(paragraphs: readonly string[], decisionStore: InMemoryStore<Uint8Array>) {
  const boundaryChain = new TextDecider();
  let remembered = 0;
  const splitter = new LumberChunkerSplitter({
    boundaryChain,
    decisionStore,
    lengthFunction: characters,
    onProgress: (progress) => {
      remembered = progress.remembered;
    },
  });
  await splitter.splitText(paragraphs.join("\n\n"));
  return { calls: boundaryChain.calls, remembered };
}

/** What an edited text costs when the decisions of the text before are remembered. */
export async function store(): Promise<Table> {
  const book = mobyDick();
  const rows: Table["rows"] = [];
  const { calls } = await split(book, new InMemoryStore());
  for (const [name, edits] of Object.entries(EDITS)) {
    let asked = 0;
    let remembered = 0;
    for (let place = 0; place < PLACES; place++) {
      const at = Math.floor((book.length / 3) * hash(`place ${place}`));
      const third = Math.floor(book.length / 3);
      const other = edits.reduceRight((all, edit, i) => edit(all, at + i * third), book);
      const decisions = new InMemoryStore<Uint8Array>();
      await split(book, decisions);
      const again = await split(other, decisions);
      asked += again.calls;
      remembered += again.remembered;
    }
    rows.push({
      edit: name,
      "calls, mean": (asked / PLACES).toFixed(1),
      "calls for each edit": (asked / PLACES / Math.max(1, edits.length)).toFixed(1),
      "of the whole": percent(asked / PLACES / calls),
      remembered: percent(remembered / (asked + remembered)),
    });
  }
  return {
    title: "Remembered decisions",
    about: `Calls for an edited Moby Dick (${calls} calls from nothing, 8 at once) with the decisions of the book in an InMemoryStore; means over ${PLACES} places.`,
    rows,
  };
}
