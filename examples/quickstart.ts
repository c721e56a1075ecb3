/**
 * From a novel to answers, without a key or a network: npm run quickstart
 *
 * Moby Dick is cut into chunks, the chunks are embedded, and three questions find theirs.
 */
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import { LumberChunkerSplitter } from "langchain-lumberchunker";
import { LexicalCohesionChatModel } from "langchain-lumberchunker/offline";
import { LocalEmbeddings } from "./shared/local-embeddings.js";
import { MobyDickLoader } from "./shared/moby-dick.js";
import { excerptOf, placeOf } from "./shared/passage.js";
import { ProgressBar } from "./shared/progress-bar.js";

const QUESTIONS = [
  "What does the preacher say about Jonah?",
  "What is there to eat at the Try Pots?",
  "What is Queequeg's religion?",
];
/** Seconds after the start at which the embedding ends, wherever it has come to. */
const EMBEDDING_END = 45;
const BATCH = 16;

const seconds = () => performance.now() / 1000;

const chapters = await new MobyDickLoader().load();

const splitting = new ProgressBar("Splitting");
const splitter = new LumberChunkerSplitter({
  model: new LexicalCohesionChatModel(),
  // model: new ChatOpenAI({ model: "gpt-4o-mini", temperature: 0 }), // from "@langchain/openai"
  onProgress: ({ documents, documentsDone, chunks }) =>
    splitting.show(documentsDone / documents, `${chunks} chunks`),
});
const chunks = await splitter.splitDocuments(chapters);

// The embedding model takes longer than the splitting: as much of the book as fits into the time.
const embedding = new ProgressBar("Embedding");
const store = new MemoryVectorStore(new LocalEmbeddings());
let embedded = 0;
let share = 0;
while (share < 1) {
  const batch = chunks.slice(embedded, embedded + BATCH);
  await store.addDocuments(batch);
  embedded += batch.length;
  share = Math.max(embedded / chunks.length, seconds() / EMBEDDING_END);
  embedding.show(share, `${embedded} of ${chunks.length} chunks`);
}
const lastChapter = chunks[embedded - 1]?.metadata.chapter;
console.log(`Embedded ${embedded} of ${chunks.length} chunks, up to chapter ${lastChapter}.`);

for (const question of QUESTIONS) {
  console.log(`\n${question}`);
  for (const [chunk, similarity] of await store.similaritySearchWithScore(question, 2)) {
    console.log(`  ${similarity.toFixed(2)}  ${placeOf(chunk)}`);
    console.log(excerptOf(chunk.pageContent));
  }
}

const lastParagraphs = new Map(chunks.map(({ metadata: m }) => [m.chapter, m.paragraphTo]));
const paragraphs = [...lastParagraphs.values()].reduce((sum, last) => sum + last, 0);
const tokens = chunks.reduce((sum, { metadata }) => sum + metadata.tokenCount, 0);
console.log(
  `\n${paragraphs} paragraphs, ${chunks.length} chunks, ` +
    `${Math.round(tokens / chunks.length)} tokens a chunk, ${Math.round(seconds())} s`,
);
