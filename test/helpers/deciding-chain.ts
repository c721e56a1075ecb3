import { Runnable, type RunnableConfig } from "@langchain/core/runnables";
import type { BoundaryAnswer, BoundaryQuestion } from "../../src/boundary/question.js";
import { InvalidBoundaryError } from "../../src/errors.js";
import { hash } from "./texts.js";

type Decide = (question: BoundaryQuestion) => unknown;

/** A boundary chain whose answers a function decides; it may answer anything. */
export class DecidingChain extends Runnable<BoundaryQuestion, BoundaryAnswer> {
  lc_namespace = ["test"];
  readonly questions: BoundaryQuestion[] = [];
  /** By the ID of the question's first paragraph; nothing where there was an error. */
  readonly answers = new Map<number, unknown>();
  readonly configs: Partial<RunnableConfig>[] = [];
  inFlight = 0;
  mostInFlight = 0;

  constructor(
    private readonly decide: Decide,
    private readonly latency: (question: BoundaryQuestion) => number = () => 0,
  ) {
    super();
  }

  async invoke(
    question: BoundaryQuestion,
    config?: Partial<RunnableConfig>,
  ): Promise<BoundaryAnswer> {
    this.questions.push(question);
    this.configs.push(config ?? {});
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
    try {
      for (let i = this.latency(question); i > 0; i--) await Promise.resolve();
      const answer = await this.decide(question);
      this.answers.set(question.paragraphs[0]?.id ?? 0, answer);
      return answer as BoundaryAnswer;
    } finally {
      this.inFlight -= 1;
    }
  }
}

/** The kinds of answer, right and wrong ones. */
export const ANSWERS: Record<string, (question: BoundaryQuestion, draw: number) => unknown> = {
  candidate: ({ paragraphs }, draw) => ({
    boundaryId: paragraphs[1 + Math.floor(draw * (paragraphs.length - 1))]?.id,
  }),
  nothing: () => ({ boundaryId: 0 }),
  first: ({ paragraphs }) => ({ boundaryId: paragraphs[0]?.id }),
  behind: ({ paragraphs }) => ({ boundaryId: (paragraphs.at(-1)?.id ?? 0) + 1 }),
  negative: () => ({ boundaryId: -3 }),
  fraction: ({ paragraphs }) => ({ boundaryId: (paragraphs[0]?.id ?? 0) + 0.5 }),
  huge: () => ({ boundaryId: 1e21 }),
  "not a number": () => ({ boundaryId: Number.NaN }),
  string: ({ paragraphs }) => ({ boundaryId: String(paragraphs[1]?.id) }),
  "null ID": () => ({ boundaryId: null }),
  empty: () => ({}),
  undefined: () => undefined,
  null: () => null,
  text: () => "ID 2",
  refusal: ({ paragraphs }) => {
    throw new InvalidBoundaryError({
      reason: "refused",
      reply: "I can't help with that.",
      candidateIds: paragraphs.slice(1).map(({ id }) => id),
      attempts: 1,
    });
  },
};

/** A chain that answers each question in a way that the question and the seed alone decide. */
export function seededChain(seed: number, kinds: readonly string[]): DecidingChain {
  const draw = (question: BoundaryQuestion, salt: number) =>
    hash(JSON.stringify(question), seed + salt);
  return new DecidingChain(
    (question) => {
      const kind = kinds[Math.floor(draw(question, 1) * kinds.length)] ?? "candidate";
      return ANSWERS[kind]?.(question, draw(question, 2));
    },
    (question) => Math.floor(draw(question, 3) * 12),
  );
}
