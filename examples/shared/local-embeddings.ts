import { once } from "node:events";
import { MessageChannel, Worker } from "node:worker_threads";
import { Embeddings, type EmbeddingsParams } from "@langchain/core/embeddings";

/** The model reads 128 tokens of a text and leaves the rest. In English they end before this. */
const READ_CHARACTERS = 800;

/**
 * Sentence embeddings (Universal Sentence Encoder Lite) from the weights in a package: real vectors,
 * without a key or a network. A small model, which reads the first 128 tokens of a text: of a chunk
 * of 300, less than half. Good chunks may be missed that a larger one finds.
 *
 * The model uses one core; two workers use two.
 */
export class LocalEmbeddings extends Embeddings {
  readonly #workers = [startWorker(), startWorker()];

  constructor(params: EmbeddingsParams = {}) {
    super(params);
  }

  async embedQuery(text: string): Promise<number[]> {
    const [vector = []] = await this.embedDocuments([text]);
    return vector;
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    const read = texts.map(beginningOf);
    const share = Math.ceil(read.length / this.#workers.length);
    const vectors = this.#workers.map((worker, i) =>
      embedIn(worker, read.slice(i * share, (i + 1) * share)),
    );
    return (await Promise.all(vectors)).flat();
  }
}

/** What the model reads of a text. It throws on an empty one, so a blank text is a full stop. */
function beginningOf(text: string): string {
  return text.trim().slice(0, READ_CHARACTERS) || ".";
}

function startWorker(): Worker {
  const worker = new Worker(new URL("./embedding-worker.js", import.meta.url));
  worker.unref();
  return worker;
}

async function embedIn(worker: Worker, texts: string[]): Promise<number[][]> {
  if (texts.length === 0) return [];
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ texts, replyTo: port2 }, [port2]);
  const [vectors] = await once(port1, "message");
  port1.close();
  return vectors;
}
