import { describe, type expect, test } from "vitest";
import { createBoundaryChain } from "../../../src/boundary/chain.js";
import { InvalidBoundaryError } from "../../../src/errors.js";
import { anthropic } from "./anthropic.js";
import { type Case, casesFor, QUESTION } from "./cases.js";
import { ollama } from "./ollama.js";
import { openai, openaiResponses } from "./openai.js";
import { type Provider, USAGE } from "./provider.js";
import { type ScriptedServer, startServer } from "./server.js";

const providers = [openai, openaiResponses, anthropic, ollama].map(named);

describe.concurrent.each(providers)("%s", (_name, provider) => {
  const rows = casesFor(provider).map(named);

  test.for(rows)("%s", async ([, row], { expect: expectHere }) => {
    const server = await serve(provider, row);
    try {
      const outcome = await ask(provider, row, server);
      check(outcome, row, expectHere);
      expectHere(server.received.map(({ path }) => path)).toEqual(
        Array(row.requests).fill(provider.path),
      );
      expectHere(server.received.map(provider.wayOf)).toEqual(
        Array(row.requests).fill("functionCalling"),
      );
      await expectHere.poll(server.open).toBe(0);
    } finally {
      await server.close();
    }
  });
});

function named<Row extends { name: string }>(row: Row): [string, Row] {
  return [row.name, row];
}

/** A server that answers from the row's script, and objects as the provider would. */
function serve(provider: Provider, { replies }: Case): Promise<ScriptedServer> {
  return startServer((request, index) => {
    const objection = provider.objection(request);
    if (objection) return { status: 422, body: { error: { message: objection } } };
    return replies[Math.min(index, replies.length - 1)] ?? "stall";
  });
}

async function ask(provider: Provider, row: Case, server: ScriptedServer): Promise<unknown> {
  const model = provider.client(server.url, row.settings);
  const chain = createBoundaryChain(model, row.options);
  const config = row.timeout === undefined ? {} : { timeout: row.timeout };
  return chain.invoke(QUESTION, config).catch((error: unknown) => error);
}

function check(outcome: unknown, { expected, counted = 0 }: Case, expectHere: typeof expect): void {
  if ("boundaryId" in expected) {
    expectHere(outcome).toMatchObject({ ...expected, usage: times(counted) });
  } else if ("reason" in expected) {
    expectHere(outcome).toBeInstanceOf(InvalidBoundaryError);
    const candidateIds = [12, 13, 14, 15, 16, 17, 18];
    expectHere(outcome).toMatchObject({ ...expected, candidateIds, usage: times(counted) });
  } else {
    expectHere(outcome).toBeInstanceOf(Error);
    expectHere(outcome).not.toBeInstanceOf(InvalidBoundaryError);
    if ("status" in expected) expectHere(statusOf(outcome)).toBe(expected.status);
    else expectHere(String(outcome)).toMatch(expected.error);
  }
}

function statusOf(error: unknown): unknown {
  const { status, status_code } = error as { status?: number; status_code?: number };
  return status ?? status_code;
}

function times(replies: number) {
  return Object.fromEntries(Object.entries(USAGE).map(([key, count]) => [key, count * replies]));
}
