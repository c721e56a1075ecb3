import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalFileStore } from "@langchain/classic/storage/file_system";
import { RedisByteStore } from "@langchain/community/storage/ioredis";
import { Redis } from "ioredis";
import type { DecisionStore } from "../../src/decisions.js";

/** Where a store is, in words that another process understands. */
export type StorePlace = { folder: string } | { port: number };

export async function openStore(
  place: StorePlace,
): Promise<{ store: DecisionStore; close(): void }> {
  if ("folder" in place)
    return { store: await LocalFileStore.fromPath(place.folder), close: () => undefined };
  const client = openRedis(place.port);
  return { store: new RedisByteStore({ client }), close: () => client.disconnect() };
}

/** A client that gives up at once when the server is gone. */
export function openRedis(port: number): Redis {
  const client = new Redis({
    host: "127.0.0.1",
    port,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  client.on("error", () => undefined); // each command fails by itself
  return client;
}

export interface RedisServer {
  port: number;
  /** Ends the server at once. */
  kill(): Promise<void>;
}

/** A Redis server of its own, without anything on disk. */
export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "redis-"));
  const port = await freePort();
  const settings = { port, bind: "127.0.0.1", dir: folder, save: "", appendonly: "no" };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(server, "exit");
  for await (const output of server.stdout) {
    if (String(output).includes("Ready to accept connections")) break;
  }
  const kill = async () => {
    server.kill("SIGKILL");
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  return { port, kill };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
