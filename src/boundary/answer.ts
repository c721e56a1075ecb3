import { InvalidBoundaryError } from "../errors.js";
import type { BoundaryAnswer, BoundaryQuestion } from "./question.js";

/**
 * The ID that a chain has answered, if it is one of the candidates, or 0.
 *
 * @throws InvalidBoundaryError otherwise: no chain is trusted.
 */
export function checkedAnswer(answer: unknown, { paragraphs }: BoundaryQuestion): number {
  const id: unknown = (answer as Partial<BoundaryAnswer> | null | undefined)?.boundaryId;
  if (id === 0) return 0;
  if (paragraphs.some((paragraph, i) => i > 0 && paragraph.id === id)) return id as number;
  const candidateIds = paragraphs.slice(1).map((paragraph) => paragraph.id);
  throw new InvalidBoundaryError({
    reason: id == null ? "no-answer" : Number.isInteger(id) ? "outside-window" : "unparsable",
    reply: answer,
    candidateIds,
    attempts: 1,
  });
}
