import {
  CallbackManager,
  type CallbackManagerForChainRun,
} from "@langchain/core/callbacks/manager";
import type { UsageMetadata } from "@langchain/core/messages";
import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import { checkedAnswer } from "./boundary/answer.js";
import { BoundaryChain } from "./boundary/chain.js";
import type { BoundaryAnswer, BoundaryQuestion } from "./boundary/question.js";
import { readUsage, sumUsage, UsageHandler } from "./boundary/usage.js";
import { InvalidBoundaryError } from "./errors.js";

export const NO_USAGE: UsageMetadata = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

/** The questions of one run: those in flight, and what all have used. */
export class Questions {
  usage = NO_USAGE;
  /** What the config of each question has, beside a signal of its own: hundreds share the caller's. */
  readonly #config: Partial<RunnableConfig>;
  /**
   * Whether the chain's answers tell all that was used. In a chain with fallbacks or retries they
   * don't: what failed is seen by a callback only, and that makes a traced run of each question.
   */
  readonly #tellsUsage: boolean;
  readonly #inFlight = new Set<AbortController>();

  constructor(
    private readonly chain: Runnable<BoundaryQuestion, BoundaryAnswer>,
    config: Partial<RunnableConfig>,
    private readonly manager: CallbackManagerForChainRun | undefined,
  ) {
    // the name is that of the splitter's own run
    const { runName, ...shared } = config;
    this.#config = shared;
    this.#tellsUsage = chain instanceof BoundaryChain;
  }

  /** The ID of a candidate, or 0. */
  async ask(question: BoundaryQuestion): Promise<number> {
    const controller = new AbortController();
    const callbacks = this.#callbacks();
    const spent = callbacks && UsageHandler.in(callbacks);
    let reported: UsageMetadata | undefined;
    this.#inFlight.add(controller);
    try {
      const own = { ...(callbacks && { callbacks }), signal: controller.signal };
      const answer = await this.chain.invoke(question, { ...this.#config, ...own });
      reported = readUsage(answer?.usage);
      return checkedAnswer(answer, question);
    } catch (error) {
      if (InvalidBoundaryError.isInstance(error)) reported ??= error.usage;
      throw error;
    } finally {
      this.#inFlight.delete(controller);
      this.usage = sumUsage(this.usage, spent?.usage ?? reported) ?? NO_USAGE;
    }
  }

  abort(reason: unknown): void {
    for (const controller of this.#inFlight) controller.abort(reason);
  }

  /** What a question's run is told to; nothing where no one listens. */
  #callbacks(): CallbackManager | undefined {
    return this.manager?.getChild() ?? (this.#tellsUsage ? undefined : new CallbackManager());
  }
}
