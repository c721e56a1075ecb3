import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RedisByteStore } from "@langchain/community/storage/ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LumberChunkerSplitter } from "../../src/splitter.js";
import { mobyDick } from "../helpers/books.js";
import { TextDecider } from "../helpers/text-decider.js";
import { openRedis, type RedisServer, type StorePlace, startRedis } from "./decision-stores.js";
import { type Report, splitNovel, type Task } from "./decisions.child.js";

const CHILD = fileURLToPath(new URL("decisions.child.ts", import.meta.url));
const AT_ONCE = 8;
const KILLS = 10;

let folder: string;
let redis: RedisServer;
/** A whole run without a store: its chunks and its calls. */
let whole: { chunks: string[]; calls: number };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "decisions-"));
  redis = await startRedis();
  const log = join(folder, "whole.log");
  const chunks = await splitNovel({ store: undefined, log, maxConcurrency: AT_ONCE });
  whole = { chunks, calls: await callsIn(log) };
});

afterAll(async () => {
  await redis.kill();
  await rm(folder, { recursive: true, maxRetries: 5 });
});

async function callsIn(log: string): Promise<number> {
  return (await stat(log)).size;
}

/** Starts a process that splits the novel; kills it after some calls, if it is to be killed. */
async function run(task: Task, killAfter = Number.POSITIVE_INFINITY): Promise<string[] | "killed"> {
  const child: ChildProcess = fork(CHILD, [JSON.stringify(task)], {
    execArgv: ["--import", "tsx"],
  });
  let calls = 0;
  let chunks: string[] | undefined;
  child.on("message", (report: Report) => {
    if ("chunks" in report) chunks = report.chunks;
    else if (++calls === killAfter) setTimeout(() => child.kill("SIGKILL"), 10 * Math.random());
  });
  const [[code]] = await Promise.all([once(child, "exit"), once(child, "disconnect")]);
  if (chunks === undefined && code !== null) throw new Error(`The process ended with ${code}`);
  return chunks ?? "killed";
}

describe.each([
  ["LocalFileStore", (name: string): StorePlace => ({ folder: join(folder, name) })],
  ["RedisByteStore", (): StorePlace => ({ port: redis.port })],
])("%s", (name, placeOf) => {
  beforeAll(async () => {
    const client = openRedis(redis.port);
    await client.flushall();
    client.disconnect();
  });

  test("a process killed ten times pays for what was in flight, and little more", {
    timeout: 600_000,
  }, async () => {
    const log = join(folder, `${name} kills.log`);
    const task = { store: placeOf("kills"), log, maxConcurrency: AT_ONCE };
    let kills = 0;
    for (let i = 0; i < KILLS; i++) {
      const moment = 1 + Math.floor((1.8 * Math.random() * whole.calls) / (KILLS + 1));
      if ((await run(task, moment)) === "killed") kills += 1;
    }
    const chunks = await run(task);
    const calls = await callsIn(log);
    expect(chunks).toEqual(whole.chunks);
    expect(kills).toBeGreaterThan(KILLS / 2);
    expect(calls).toBeLessThanOrEqual(1.05 * whole.calls + AT_ONCE * kills);

    expect(await run(task)).toEqual(whole.chunks);
    expect(await callsIn(log)).toBe(calls);
  });
});

describe("two processes at once", () => {
  beforeAll(async () => {
    const client = openRedis(redis.port);
    await client.flushall();
    client.disconnect();
  });

  test.each([
    ["LocalFileStore", (): StorePlace => ({ folder: join(folder, "two") })],
    ["RedisByteStore", (): StorePlace => ({ port: redis.port })],
  ])("share a %s and find the same chunks", async (name, placeOf) => {
    const log = join(folder, `${name} two.log`);
    const task = { store: placeOf(), log, maxConcurrency: AT_ONCE };
    const both = await Promise.all([run(task), run(task)]);
    expect(both).toEqual([whole.chunks, whole.chunks]);
    const calls = await callsIn(log);
    expect(await run(task)).toEqual(whole.chunks);
    expect(await callsIn(log)).toBe(calls);
  });
});

describe("a Redis server that goes away", () => {
  test.each([1, 40, 300])("is an error, after %i calls", async (moment) => {
    const server = await startRedis();
    const client = openRedis(server.port);
    let calls = 0;
    const decider = new TextDecider(0, async () => {
      calls += 1;
      if (calls === moment) await server.kill();
    });
    const splitter = new LumberChunkerSplitter({
      boundaryChain: decider,
      decisionStore: new RedisByteStore({ client }),
      lengthFunction: (text) => text.length / 4,
    });
    try {
      await expect(splitter.splitText(mobyDick().join("\n\n"))).rejects.toThrow(/closed|retries/);
      expect(calls).toBeLessThan(moment + 50);
    } finally {
      client.disconnect();
      await server.kill();
    }
  });
});
