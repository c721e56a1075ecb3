import type { BasePromptTemplate } from "@langchain/core/prompts";
import { Runnable } from "@langchain/core/runnables";
import { sha256 } from "@langchain/core/utils/hash";
import { isBinding, isChatModel, optionsOf } from "./model.js";
import { BOUNDARY_NAME, BOUNDARY_SCHEMA, type Way } from "./way.js";

/**
 * Settings that hold a secret, or that say where and how a model is reached and not what it answers.
 */
const LEFT_OUT = new RegExp(
  [
    "key|secret|password|credential|authorization|^auth|cookie|header",
    "^token$|(?:access|api|auth|bearer|id|refresh|session)_?token",
    "base_?url|endpoint|host|organization|project|^client|configuration|agent$|fetch",
    "cache|concurrency|retries|signal|timeout|^stream",
    "^callbacks$|^metadata$|^run_?(?:name|id)$|^tags$|^verbose$",
  ].join("|"),
  "i",
);

/**
 * A hash of what a boundary chain's answers depend on, as far as that can be known: the model and
 * its settings, the prompt, the way of asking; for another runnable its parts, and for a function
 * its source text. The same for the same chain in another process. Keys, headers and addresses are
 * no part of it, nor is what a function closes over or what is configured call by call.
 */
export function runnableIdentity(runnable: Runnable): string {
  const own: unknown = Reflect.get(runnable, "identity");
  return typeof own === "string" ? own : hashOf(described(runnable));
}

/** The identity of a chain of ours. */
export function chainIdentity(model: Runnable, prompt: BasePromptTemplate, way: Way): string {
  const schema = { name: BOUNDARY_NAME, ...BOUNDARY_SCHEMA };
  return hashOf({ kind: "BoundaryChain", model: described(model), prompt, way, schema });
}

function described(runnable: Runnable): object {
  const own: unknown = Reflect.get(runnable, "identity");
  if (typeof own === "string") return { identity: own };
  const kind = nameOf(runnable);
  if (isBinding(runnable)) {
    return { kind, bound: described(runnable.bound), options: optionsOf(runnable) };
  }
  if (isChatModel(runnable)) return { kind, ...settingsOf(runnable) };
  const parts = partsOf(runnable);
  if (parts.length > 0) return { kind, parts: parts.map(described) };
  const code: unknown = Reflect.get(runnable, "func") ?? runnable.invoke;
  return { kind, code: String(code), json: runnable.toJSON(), names: namesOf(runnable) };
}

/**
 * How a runnable of the caller's names what it asks. Its other fields may be counters and the like,
 * which change while it answers the same.
 */
function namesOf(runnable: Runnable): unknown[] {
  const names = ["model", "modelName", "modelId", "name", "version"];
  return names
    .map((key): unknown => Reflect.get(runnable, key))
    .map((name) => (typeof name === "string" ? name : null));
}

/** A chat model's settings, from all the places where LangChain's clients say them. */
function settingsOf(model: Runnable): object {
  return {
    llm: callIfThere(model, "serialize"),
    call: callIfThere(model, "invocationParams", {}),
    options: optionsOf(model),
    chosen: Reflect.get(model, "_defaultConfig"),
    json: model.toJSON(),
    names: namesOf(model),
  };
}

/** The runnables that a runnable is made of: steps, a chain and its fallbacks, branches. */
function partsOf(runnable: Runnable): Runnable[] {
  const held = ["runnable", "fallbacks", "steps", "mapper", "runnables", "branches", "default"];
  const values = held.map((key): unknown => Reflect.get(runnable, key));
  return values.flatMap(runnablesIn);
}

function runnablesIn(value: unknown): Runnable[] {
  if (Runnable.isRunnable(value)) return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(runnablesIn)
    : [];
}

function callIfThere(target: object, method: string, ...args: unknown[]): unknown {
  const found: unknown = Reflect.get(target, method);
  return typeof found === "function" ? found.apply(target, args) : undefined;
}

function nameOf(runnable: Runnable): string {
  const made = runnable.constructor;
  return "lc_name" in made && typeof made.lc_name === "function"
    ? String(made.lc_name())
    : made.name;
}

function hashOf(value: object): string {
  return sha256(JSON.stringify(stable(value)));
}

/** Plain data with sorted keys, without what is left out. */
function stable(value: unknown, path: readonly unknown[] = []): unknown {
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (path.includes(value)) return undefined;
  const inside = [...path, value];
  if (Array.isArray(value)) return value.map((item) => stable(item, inside) ?? null);
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return stable(value.toJSON(), inside);
  }
  if (!isPlain(value)) return value.constructor.name;
  const entries = Object.entries(value).filter(([key]) => !LEFT_OUT.test(key));
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, stable(item, inside)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
