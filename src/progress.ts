import type { UsageMetadata } from "@langchain/core/messages";

/** How far a run has come, and what it has cost so far. */
export interface Progress {
  /** Documents that have come: all of them, where they were passed as an array. */
  documents: number;
  documentsDone: number;
  /** Units (paragraphs, and parts of long ones) found so far in the documents that were begun. */
  units: number;
  /** Units that have been walked over, in any place of any document. */
  unitsDone: number;
  /** Chunks that are final. */
  chunks: number;
  /** Questions asked. */
  calls: number;
  /** Questions not asked, because the decision store had the answer. */
  remembered: number;
  /** Boundaries that fell back to the last candidate. */
  fallbacks: number;
  /** Tokens that the model has used, over all attempts, failed ones too. */
  usage: UsageMetadata;
}

/** The name of the custom event that carries a `Progress`. */
export const PROGRESS_EVENT = "lumberchunker_progress";
