import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a server does with one request. */
export type Response =
  | { status?: number; headers?: Record<string, string>; body: unknown }
  /** The connection is torn down before a byte is sent. */
  | "reset"
  /** The request is read and never answered. */
  | "stall";

/** A request as it came in. */
export interface Received {
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
}

export interface ScriptedServer {
  url: string;
  received: Received[];
  /** Requests that are neither answered nor given up by the client. */
  open(): number;
  close(): Promise<void>;
}

/**
 * A server on loopback that answers from a script. A string body is sent as it is, anything else as
 * JSON.
 */
export async function startServer(
  answer: (request: Received, index: number) => Response | Promise<Response>,
): Promise<ScriptedServer> {
  const received: Received[] = [];
  const open = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    open.add(response);
    response.once("close", () => open.delete(response));
    const body: unknown = JSON.parse((await textOf(request)) || "{}");
    const entry = {
      path: request.url ?? "",
      headers: request.headers,
      body: body as Record<string, unknown>,
    };
    send(response, await answer(entry, received.push(entry) - 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    open: () => open.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, answer: Response): void {
  if (answer === "stall") return;
  if (answer === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status = 200, headers = {}, body } = answer;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
