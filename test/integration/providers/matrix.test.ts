import { describe, type expect, test } from "vitest";
import { createBoundaryChain } from "../../../src/boundary/chain.js";
import { InvalidBoundaryError } from "../../../src/errors.js";
import { anthropic } from "./anthropic.js";
import { type Case, casesFor, QUESTION } from "./cases.js";
import { ollama } from "./ollama.js";
import { openai, openaiResponses } from "./openai.js";
import { type Provider, USAGE, withServer } from "./provider.js";
import type { ScriptedServer } from "./server.js";

const providers = [openai, openaiResponses, anthropic, ollama].map(named);

describe.concurrent.each(providers)("%s", (_name, provider) => {
  const rows = casesFor(provider).map(named);

  test.for(rows)("%s", async ([, row], { expect: expectHere }) => {
    await withServer(provider, row.replies, async (server) => {
      check(await ask(provider, row, server), row, expectHere);
      const all = <T>(value: T) => Array<T>(row.requests).fill(value);
      expectHere(server.received.map(({ path }) => path)).toEqual(all(provider.path));
      expectHere(server.received.map(provider.wayOf)).toEqual(all("functionCalling"));
      await expectHere.poll(server.open).toBe(0);
    });
  });
});

function named<Row extends { name: string }>(row: Row): [string, Row] {
  return [row.name, row];
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
