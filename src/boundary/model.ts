import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { Runnable, RunnableBinding, type RunnableConfig } from "@langchain/core/runnables";
import { InvalidParameterError } from "../errors.js";

/** What can be passed as `model`: a chat model, or one with `withConfig`, `withRetry` around it. */
export type ModelLike = BaseChatModel | Runnable;

/** A chat model, and the way back into the bindings that stood around it. */
export interface OpenedModel {
  model: BaseChatModel;
  /** Puts another runnable where the chat model stood. */
  wrap<Input, Output>(inner: Runnable<Input, Output>): Runnable<Input, Output>;
}

/** A chat model that is chosen anew for each call, as `initChatModel` returns it. */
interface ConfigurableModel extends BaseChatModel {
  _queuedMethodOperations: object;
  _model?(config?: RunnableConfig): Promise<BaseChatModel>;
  _getModelInstance?(config?: RunnableConfig): Promise<BaseChatModel>;
}

/**
 * Checks that a value is a chat model, alone or within `withConfig` and `withRetry`.
 *
 * @throws InvalidParameterError saying what to pass instead.
 */
export function assertChatModel(value: unknown, parameter = "model"): asserts value is ModelLike {
  openModel(value, parameter);
}

/** Finds the chat model within its bindings. */
export function openModel(value: unknown, parameter = "model"): OpenedModel {
  if (isChatModel(value)) {
    checkNoTools(optionsOf(value), parameter, value);
    return { model: value, wrap: (inner) => inner };
  }
  if (isBinding(value)) {
    checkNoTools(optionsOf(value), parameter, value);
    const { model, wrap } = openModel(value.bound, parameter);
    return { model, wrap: (inner) => rebind(value, wrap(inner)) };
  }
  throw new InvalidParameterError(parameter, expectedInstead(value), value);
}

/** Whether a value is a chat model of any copy of LangChain's core. */
export function isChatModel(value: unknown): value is BaseChatModel {
  return modelType(value) === "base_chat_model";
}

/** Whether a runnable only passes options to another one. */
export function isBinding(value: unknown): value is RunnableBinding<unknown, unknown> {
  return Runnable.isRunnable(value) && "bound" in value && RunnableBinding.isRunnableBinding(value);
}

/** What stands within bindings. */
export function withinBindings(value: unknown): unknown {
  return isBinding(value) ? withinBindings(value.bound) : value;
}

/** A copy of the binding around another runnable, `withRetry` and listeners included. */
export function rebind<Input, Output>(
  binding: RunnableBinding<unknown, unknown>,
  bound: Runnable<Input, Output>,
): Runnable<Input, Output> {
  return Object.create(binding, { bound: { value: bound, enumerable: true } });
}

/** How to get the chat model of one call from a configurable model; undefined for other models. */
export function chooserOf(
  model: BaseChatModel,
): ((config: RunnableConfig) => Promise<BaseChatModel>) | undefined {
  if (!isConfigurable(model)) return undefined;
  return async (config) => {
    const chosen = await (model._getModelInstance?.(config) ?? model._model?.(config));
    return chosen ?? model;
  };
}

/** The call options that are bound to a model, by `withConfig` or by the client's own defaults. */
export function optionsOf(runnable: Runnable): Record<string, unknown> {
  const binding = isBinding(runnable) ? { ...runnable.config, ...runnable.kwargs } : {};
  const defaults: unknown = Reflect.get(runnable, "defaultOptions");
  return { ...(typeof defaults === "object" ? defaults : undefined), ...binding };
}

function isConfigurable(model: BaseChatModel): model is ConfigurableModel {
  return "_queuedMethodOperations" in model && ("_model" in model || "_getModelInstance" in model);
}

function checkNoTools(options: Record<string, unknown>, parameter: string, value: Runnable): void {
  const queued: unknown = Reflect.get(value, "_queuedMethodOperations");
  const changed = typeof queued === "object" && queued !== null && Object.keys(queued).length > 0;
  if (!changed && options.tools === undefined) return;
  throw new InvalidParameterError(
    parameter,
    "a chat model without tools or structured output bound to it (pass the model itself; " +
      "the question brings its own tool)",
    value,
  );
}

function modelType(value: unknown): unknown {
  if (!Runnable.isRunnable(value) || !("_modelType" in value)) return undefined;
  return typeof value._modelType === "function" ? value._modelType() : undefined;
}

function expectedInstead(value: unknown): string {
  if (modelType(value) === "base_llm") return "a chat model, not a text completion model";
  if (typeof value === "string") return 'a chat model (from its name: await initChatModel("…"))';
  if (value instanceof Promise) return "a chat model (await the one that is promised)";
  if (!Runnable.isRunnable(value)) return "a chat model (a BaseChatModel of @langchain/core)";
  if ("fallbacks" in value) {
    return (
      "a chat model; for fallbacks pass " +
      "boundaryChain: createBoundaryChain(a).withFallbacks([createBoundaryChain(b)])"
    );
  }
  return (
    "a chat model; pass the model itself, with a prompt of your own as " +
    "createBoundaryChain(model, { prompt }), or a runnable of your own as boundaryChain"
  );
}
