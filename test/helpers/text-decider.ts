import { Runnable } from "@langchain/core/runnables";
import type { BoundaryAnswer, BoundaryQuestion } from "../../src/boundary/question.js";
import { hash } from "./texts.js";

/**
 * A chain that decides by the texts it is shown and nothing else, as a deterministic model would
 * that takes the IDs for names only. Every place in the window and 0 are about as likely.
 */
export class TextDecider extends Runnable<BoundaryQuestion, BoundaryAnswer> {
  lc_namespace = ["test"];
  readonly identity: string;
  calls = 0;

  /** @param before awaited before each answer. */
  constructor(
    private readonly seed = 0,
    private readonly before: (question: BoundaryQuestion) => Promise<unknown> | undefined = () =>
      undefined,
  ) {
    super();
    this.identity = `text-decider ${seed}`;
  }

  async invoke(question: BoundaryQuestion): Promise<BoundaryAnswer> {
    const { paragraphs } = question;
    this.calls += 1;
    await this.before(question);
    const shown = paragraphs.map(({ text }) => text).join("\0");
    const place = Math.floor(hash(shown, this.seed) * paragraphs.length);
    return { boundaryId: place === 0 ? 0 : (paragraphs[place]?.id ?? 0) };
  }
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
