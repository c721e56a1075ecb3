/**
 * The first chapters of a novel, cut by a model of OpenAI: npx tsx examples/openai.ts
 *
 * Needs OPENAI_API_KEY; OPENAI_MODEL names another model. It costs less than a cent.
 */
import { ChatOpenAI } from "@langchain/openai";
import { LumberChunkerSplitter } from "langchain-lumberchunker";
import { MobyDickLoader } from "./shared/moby-dick.js";
import { excerptOf, placeOf } from "./shared/passage.js";

if (!process.env.OPENAI_API_KEY) {
  console.log("Skipped: this example asks OpenAI, and OPENAI_API_KEY is not set.");
  process.exit(0);
}

const chapters = await new MobyDickLoader(["1", "2"]).load();

let cost = "";
const splitter = new LumberChunkerSplitter({
  model: new ChatOpenAI({ model: process.env.OPENAI_MODEL ?? "gpt-4o-mini", temperature: 0 }),
  onProgress: ({ calls, fallbacks, usage }) => {
    cost = `${calls} questions, ${usage.total_tokens} tokens used, ${fallbacks} answers not valid`;
  },
});

for (const chunk of await splitter.splitDocuments(chapters)) {
  console.log(`${placeOf(chunk)}: ${chunk.metadata.tokenCount} tokens`);
  console.log(`${excerptOf(chunk.pageContent)}\n`);
}
console.log(cost);
