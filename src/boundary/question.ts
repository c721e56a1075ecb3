import type { UsageMetadata } from "@langchain/core/messages";

/** A paragraph as the model sees it: `id` is 1-based and unique in the document. */
export interface QuestionParagraph {
  id: number;
  text: string;
}

/** What is asked: at which paragraph of this window, its first excepted, does the content shift? */
export interface BoundaryQuestion {
  /** The window's paragraphs, in order, their IDs ascending. Every one but the first is a candidate. */
  paragraphs: QuestionParagraph[];
}

/** What a boundary chain answers. */
export interface BoundaryAnswer {
  /** The ID of a candidate, or 0 when nothing in the window shifts. */
  boundaryId: number;
  /** Tokens used for this answer, over all attempts. */
  usage?: UsageMetadata;
}
