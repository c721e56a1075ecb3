import type { Document } from "@langchain/core/documents";
import type { Source } from "./documents.js";
import { checkDocuments, checkSource } from "./inputs.js";

/** A generator that is left at once: by itself it would first wait for what it was asked for. */
export function leavable<T>(
  generator: AsyncGenerator<T>,
  left: AbortController,
): AsyncGenerator<T> {
  const leave = generator.return.bind(generator);
  return Object.assign(generator, {
    return(value: unknown) {
      left.abort();
      return leave(value);
    },
  });
}

/** The base class leaves a source open when it stops for a signal. */
export function close(source: AsyncGenerator): void {
  // what the source throws now comes after the error that the caller gets
  source.return(undefined).catch(() => undefined);
}

export async function* piecesOf(
  documents: Iterable<Document> | AsyncIterable<Document>,
): AsyncGenerator<Document[]> {
  checkSource(documents);
  if (Array.isArray(documents)) yield documents;
  else for await (const document of documents) yield [document];
}

/** Documents without a text are passed over, as by every LangChain splitter. */
export async function* sourcesOf(
  pieces: Iterable<Document[]> | AsyncIterable<Document[]>,
): AsyncGenerator<Source[]> {
  for await (const documents of pieces) {
    checkDocuments(documents);
    yield documents
      .filter(({ pageContent }) => pageContent !== undefined)
      .map(({ pageContent: text, metadata }) => ({ text, metadata: metadata ?? {} }));
  }
}
