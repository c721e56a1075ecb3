/**
 * Other ways to decide where to cut: npx tsx examples/custom-boundary-chain.ts
 *
 * First a rule written by hand, then a model on this machine with another one to fall back on.
 */
import { RunnableLambda } from "@langchain/core/runnables";
import { ChatOllama } from "@langchain/ollama";
import {
  type BoundaryAnswer,
  type BoundaryQuestion,
  createBoundaryChain,
  LumberChunkerSplitter,
} from "langchain-lumberchunker";
import { LexicalCohesionChatModel } from "langchain-lumberchunker/offline";
import { MobyDickLoader } from "./shared/moby-dick.js";
import { excerptOf, placeOf } from "./shared/passage.js";

const chapters = await new MobyDickLoader(["4", "10"]).load();

/** Cuts where a paragraph begins with words that change the scene; 0 says that none does. */
const NEW_SCENE =
  /^"?(at (last|length)|next (day|morning)|meanwhile|after|upon|returning|soon|now)\b/i;

const sceneRule = RunnableLambda.from(({ paragraphs }: BoundaryQuestion): BoundaryAnswer => {
  const [, ...candidates] = paragraphs;
  const shift = candidates.find(({ text }) => NEW_SCENE.test(text));
  return { boundaryId: shift?.id ?? 0 };
});

console.log("Cut by a rule:");
await show(new LumberChunkerSplitter({ boundaryChain: sceneRule }));

let fallbacks = 0;
const local = createBoundaryChain(new ChatOllama({ model: "llama3.2", maxRetries: 0 }));
const offline = createBoundaryChain(new LexicalCohesionChatModel()).withListeners({
  onEnd: () => {
    fallbacks += 1;
  },
});

console.log("\nCut by Ollama, or where it does not answer by the offline model:");
await show(new LumberChunkerSplitter({ boundaryChain: local.withFallbacks([offline]) }));
console.log(`\nThe offline model answered ${fallbacks} times.`);

async function show(splitter: LumberChunkerSplitter): Promise<void> {
  for (const chunk of await splitter.splitDocuments(chapters)) {
    const { tokenCount, boundary } = chunk.metadata;
    console.log(`  ${placeOf(chunk)}: ${tokenCount} tokens, ${boundary}`);
    console.log(excerptOf(chunk.pageContent, 1));
  }
}
