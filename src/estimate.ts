import type { Runnable } from "@langchain/core/runnables";
import { BoundaryChain } from "./boundary/chain.js";
import type { BoundaryAnswer, BoundaryQuestion } from "./boundary/question.js";
import type { TextDecisions } from "./decisions.js";
import { Extremes } from "./extremes.js";
import type { Pace } from "./pace.js";
import { Steps } from "./steps.js";
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
  /** Paragraphs of all documents, as the paragraph rule cuts them. */
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
  pace: Pace,
  decisions?: TextDecisions,
): Promise<Estimate> {
  const choices: Choice[] = [];
  const before = [0]; // tokens of all units before each
  let previous: Window | undefined;
  for (let start = 0; (await units.at(start)) !== undefined; start++) {
    const window = await windowAt(units, start, options, previous);
    previous = window;
    for (let unit = before.length; unit <= window.end; unit++)
      before.push((before[unit - 1] ?? 0) + units.tokens(unit - 1, unit));
    const place = await decisions?.recall(window);
    const tokens = await promptTokens(units, window, prompt, before);
    choices.push(place === undefined ? choiceOf(window, tokens) : certain(window, place));
    await pace.breathe();
  }
  return {
    paragraphs: units.list.last?.paragraph ?? 0,
    tokens: before[units.list.length] ?? 0,
    calls: await rangeOf(choices, () => 1, pace),
    inputTokens: await rangeOf(choices, ({ tokens }) => tokens, pace),
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

/** The next starts from `first` to `last`, or `end`, and what it takes to ask: one is no question. */
interface Choice {
  first: number;
  last: number;
  end: number | undefined;
  tokens: number;
}

function choiceOf({ end, closed, first, last }: Window, tokens: number): Choice {
  return { first, last, end: closed ? end : undefined, tokens };
}

function certain({ start, end, closed, last }: Window, place: number): Choice {
  const next = place > 0 ? start + place : closed ? end : last;
  return { first: next, last: next, end: undefined, tokens: 0 };
}

function answersOf({ first, last, end }: Choice): number {
  return Math.max(0, last - first + 1) + (end === undefined ? 0 : 1);
}

async function promptTokens(
  units: Units,
  { start, end, closed, first, last }: Window,
  prompt: PromptTokens,
  before: readonly number[],
): Promise<number> {
  if (closed && first > last) return 0;
  const between = (before[last] ?? 0) - (before[first] ?? 0);
  const shown = units.tokens(start, first) + between;
  const tail = closed ? units.tokens(last, end) : await units.beginningTokens(last);
  return prompt.instructions + (last - first + 2) * prompt.paragraph + shown + tail;
}

/**
 * Of an answer's likelihood, the share that grows with its place; the rest is even. Chunks of an
 * even choice are half a window long, of one that grows two thirds: this gives 0.6.
 */
const GROWING = 0.6;

/** The range of what all questions on the way through a text cost. */
async function rangeOf(
  choices: readonly Choice[],
  costOf: (choice: Choice) => number,
  pace: Pace,
): Promise<Range> {
  const cost = (choice: Choice) => (answersOf(choice) > 1 ? costOf(choice) : 0);
  const least = new Extremes(choices.length + 1, Math.min, Number.POSITIVE_INFINITY);
  const most = new Extremes(choices.length + 1, Math.max, Number.NEGATIVE_INFINITY);
  least.set(choices.length, 0);
  most.set(choices.length, 0);
  for (let start = choices.length - 1; start >= 0; start--) {
    const choice = choices[start] as Choice;
    const { first, last, end = first } = choice;
    least.set(start, cost(choice) + Math.min(least.of(first, last), least.at(end)));
    most.set(start, cost(choice) + Math.max(most.of(first, last), most.at(end)));
    await pace.breathe();
  }
  const expected = expectedOf(choices, cost);
  return choices.length === 0
    ? { min: 0, expected: 0, max: 0 }
    : { min: least.at(0), expected: Math.round(expected), max: most.at(0) };
}

/** The cost of each start by how likely it is to be one, which is what falls on it from before. */
function expectedOf(choices: readonly Choice[], cost: (choice: Choice) => number): number {
  const length = choices.length + 2;
  const [even, growing, single] = [new Steps(length), new Steps(length), new Float64Array(length)];
  let expected = 0;
  let visits = 1;
  choices.forEach((choice, start) => {
    if (start > 0) visits = even.next(start) + growing.next(start) + (single[start] ?? 0);
    expected += visits * cost(choice);
    const answers = answersOf(choice);
    const candidates = answers - (choice.end === undefined ? 0 : 1);
    const flat = ((1 - GROWING) * visits) / answers;
    const rise = (GROWING * visits * 2) / (answers * (answers + 1));
    if (candidates > 0) {
      even.add(choice.first, candidates, flat, 0);
      growing.add(choice.first, candidates, rise, rise);
    }
    if (choice.end !== undefined)
      single[choice.end] = (single[choice.end] ?? 0) + flat + rise * answers;
  });
  return expected;
}
