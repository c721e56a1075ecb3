import { Document } from "@langchain/core/documents";
import { LumberChunkerSplitter } from "langchain-lumberchunker";
import { markdownParagraphs } from "langchain-lumberchunker/markdown";
import { LexicalCohesionChatModel } from "langchain-lumberchunker/offline";

/** What the test calls in the browser: the chunks of a text. */
async function split(text: string, chunkSize: number) {
  const splitter = new LumberChunkerSplitter({
    model: new LexicalCohesionChatModel(),
    paragraphs: markdownParagraphs,
    chunkSize,
  });
  const chunks = await splitter.splitDocuments([new Document({ pageContent: text })]);
  return chunks.map(({ pageContent, metadata }) => ({ pageContent, metadata }));
}

Object.assign(globalThis, { split });
