import { RunnableLambda } from "@langchain/core/runnables";
import type { BoundaryAnswer, BoundaryQuestion } from "../../src/boundary/question.js";
import type { LengthFunction } from "../../src/units.js";
import { hash } from "../helpers/texts.js";

/** Where a window is cut: the place of one of its paragraphs, 0 for nowhere. */
export type Choose = (question: BoundaryQuestion) => number;

/** Every candidate is equally likely, by a hash of the window's first ID. */
export const byHash =
  (seed = 0): Choose =>
  ({ paragraphs }) =>
    1 + Math.floor(hash(String(paragraphs[0]?.id), seed) * (paragraphs.length - 1));

/** Those that step in time: walks begun beside each other hardly ever meet where all is equal. */
export const STEADY: Record<string, Choose> = {
  "0": () => 0,
  last: ({ paragraphs }) => paragraphs.length - 1,
  second: ({ paragraphs }) => Math.min(2, paragraphs.length - 1),
  middle: ({ paragraphs }) => Math.floor(paragraphs.length / 2),
};

/** Four characters a token: what it takes to count is next to nothing. */
export const characters: LengthFunction = (text) => Math.ceil(text.length / 4);

export interface Decider {
  chain: RunnableLambda<BoundaryQuestion, BoundaryAnswer>;
  calls: number;
  /** Milliseconds that all answers took together. */
  waited: number;
}

/** A boundary chain that answers by `choose`, after `latency` if there is one. */
export function decider(choose: Choose, latency?: () => Promise<unknown>): Decider {
  const counts = { calls: 0, waited: 0 };
  const chain = RunnableLambda.from<BoundaryQuestion, BoundaryAnswer>(async (question) => {
    counts.calls += 1;
    const begun = performance.now();
    if (latency !== undefined) await latency();
    counts.waited += performance.now() - begun;
    return { boundaryId: question.paragraphs[choose(question)]?.id ?? 0 };
  });
  chain.name = "decider";
  return Object.assign(counts, { chain });
}

const LATENCY = 40;
const SPREAD = 1 / 2;

/** 40 ms ± 50 %, all times from 20 to 60 ms equally likely. */
export function aboutFortyMilliseconds(): Promise<void> {
  const time = LATENCY * (1 + SPREAD * (2 * Math.random() - 1));
  return new Promise((resolve) => setTimeout(resolve, time));
}

/** A few turns of the event loop: the answers come in an order of their own. */
export async function fewTurns(): Promise<void> {
  for (let turns = Math.floor(8 * Math.random()); turns >= 0; turns--)
    await new Promise((resolve) => setImmediate(resolve));
}
