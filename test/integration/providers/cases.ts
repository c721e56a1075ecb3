import type { BoundaryChainOptions } from "../../../src/boundary/chain.js";
import type { InvalidBoundaryReason } from "../../../src/errors.js";
import type { ClientSettings, Provider } from "./provider.js";
import type { Response } from "./server.js";

/** One row of the matrix: what a provider replies, and what comes of it. */
export interface Case {
  name: string;
  /** The replies in order; the last one repeats. */
  replies: Response[];
  /** HTTP requests that arrive. */
  requests: number;
  /** Replies whose tokens are counted. */
  counted?: number;
  expected:
    | { boundaryId: number }
    | { reason: InvalidBoundaryReason; attempts: number; reply?: unknown }
    | { status: number }
    | { error: RegExp };
  options?: BoundaryChainOptions;
  settings?: ClientSettings;
  /** Milliseconds that the caller waits. */
  timeout?: number;
}

/** The candidates are 12 to 18. */
export const QUESTION = {
  paragraphs: [11, 12, 13, 14, 15, 16, 17, 18].map((id) => ({
    id,
    text: `Paragraph of 2024 with {braces}, $& and "quotes", number ${id * 7}.`,
  })),
};

export function casesFor(provider: Provider): Case[] {
  const good = provider.toolCalls({ boundaryId: 14 });
  return [
    ...goodReplies(provider),
    ...invalidReplies(provider, good),
    ...givenUp(provider),
    ...refusals(provider),
    ...passedThrough(provider, good),
    ...noReplies(provider, good),
    ...transient(provider, good),
  ];
}

function goodReplies(p: Provider): Case[] {
  const replies: [string, Response, number][] = [
    ["an integer in a tool call", p.toolCalls({ boundaryId: 14 }), 14],
    ["a numeric string in a tool call", p.toolCalls({ boundaryId: "14" }), 14],
    ["an ID in a tool call", p.toolCalls({ boundaryId: "ID 14" }), 14],
    ["another spelling of the key", p.toolCalls({ boundary_id: 14 }), 14],
    ["more keys than asked for", p.toolCalls({ why: "in 2024", boundaryId: 14 }), 14],
    ["the last candidate", p.toolCalls({ boundaryId: 18 }), 18],
    ["no shift in a tool call", p.toolCalls({ boundaryId: 0 }), 0],
    ["two tool calls that agree", p.toolCalls({ boundaryId: 14 }, { boundaryId: 14 }), 14],
    ["a number as text", p.text("14"), 14],
    ["an ID as text", p.text("ID 14"), 14],
    ["an ID behind a label", p.text("Answer: ID 14"), 14],
    ["an ID in markdown", p.text("**Answer:** ID 14"), 14],
    ["JSON as text", p.text('{"boundaryId": 14}'), 14],
    ["JSON in a fence", p.text('```json\n{"boundaryId": 14}\n```'), 14],
    ["a tool call as text", p.text('<tool_call>{"arguments": {"boundaryId": 14}}</tool_call>'), 14],
    ["an ID in a sentence", p.text("In 2024 the voice changes, so the shift is at ID 14."), 14],
    ["none as text", p.text("None."), 0],
    ["an ID after thoughts in the text", p.text("<think>ID 12 or ID 13?</think>\n\nID 14"), 14],
    ["an ID after thoughts of their own", p.reasoned("ID 12 or ID 13?", "ID 14"), 14],
  ];
  return replies.map(([name, reply, boundaryId]) => ({
    name,
    replies: [reply],
    requests: 1,
    counted: 1,
    expected: { boundaryId },
  }));
}

/** Replies that are asked again; the second one is good. */
function invalidReplies(p: Provider, good: Response): Case[] {
  const replies: [string, Response][] = [
    ["an ID outside the window", p.toolCalls({ boundaryId: 99 })],
    ["the first ID", p.toolCalls({ boundaryId: 11 })],
    ["a negative number", p.toolCalls({ boundaryId: -14 })],
    ["a fraction", p.toolCalls({ boundaryId: 14.5 })],
    ["a huge number", p.toolCalls({ boundaryId: 1e21 })],
    ["an empty tool call", p.toolCalls({})],
    ["null in a tool call", p.toolCalls({ boundaryId: null })],
    ["two tool calls that disagree", p.toolCalls({ boundaryId: 14 }, { boundaryId: 15 })],
    ["a tool call that was cut", p.brokenToolCall('{"boundaryId": 1')],
    ["JSON that was cut", p.cutText('{"boundaryId": 1')],
    ["a number that was cut", p.cutText("ID 1")],
    ["thoughts that were cut", p.cutText("<think>It is ID 12. No, ID")],
    ["a year", p.text("The story of 2024 has no clear end.")],
    ["two IDs in a sentence", p.text("It could be ID 14 as well as ID 15.")],
    ["an excuse", p.text("There are no passages to choose from.")],
    ["an empty text", p.empty()],
  ];
  if (p.noMessage) replies.push(["a reply without a message", p.noMessage()]);
  return replies.map(([name, reply]) => ({
    name: `${name}, then a good reply`,
    replies: [reply, good],
    requests: 2,
    // ChatOpenAI drops the usage of a reply without a choice.
    counted: JSON.stringify(reply).includes('"choices":[]') ? 1 : 2,
    expected: { boundaryId: 14 },
  }));
}

function givenUp(p: Provider): Case[] {
  const outside = p.toolCalls({ boundaryId: 99 });
  const common = { requests: 2, counted: 2 };
  const [reason, reply] = ["outside-window" as const, { boundaryId: 99 }];
  return [
    {
      name: "outside the window twice",
      replies: [outside],
      ...common,
      expected: { reason, attempts: 2, reply },
    },
    {
      name: "unreadable twice",
      replies: [p.text("ID 14 or ID 15")],
      ...common,
      expected: { reason: "unparsable", attempts: 2, reply: "ID 14 or ID 15" },
    },
    {
      name: "empty twice",
      replies: [p.empty()],
      ...common,
      expected: { reason: "no-answer", attempts: 2, reply: "" },
    },
    {
      name: "outside the window, with one attempt",
      replies: [outside],
      requests: 1,
      counted: 1,
      options: { maxAttempts: 1 },
      expected: { reason, attempts: 1, reply },
    },
    {
      name: "outside the window twice, with three attempts",
      replies: [outside, outside, p.text("ID 16")],
      requests: 3,
      counted: 3,
      options: { maxAttempts: 3 },
      expected: { boundaryId: 16 },
    },
  ];
}

function refusals(p: Provider): Case[] {
  const cases: Case[] = [];
  const refused = { reason: "refused" as const, attempts: 1 };
  if (p.refused) {
    cases.push({
      name: "a refusal",
      replies: [p.refused("I won't judge ID 14.")],
      requests: 1,
      counted: 1,
      expected: { ...refused, reply: "I won't judge ID 14." },
    });
    cases.push({
      name: "an invalid reply, then a refusal",
      replies: [p.text("?"), p.refused("No.")],
      requests: 2,
      counted: 2,
      expected: { reason: "refused", attempts: 2 },
    });
  }
  if (p.filtered) {
    cases.push({
      name: "a filtered reply",
      replies: [p.filtered()],
      requests: 1,
      counted: 1,
      expected: refused,
    });
  }
  return cases;
}

/** What is no business of ours: the very error, and nothing asked again. */
function passedThrough(p: Provider, good: Response): Case[] {
  const statuses = [400, 401, 403, 404].map((status) => ({
    name: `status ${status}`,
    replies: [p.error(status), good],
    requests: 1,
    settings: { maxRetries: 2 },
    expected: { status },
  }));
  return [
    ...statuses,
    {
      name: "an empty body",
      replies: [{ body: "" }],
      requests: 1,
      expected: { error: p.emptyBody },
    },
    {
      name: "an invalid reply, then status 401",
      replies: [p.text("?"), p.error(401), good],
      requests: 2,
      expected: { status: 401 },
    },
    {
      // A fact of core 1.4: without the header, it leaves the waiting to the caller.
      name: "status 429 without Retry-After",
      replies: [p.error(429), good],
      requests: 1,
      settings: { maxRetries: 2 },
      expected: { status: 429 },
    },
    {
      name: "a stall past the caller's timeout",
      replies: ["stall"],
      requests: 1,
      timeout: 300,
      expected: { error: /timeout/i },
    },
  ];
}

/** Status 200 with what no chat model says: an error at once, whatever retries there are. */
function noReplies(p: Provider, good: Response): Case[] {
  const html = "<!doctype html><html><body>Sign in to go on</body></html>";
  const bodies: [string, Response, RegExp][] = [
    ["an error", p.lateError("quota exceeded"), /quota exceeded/],
    ["a proxy's page", { headers: { "content-type": "text/html" }, body: html }, p.noReply],
    ["a proxy's page as JSON", { body: JSON.stringify(html) }, p.noReply],
    ["an empty object", { body: {} }, p.noReply],
    ["an empty list", { body: [] }, p.noReply],
    ["null", { body: "null" }, p.noReply],
    ["no choice and nothing else", { body: { choices: [] } }, p.noReply],
    ["an object of another kind", { body: { detail: "loading", status: "ok" } }, p.noReply],
  ];
  const settings = { maxRetries: 2 };
  const first = bodies.map(([name, reply, error]) => ({
    name: `${name} with status 200`,
    replies: [reply, good],
    requests: 1,
    settings,
    expected: { error },
  }));
  return [
    ...first,
    {
      name: "an invalid reply, then an error with status 200",
      replies: [p.text("?"), p.lateError("quota exceeded"), good],
      requests: 2,
      settings,
      expected: { error: /quota exceeded/ },
    },
  ];
}

/** What the client's own retries are for; a client without retries passes the error on. */
function transient(p: Provider, good: Response): Case[] {
  const settings = { maxRetries: 1 };
  const failures: [string, Response, Case["expected"]][] = [
    ["status 429 with Retry-After", p.error(429, { "retry-after": "0" }), { status: 429 }],
    ["status 500", p.error(500), { status: 500 }],
    ["status 503", p.error(503), { status: 503 }],
    ["a reset connection", "reset", { error: /connection|fetch failed/i }],
  ];
  return failures.flatMap(([name, failure, error]) => {
    const passes = { replies: [failure, good], settings };
    const once: Case = p.retries
      ? { name, ...passes, requests: 2, counted: 1, expected: { boundaryId: 14 } }
      : { name, ...passes, requests: 1, expected: error };
    const forever = { name: `${name}, for ever`, replies: [failure], settings, expected: error };
    return [once, { ...forever, requests: p.retries ? 2 : 1 }];
  });
}
