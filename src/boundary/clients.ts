import type { BaseMessage } from "@langchain/core/messages";
import type { Runnable } from "@langchain/core/runnables";
import { isBinding, isChatModel, optionsOf, rebind } from "./model.js";

/**
 * Some clients need help to keep what LangChain promises. Each function here changes the calls of
 * those it names, and leaves every other model as it is. The user's own instance is never changed.
 */

/**
 * ChatOpenAI (1.5) parses a reply to a `json_schema` request inside its retry loop, so a reply that
 * was cut or filtered is taken for a network failure and paid for up to seven times. It tells such a
 * request by `response_format.type`. A format that has its fields only when it is written as JSON
 * makes the same request, and the reply comes back unparsed.
 */
export function withoutParsing(bound: Runnable): Runnable {
  const format = optionsOf(bound).response_format;
  if (!isJsonSchemaFormat(format)) return bound;
  const options: object = usesResponsesApi(bound)
    ? { text: { format: sealed({ type: format.type, ...format.json_schema }) } }
    : { response_format: sealed(format) };
  return bound.withConfig(options);
}

/** ChatOpenAI (1.5) drops the `refusal` of a chat completion; the message keeps it here. */
export function withRefusals(bound: Runnable): Runnable {
  return mapModel(bound, (model) => {
    const inner: unknown = Reflect.get(model, "completions");
    if (isObject(inner)) return derive(model, { completions: keepingRefusals(inner) });
    return keepingRefusals(model);
  });
}

/**
 * ChatOllama (1.3) doesn't pass the signal to its HTTP request: a server that loads a model would be
 * waited for after an abort. The call gets a client of its own whose requests know the signal.
 */
export function withSignal(bound: Runnable, signal: AbortSignal | undefined): Runnable {
  if (signal === undefined) return bound;
  return mapModel(bound, (model) => {
    const client: unknown = Reflect.get(model, "client");
    const isOllama = isChatModel(model) && model._llmType() === "ollama";
    if (!isOllama || !isObject(client) || !hasFetch(client)) return model;
    return derive(model, { client: abortable(client, signal) });
  });
}

/**
 * ChatOpenAI (1.5) and ChatAnthropic (1.5) lose what a server sends with status 200 that is no reply:
 * the one drops it, the other fails over it. Here it is heard before they make a message of it.
 */
export function hearing(bound: Runnable, hear: (body: unknown) => void): Runnable {
  return mapModel(bound, (model) => heardBy(model, hear));
}

interface JsonSchemaFormat {
  type: "json_schema";
  json_schema: object;
}

type Convert = (part: { refusal?: string | null }, ...others: unknown[]) => BaseMessage;

/** Changes the model at the bottom of its bindings. */
function mapModel(bound: Runnable, change: (model: Runnable) => Runnable): Runnable {
  if (!isBinding(bound)) return change(bound);
  const inner = mapModel(bound.bound, change);
  return inner === bound.bound ? bound : rebind(bound, inner);
}

/** The same object with other values for some properties. */
function derive<T extends object>(base: T, properties: Record<string, unknown>): T {
  return Object.assign(Object.create(base), properties);
}

type Request = (...args: unknown[]) => Promise<unknown>;

/** The requests go through the object itself, which keeps its HTTP client from one to the next. */
function heardBy<T extends object>(client: T, hear: (body: unknown) => void): T {
  const heard: Record<string, unknown> = {};
  const request: unknown = Reflect.get(client, "completionWithRetry");
  if (typeof request === "function")
    heard.completionWithRetry = async (...args: unknown[]) => {
      const body = await (request as Request).apply(client, args);
      if (!isObject(body) || !(Symbol.asyncIterator in body)) hear(body);
      return body;
    };
  for (const part of ["completions", "responses"]) {
    const inner: unknown = Reflect.get(client, part);
    if (isObject(inner)) heard[part] = heardBy(inner, hear);
  }
  return Object.keys(heard).length > 0 ? derive(client, heard) : client;
}

function keepingRefusals<T extends object>(completions: T): T {
  const names = [
    "_convertCompletionsMessageToBaseMessage",
    "_convertCompletionsDeltaToBaseMessageChunk",
  ];
  const converters = names.flatMap((name) => {
    const convert: unknown = Reflect.get(completions, name);
    return typeof convert === "function" ? [[name, keepRefusal(convert as Convert)] as const] : [];
  });
  if (converters.length === 0) return completions;
  return derive(completions, Object.fromEntries(converters));
}

function keepRefusal(convert: Convert): Convert {
  return function (this: unknown, part, ...others) {
    const message = convert.call(this, part, ...others);
    if (part.refusal) message.additional_kwargs.refusal = part.refusal;
    return message;
  };
}

function isJsonSchemaFormat(format: unknown): format is JsonSchemaFormat {
  return isObject(format) && "type" in format && format.type === "json_schema";
}

function usesResponsesApi(bound: Runnable): boolean {
  const decides: unknown = Reflect.get(bound, "_useResponsesApi");
  return typeof decides === "function" && decides.call(bound, {}) === true;
}

function sealed(format: object): { toJSON(): object } {
  return { toJSON: () => format };
}

function abortable<T extends { fetch: typeof fetch }>(client: T, signal: AbortSignal): T {
  const request: typeof fetch = (input, init) => {
    const signals = init?.signal ? [init.signal, signal] : [signal];
    return client.fetch(input, { ...init, signal: AbortSignal.any(signals) });
  };
  return derive(client, { fetch: request, ongoingStreamedRequests: [] });
}

function hasFetch(client: object): client is { fetch: typeof fetch } {
  return "fetch" in client && typeof client.fetch === "function";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
