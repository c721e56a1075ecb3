/**
 * The splitter as a link of LangChain's chains: npx tsx examples/lcel.ts
 *
 * One chain goes from a loader to a store, another from a question to an answer. No key is needed:
 * instead of a chat model that writes the answer, the sentence nearest to the question is quoted.
 */
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import type { Document } from "@langchain/core/documents";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnablePassthrough, RunnableSequence } from "@langchain/core/runnables";
import { LumberChunkerSplitter } from "langchain-lumberchunker";
import { LexicalCohesionChatModel } from "langchain-lumberchunker/offline";
import { LocalEmbeddings } from "./shared/local-embeddings.js";
import { MobyDickLoader } from "./shared/moby-dick.js";
import { placeOf } from "./shared/passage.js";
import { quotingModel } from "./shared/quoting-model.js";

const embeddings = new LocalEmbeddings();

const ingest = RunnableSequence.from([
  (chapters: string[]) => new MobyDickLoader(chapters).load(),
  new LumberChunkerSplitter({ model: new LexicalCohesionChatModel() }),
  (chunks: Document[]) => MemoryVectorStore.fromDocuments(chunks, embeddings),
]);
const store = await ingest.invoke(["12", "13", "14", "15", "16"]);
const retriever = store.asRetriever(3);

const prompt = ChatPromptTemplate.fromMessages([
  ["system", "Answer from the passages alone, and say where the answer stands."],
  ["human", "{passages}\n\nQuestion: {question}"],
]);

const answer = RunnableSequence.from([
  { passages: retriever.pipe(formatPassages), question: new RunnablePassthrough() },
  prompt,
  quotingModel(embeddings), // or any chat model
  new StringOutputParser(),
]);

for (const question of [
  "Where was Queequeg born?",
  "What is there for supper at the Try Pots?",
  "Who owns the ship?",
]) {
  console.log(`${question}\n  ${await answer.invoke(question)}\n`);
}

function formatPassages(chunks: Document[]): string {
  return chunks.map((chunk) => `[${placeOf(chunk)}]\n${chunk.pageContent}`).join("\n\n");
}
