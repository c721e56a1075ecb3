import type { Document } from "@langchain/core/documents";
import { InvalidParameterError } from "./errors.js";

/** @throws InvalidParameterError when texts or their metadata can't be split. */
export function checkTexts(texts: unknown, metadatas: unknown): void {
  if (!Array.isArray(texts)) throw new InvalidParameterError("texts", "an array of strings", texts);
  for (const [i, text] of texts.entries()) {
    if (typeof text === "string") continue;
    const isDocument = typeof text === "object" && text !== null && "pageContent" in text;
    const expected = isDocument ? "a string (for Documents there is splitDocuments)" : "a string";
    throw new InvalidParameterError(`texts[${i}]`, expected, text);
  }
  if (!Array.isArray(metadatas) || (metadatas.length > 0 && metadatas.length < texts.length))
    throw new InvalidParameterError(
      "metadatas",
      "an array with one object for each text",
      metadatas,
    );
  for (const [i, metadata] of metadatas.entries()) checkMetadata(metadata, `metadatas[${i}]`);
}

/** @throws InvalidParameterError when one of the documents can't be split. */
export function checkDocuments(documents: unknown): asserts documents is Document[] {
  if (!Array.isArray(documents))
    throw new InvalidParameterError("documents", "an array of Documents", documents);
  for (const [i, document] of documents.entries()) checkDocument(document, `documents[${i}]`);
}

/** @throws InvalidParameterError when a stream's source yields nothing. */
export function checkSource(documents: unknown): void {
  const isSource =
    typeof documents === "object" &&
    documents !== null &&
    (Symbol.asyncIterator in documents || Symbol.iterator in documents);
  if (!isSource)
    throw new InvalidParameterError(
      "documents",
      "an array, an Iterable or an AsyncIterable of Documents",
      documents,
    );
}

function checkDocument(document: unknown, name: string): asserts document is Document {
  if (typeof document !== "object" || document === null)
    throw new InvalidParameterError(name, "a Document", document);
  const { pageContent, metadata } = document as Partial<Document>;
  if (pageContent !== undefined && typeof pageContent !== "string")
    throw new InvalidParameterError(`${name}.pageContent`, "a string", pageContent);
  checkMetadata(metadata ?? {}, `${name}.metadata`);
}

function checkMetadata(metadata: unknown, name: string): void {
  if (typeof metadata !== "object" || metadata === null)
    throw new InvalidParameterError(name, "an object", metadata);
}

const HEADER_OPTIONS = ["chunkHeader", "chunkOverlapHeader", "appendChunkOverlapHeader"];

/** @throws InvalidParameterError when the header options are none: a config, say, that goes last. */
export function checkHeader(header: unknown): void {
  if (!isRecord(header))
    throw new InvalidParameterError(
      "chunkHeaderOptions",
      `an object of ${HEADER_OPTIONS.join(", ")} (a config is the argument after it)`,
      header,
    );
  const other = Object.keys(header).find((key) => !HEADER_OPTIONS.includes(key));
  if (other !== undefined)
    throw new InvalidParameterError(
      "chunkHeaderOptions",
      `an object of ${HEADER_OPTIONS.join(", ")}, without ${other}: ` +
        "a config is the argument after it",
      header,
    );
}

/** @throws InvalidParameterError when a config is none: header options, say, that go before it. */
export function checkConfig(config: unknown): void {
  if (config === undefined || config === null) return;
  if (!isRecord(config))
    throw new InvalidParameterError("config", "a RunnableConfig, such as { signal }", config);
  const header = HEADER_OPTIONS.find((key) => key in config);
  if (header !== undefined)
    throw new InvalidParameterError(
      "config",
      `a RunnableConfig, without ${header}: header options are the argument before it, ` +
        "of createDocuments, splitDocuments and transformDocuments",
      config,
    );
}

/** Whether a value can be a set of options. A signal, or a list of callbacks, is not. */
function isRecord(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return !Array.isArray(value) && !(value instanceof AbortSignal);
}
