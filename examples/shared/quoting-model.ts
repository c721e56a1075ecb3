import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { AIMessage } from "@langchain/core/messages";
import type { ChatPromptValueInterface } from "@langchain/core/prompt_values";
import { RunnableLambda } from "@langchain/core/runnables";

/**
 * Stands where a chat model stands in a chain, and writes nothing of its own: of the passages in the
 * prompt it quotes the sentence nearest to the question. For chains that are to run without a key.
 *
 * @param embeddings say what is near.
 */
export function quotingModel(embeddings: EmbeddingsInterface) {
  return RunnableLambda.from(async (prompt: ChatPromptValueInterface) => {
    const text = prompt.toChatMessages().at(-1)?.text ?? "";
    const [passages = "", question = ""] = text.split(/\n\nQuestion: (?=[^\n]*$)/);
    const { sentences, places } = sentencesOf(passages);
    const store = await MemoryVectorStore.fromTexts(sentences, places, embeddings);
    const [nearest] = await store.similaritySearch(question, 1);
    if (nearest === undefined) return new AIMessage("The passages say nothing.");
    return new AIMessage(`"${nearest.pageContent}" [${nearest.metadata.place}]`);
  });
}

/** Sentences of passages, each passage under its place in brackets. */
function sentencesOf(passages: string) {
  const sentences: string[] = [];
  const places: { place: string }[] = [];
  let place = "";
  for (const line of passages.split("\n")) {
    const heading = /^\[(.*)\]$/.exec(line)?.[1];
    if (heading !== undefined) place = heading;
    else
      for (const { segment } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(
        line,
      )) {
        if (segment.trim().length < 20) continue;
        sentences.push(segment.trim());
        places.push({ place });
      }
  }
  return { sentences, places };
}
