import { RecursiveCharacterTextSplitter, type TextSplitter } from "@langchain/textsplitters";
import MiniSearch from "minisearch";
import { LexicalCohesionChatModel } from "../../src/offline/index.js";
import { LumberChunkerSplitter } from "../../src/splitter.js";
import { emma, emmaQuestions, hasEmma } from "../helpers/books.js";
import type { Table } from "./table.js";

interface Question {
  question: string;
  mustContain: string;
}

const MOST = 20;
const tokenize = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const fold = (text: string) =>
  text.toLowerCase().replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/\s+/g, " ");

/** At which place each question finds the text that answers it, from 1; nothing past the 20th. */
function ranks(chunks: readonly string[], questions: readonly Question[]): (number | undefined)[] {
  const index = new MiniSearch({ fields: ["text"], tokenize, processTerm: (term) => term });
  index.addAll(chunks.map((text, id) => ({ id, text })));
  const folded = chunks.map(fold);
  return questions.map(({ question, mustContain }) => {
    const found = index.search(question, { bm25: { k: 1.2, b: 0.75, d: 0 } }).slice(0, MOST);
    const place = found.findIndex(({ id }) => folded[id]?.includes(fold(mustContain)));
    return place < 0 ? undefined : place + 1;
  });
}

const mean = (values: number[]) =>
  ((100 * values.reduce((sum, value) => sum + value, 0)) / values.length).toFixed(1);

/** Which chunks of Emma answer the benchmark's questions, found by BM25. */
export async function retrieval(): Promise<Table> {
  const title = "Retrieval";
  if (!hasEmma) return { title, about: "Skipped: the data of Emma is not here.", rows: [] };
  const text = emma().join("\n\n");
  const questions = emmaQuestions();
  const splitters: [string, TextSplitter][] = [
    [
      "offline model, chunkSize 550",
      new LumberChunkerSplitter({ model: new LexicalCohesionChatModel() }),
    ],
    [
      "recursive, 2,500 characters",
      new RecursiveCharacterTextSplitter({ chunkSize: 2500, chunkOverlap: 0 }),
    ],
    [
      "recursive, 2,000 characters",
      new RecursiveCharacterTextSplitter({ chunkSize: 2000, chunkOverlap: 0 }),
    ],
  ];
  const rows: Table["rows"] = [];
  for (const [name, splitter] of splitters) {
    const chunks = await splitter.splitText(text);
    const places = ranks(chunks, questions);
    const dcg = (most: number) =>
      mean(places.map((place) => (place && place <= most ? 1 / Math.log2(place + 1) : 0)));
    rows.push({
      "chunks of": name,
      number: chunks.length,
      "DCG@1": dcg(1),
      "DCG@5": dcg(5),
      "DCG@20": dcg(20),
      "Recall@20": mean(places.map((place) => (place ? 1 : 0))),
    });
  }
  return {
    title,
    about: `${questions.length} questions on Emma, BM25 over each method's chunks, in percent; one question is 3.3 points.`,
    rows,
  };
}
