import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";

/** What a signal of ours depends on: Node 20 holds the sources of `AbortSignal.any` weakly. */
const sources = new WeakMap<AbortSignal, AbortSignal[]>();

/**
 * The config of a call, with a signal of its own: hundreds may share the caller's. It stays
 * connected to the caller's `signal` and `timeout` for as long as it lives itself.
 *
 * @param others more signals that end the call.
 */
export function withOwnSignal(
  options: Partial<RunnableConfig> | undefined,
  ...others: AbortSignal[]
): Partial<RunnableConfig> {
  const { signal, timeout, ...rest } = options ?? {};
  const checked: Partial<RunnableConfig> =
    timeout === undefined || timeout > 0 ? rest : { ...rest, timeout };
  const { signal: inherited, ...config }: Partial<RunnableConfig> = ensureConfig(checked);
  const given = [signal ?? inherited, ...others].filter((one) => one !== undefined);
  if (timeout !== undefined) given.push(AbortSignal.timeout(timeout));
  if (given.length === 0) return config;
  const own = AbortSignal.any(given);
  sources.set(own, given);
  return { ...config, signal: own };
}
