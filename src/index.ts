export type { Boundary } from "./boundaries.js";
export {
  type BoundaryChain,
  type BoundaryChainOptions,
  createBoundaryChain,
} from "./boundary/chain.js";
export type { ModelLike } from "./boundary/model.js";
export type { BoundaryAnswer, BoundaryQuestion, QuestionParagraph } from "./boundary/question.js";
export type { StructuredMethod } from "./boundary/way.js";
export { chapterParagraphs } from "./chapters.js";
export type { DecisionStore } from "./decisions.js";
export type { ChunkDocument, ChunkMetadata } from "./documents.js";
export {
  InvalidBoundaryError,
  type InvalidBoundaryReason,
  InvalidParameterError,
  NoReplyError,
} from "./errors.js";
export type { Estimate, Range } from "./estimate.js";
export type { Paragraph, ParagraphFunction, ParagraphRule, Span } from "./paragraphs.js";
export type { LumberChunkerSplitterParams } from "./params.js";
export type { Progress } from "./progress.js";
export { LumberChunkerSplitter } from "./splitter.js";
export { type TokenEncoding, tokenLength } from "./tokens.js";
export type { LengthFunction } from "./units.js";
