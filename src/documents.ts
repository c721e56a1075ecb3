import { Document } from "@langchain/core/documents";
import type { TextSplitterChunkHeaderOptions } from "@langchain/textsplitters";
import type { Boundary, Chunk } from "./boundaries.js";
import type { Units } from "./units.js";

/** What every chunk's metadata has, beside what its source document has. */
export interface ChunkMetadata {
  /** 1-based number of the first paragraph that has a part in the chunk. */
  paragraphFrom: number;
  /** 1-based number of the last paragraph that has a part in the chunk, inclusive. */
  paragraphTo: number;
  /** Where the chunk starts in the source's `pageContent`: UTF-16 offset, 0-based. */
  startIndex: number;
  /** Where it ends: UTF-16 offset, exclusive. */
  endIndex: number;
  /** 0-based number of the chunk in its source document. */
  chunkIndex: number;
  /** The chunk's tokens, by `lengthFunction`. */
  tokenCount: number;
  /** How the chunk's start was decided. */
  boundary: Boundary;
  /**
   * The path of headings at the chunk's start; where the paragraph rule knows of none, the source's
   * own `section`, or `""`.
   */
  section: string;
  /** Lines of the source, 1-based, inclusive, as LangChain counts them: by `\\n`. */
  loc: { lines: { from: number; to: number }; [key: string]: unknown };
}

/** A chunk: its text, and its metadata beside what its source had. */
export type ChunkDocument = Document<ChunkMetadata & Document["metadata"]>;

/** A text and the metadata that its chunks inherit. */
export interface Source {
  text: string;
  metadata: Record<string, unknown>;
}

/** Makes the documents of one source, chunk after chunk. */
export class ChunkWriter {
  #index = 0;
  #line = 1;
  #lineEnd: number;
  #boundary: Boundary = "start";

  constructor(
    private readonly source: Source,
    private readonly units: Units,
    private readonly header: TextSplitterChunkHeaderOptions,
  ) {
    this.#lineEnd = lineEndFrom(source.text, 0);
  }

  write({ from, to, tokens, boundary }: Chunk): ChunkDocument {
    const { text, metadata } = this.source;
    const [first, last] = this.units.ends(from, to);
    const content = text.slice(first.start, last.end);
    const {
      chunkHeader = "",
      chunkOverlapHeader = "(cont'd) ",
      appendChunkOverlapHeader,
    } = this.header;
    const overlapHeader = appendChunkOverlapHeader && this.#index > 0 ? chunkOverlapHeader : "";
    const copy = copyMetadata(metadata);
    const lines = { from: this.#lineAt(first.start), to: this.#lineAt(last.end) };
    const document = new Document({
      pageContent: chunkHeader + overlapHeader + content,
      metadata: {
        ...copy,
        paragraphFrom: first.paragraph,
        paragraphTo: last.paragraph,
        startIndex: first.start,
        endIndex: last.end,
        chunkIndex: this.#index,
        tokenCount: tokens,
        boundary: this.#boundary,
        section: first.section || (typeof copy.section === "string" ? copy.section : ""),
        loc: { ...(isObject(copy.loc) ? copy.loc : {}), lines },
      },
    });
    this.#index += 1;
    this.#boundary = boundary;
    return document;
  }

  /** The line of an offset that is not before the last one asked for. */
  #lineAt(offset: number): number {
    while (this.#lineEnd < offset) {
      this.#line += 1;
      this.#lineEnd = lineEndFrom(this.source.text, this.#lineEnd + 1);
    }
    return this.#line;
  }
}

function lineEndFrom(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? Number.POSITIVE_INFINITY : end;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A deep copy of data, so that no two chunks share an object. Functions and instances of other
 * classes can't be copied: they are kept as they are.
 */
export function copyMetadata<T>(metadata: T): T {
  const copies = new Map<unknown, unknown>();
  const pending: [object, object][] = [];
  const copyOf = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (copies.has(value)) return copies.get(value);
    const container = emptyLike(value);
    if (container === undefined) return copyOfData(value);
    copies.set(value, container);
    pending.push([value, container]);
    return container;
  };
  const copy = copyOf(metadata) as T;
  for (const [from, to] of pending) fill(from, to, copyOf); // grows: nesting may be deep
  return copy;
}

/** A container of the same kind with nothing in it; nothing for what is none. */
function emptyLike(value: object): object | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return [];
  if (prototype === Object.prototype || prototype === null) return Object.create(prototype);
  if (prototype === Map.prototype) return new Map();
  return prototype === Set.prototype ? new Set() : undefined;
}

function fill(from: object, to: object, copyOf: (value: unknown) => unknown): void {
  if (from instanceof Map && to instanceof Map)
    for (const [key, value] of from) to.set(copyOf(key), copyOf(value));
  else if (from instanceof Set && to instanceof Set)
    for (const value of from) to.add(copyOf(value));
  else
    for (const [key, value] of Object.entries(from))
      Object.defineProperty(to, key, {
        value: copyOf(value),
        configurable: true,
        enumerable: true,
        writable: true,
      });
}

function copyOfData(value: object): object {
  if (Object.getPrototypeOf(value) === Date.prototype) return new Date(Number(value));
  const isArray = ArrayBuffer.isView(value) && !(value instanceof DataView);
  // a detached array is empty, and can't be read
  return isArray && value.byteLength > 0 ? Uint8Array.prototype.slice.call(value) : value;
}
