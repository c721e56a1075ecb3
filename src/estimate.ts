import type { Runnable } from "@langchain/core/runnables";
import { BoundaryChain } from "./boundary/chain.js";
import type { BoundaryAnswer, BoundaryQuestion } from "./boundary/question.js";
import type { TextDecisions } from "./decisions.js";
import type { Units } from "./units.js";
import { type Window, type WindowOptions, windowAt } from "./window.js";

/** The least, the most, and what is to be expected. */
export interface Range {
  min: number;
  expected: number;
  max: number;
}

/** What a run will cost. */
export interface Estimate {
  paragraphs: number;
  /** Tokens of all units, by `lengthFunction`. */
  tokens: number;
  /**
   * Questions. `expected` is for chunks of about 0.6 `chunkSize`, as the paper's are (334 tokens of
   * 550); `min` and `max` hold whatever is answered, one question at a time or many that join.
   * Questions asked again after an invalid answer are not counted.
   */
  calls: Range;
  /** Tokens of all prompts, by `lengthFunction`, the instructions included. */
  inputTokens: Range;
}

/** What a prompt has beside its paragraphs, in tokens. */
export interface PromptTokens {
  instructions: number;
  /** For each paragraph: its ID and the gap behind it. */
  paragraph: number;
}

/** What a chain's prompts have beside their paragraphs; nothing can be told of a foreign chain. */
export async function promptTokensOf(
  chain: Runnable<BoundaryQuestion, BoundaryAnswer>,
  count: (text: string) => Promise<number>,
): Promise<PromptTokens> {
  const ours = boundaryChainIn(chain);
  if (ours === undefined) return { instructions: 0, paragraph: 0 };
  const one = await count(await ours.promptText({ paragraphs: [{ id: 1234, text: "a" }] }));
  const paragraphs = [1234, 1235].map((id) => ({ id, text: "a" }));
  const two = await count(await ours.promptText({ paragraphs }));
  const paragraph = Math.max(0, two - one - (await count("a")));
  return { instructions: Math.max(0, one - two + one), paragraph };
}

/** The chain of ours that is asked first, within fallbacks, retries and bindings. */
function boundaryChainIn(chain: unknown): BoundaryChain | undefined {
  if (chain instanceof BoundaryChain || typeof chain !== "object" || chain === null)
    return chain instanceof BoundaryChain ? chain : undefined;
  if ("runnable" in chain) return boundaryChainIn(chain.runnable);
  return "bound" in chain ? boundaryChainIn(chain.bound) : undefined;
}

/** A share of the questions that walks at many places may ask in vain, as `path.ts` has it. */
const WASTE = 1 / 4;

/** The cost of one text, when one question is asked at a time. */
export async function estimateText(
  units: Units,
  options: WindowOptions,
  prompt: PromptTokens,
  decisions?: TextDecisions,
): Promise<Estimate> {
  const choices: Choice[] = [];
  for (let start = 0; (await units.at(start)) !== undefined; start++) {
    const window = await windowAt(units, start, options);
    const place = await decisions?.recall(window);
    choices.push({
      nexts: place === undefined ? answersOf(window) : [nextOf(window, place)],
      tokens: await promptTokens(units, window, prompt),
    });
  }
  const last = units.list.at(-1);
  return {
    paragraphs: last?.paragraph ?? 0,
    tokens: units.list.reduce((sum, unit) => sum + unit.tokens, 0),
    calls: rangeOf(choices, () => 1),
    inputTokens: rangeOf(choices, ({ tokens }) => tokens),
  };
}

/** The sum of estimates; with many places at once, some questions more are to be expected. */
export function sumEstimates(estimates: Estimate[], maxConcurrency: number): Estimate {
  const sum: Estimate = {
    paragraphs: 0,
    tokens: 0,
    calls: { min: 0, expected: 0, max: 0 },
    inputTokens: { min: 0, expected: 0, max: 0 },
  };
  for (const { paragraphs, tokens, calls, inputTokens } of estimates) {
    sum.paragraphs += paragraphs;
    sum.tokens += tokens;
    for (const key of ["min", "expected", "max"] as const) {
      sum.calls[key] += calls[key];
      sum.inputTokens[key] += inputTokens[key];
    }
  }
  return maxConcurrency > 1 ? withWaste(sum, maxConcurrency) : sum;
}

function withWaste(sum: Estimate, maxConcurrency: number): Estimate {
  const { calls, inputTokens } = sum;
  const each = calls.max > 0 ? inputTokens.max / calls.max : 0;
  const most = Math.min(calls.max * WASTE + maxConcurrency, calls.max);
  const some = Math.min(maxConcurrency - 1, calls.expected * WASTE);
  return {
    ...sum,
    calls: { min: calls.min, expected: calls.expected + some, max: Math.ceil(calls.max + most) },
    inputTokens: {
      min: inputTokens.min,
      expected: inputTokens.expected + some * each,
      max: Math.ceil(inputTokens.max + most * each),
    },
  };
}

/** What can follow a start, and what it takes to ask. One way on is no question. */
interface Choice {
  nexts: readonly number[];
  tokens: number;
}

function answersOf({ end, closed, first, last }: Window): number[] {
  const nexts = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  return closed ? [...nexts, end] : nexts;
}

function nextOf({ start, end, closed, last }: Window, place: number): number {
  if (place > 0) return start + place;
  return closed ? end : last;
}

async function promptTokens(
  units: Units,
  { start, end, closed, first, last }: Window,
  prompt: PromptTokens,
): Promise<number> {
  let tokens = prompt.instructions + (last - first + 2) * prompt.paragraph;
  tokens += units.tokens(start, first);
  for (let unit = first; unit < last; unit++) tokens += units.tokens(unit, unit + 1);
  return tokens + (closed ? units.tokens(last, end) : await units.beginningTokens(last));
}

/**
 * How likely each of several answers is taken to be: more so by the root of its place, which gives
 * chunks of 0.6 of a window.
 */
function sharesOf(answers: number): number[] {
  const weights = Array.from({ length: answers }, (_, i) => Math.sqrt(i + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The range of what all questions on the way through a text cost. */
function rangeOf(choices: readonly Choice[], costOf: (choice: Choice) => number): Range {
  const cost = (choice: Choice) => (choice.nexts.length > 1 ? costOf(choice) : 0);
  const visits = new Float64Array(choices.length + 1);
  visits[0] = 1;
  let expected = 0;
  choices.forEach((choice, start) => {
    const visit = visits[start] ?? 0;
    expected += visit * cost(choice);
    const shares = sharesOf(choice.nexts.length);
    choice.nexts.forEach((next, i) => {
      visits[next] = (visits[next] ?? 0) + visit * (shares[i] ?? 0);
    });
  });
  const least = new Float64Array(choices.length + 1);
  const most = new Float64Array(choices.length + 1);
  for (const [start, choice] of [...choices.entries()].reverse()) {
    least[start] = cost(choice) + Math.min(...choice.nexts.map((next) => least[next] ?? 0));
    most[start] = cost(choice) + Math.max(...choice.nexts.map((next) => most[next] ?? 0));
  }
  return { min: least[0] ?? 0, expected, max: most[0] ?? 0 };
}
