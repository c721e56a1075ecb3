import type { Runnable } from "@langchain/core/runnables";
import type { ChatPromptTemplate } from "@langchain/core/prompts";
import { isBinding, isChatModel, optionsOf } from "./model.js";
import { BOUNDARY_NAME, BOUNDARY_SCHEMA, type Way } from "./way.js";

/**
 * Keys that hold a secret, or that name where and how a model is reached: neither changes what it
 * answers.
 */
const LEFT_OUT =
  /key|secret|password|credential|authorization|(?:^|_)auth|header|cookie|(?:access|auth|bearer|session|id|refresh|api)_?token|^token$|baseurl|base_url|host|endpoint|organization|project|^client|configuration|fetch|callbacks|verbose|cache|retries|concurrency|signal|timeout|^runname$|^tags$|^metadata$|^stream|dangerously/i;

/**
 * A string that names what a boundary chain's answers depend on, as far as that can be known: the
 * model and its settings, the prompt, the way of asking. The same for the same chain in another
 * process; without keys, headers and addresses.
 *
 * A function stands for itself by its source text: what it closes over can't be seen.
 */
export function runnableIdentity(runnable: Runnable): string {
  return JSON.stringify(stable(identify(runnable)));
}

/** The identity of a chain of ours. */
export function chainIdentity(model: Runnable, prompt: ChatPromptTemplate, way: Way): string {
  return JSON.stringify(
    stable({
      kind: "BoundaryChain",
      model: identify(model),
      prompt: JSON.parse(JSON.stringify(prompt.promptMessages ?? prompt)),
      way: { ...way },
      schema: { name: BOUNDARY_NAME, ...BOUNDARY_SCHEMA },
    }),
  );
}

function identify(runnable: Runnable): unknown {
  const own: unknown = Reflect.get(runnable, "identity");
  if (typeof own === "string") return own;
  const kind = nameOf(runnable);
  if (isBinding(runnable)) {
    return { kind, bound: identify(runnable.bound), options: optionsOf(runnable) };
  }
  if (isChatModel(runnable)) {
    return { kind, params: paramsOf(runnable), options: optionsOf(runnable) };
  }
  const func: unknown = Reflect.get(runnable, "func");
  if (typeof func === "function") return { kind, source: String(func) };
  const parts = partsOf(runnable);
  return parts.length > 0 ? { kind, parts: parts.map(identify) } : { kind, json: jsonOf(runnable) };
}

/** The runnables that a runnable is made of: a sequence's steps, a chain and its fallbacks. */
function partsOf(runnable: Runnable): Runnable[] {
  const steps: unknown = Reflect.get(runnable, "steps");
  if (Array.isArray(steps)) return steps;
  const fallbacks: unknown = Reflect.get(runnable, "fallbacks");
  if (Array.isArray(fallbacks)) return [Reflect.get(runnable, "runnable"), ...fallbacks];
  return [];
}

function paramsOf(model: Runnable): unknown {
  return {
    llm: callIfThere(model, "serialize"),
    call: callIfThere(model, "invocationParams", {}),
    json: jsonOf(model),
  };
}

function callIfThere(target: object, method: string, ...args: unknown[]): unknown {
  const found: unknown = Reflect.get(target, method);
  return typeof found === "function" ? found.apply(target, args) : undefined;
}

/** What a runnable was made with, where it says so. */
function jsonOf(runnable: Runnable): unknown {
  const json = runnable.toJSON();
  return "kwargs" in json ? json.kwargs : undefined;
}

function nameOf(runnable: Runnable): string {
  const made = runnable.constructor;
  return "lc_name" in made && typeof made.lc_name === "function"
    ? String(made.lc_name())
    : made.name;
}

/** Plain data with sorted keys, without what is left out. */
function stable(value: unknown, seen: readonly unknown[] = []): unknown {
  if (typeof value === "function") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (seen.includes(value)) return undefined;
  const path = [...seen, value];
  if (Array.isArray(value)) return value.map((item) => stable(item, path) ?? null);
  const entries = Object.entries(value).filter(([key]) => !LEFT_OUT.test(key));
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, stable(item, path)]));
}
