import type { UsageMetadata } from "@langchain/core/messages";

/** Thrown before any model call when a parameter is out of range. */
export class InvalidParameterError extends TypeError {
  override readonly name = "InvalidParameterError";
  /** The parameter's name, as the caller wrote it. */
  readonly parameter: string;
  /** What the caller passed. */
  readonly value: unknown;

  constructor(parameter: string, expected: string, value: unknown, options?: ErrorOptions) {
    super(`${parameter} must be ${expected}. Found: ${describe(value)}`, options);
    this.parameter = parameter;
    this.value = value;
  }
}

/** Why a reply was not a boundary. */
export type InvalidBoundaryReason = "no-answer" | "outside-window" | "unparsable" | "refused";

export interface InvalidBoundaryDetails {
  reason: InvalidBoundaryReason;
  /** The model's reply as it came: its text, or the arguments of its tool call. */
  reply: unknown;
  /** The IDs that would have been valid. */
  candidateIds: readonly number[];
  /** Questions asked for this boundary, 1-based. */
  attempts: number;
  /** Tokens used over all attempts, where the model reported any. */
  usage?: UsageMetadata | undefined;
  cause?: unknown;
}

/** The model's reply names no candidate of the window. */
export class InvalidBoundaryError extends Error {
  override readonly name = "InvalidBoundaryError";
  readonly reason: InvalidBoundaryReason;
  readonly reply: unknown;
  readonly candidateIds: readonly number[];
  readonly attempts: number;
  readonly usage: UsageMetadata | undefined;

  constructor({ reason, reply, candidateIds, attempts, usage, cause }: InvalidBoundaryDetails) {
    const candidates = `${candidateIds[0]} to ${candidateIds.at(-1)}`;
    super(
      `The model named no candidate of the window (${reason}, candidates ${candidates}, ` +
        `attempts ${attempts}). Found: ${describe(reply)}`,
      cause === undefined ? undefined : { cause },
    );
    this.reason = reason;
    this.reply = reply;
    this.candidateIds = candidateIds;
    this.attempts = attempts;
    this.usage = usage;
  }

  static isInstance(error: unknown): error is InvalidBoundaryError {
    return error instanceof Error && error.name === "InvalidBoundaryError" && "reason" in error;
  }
}

const DESCRIPTION_LENGTH = 200;

/** A value as it stands in a message: short, and never a throw of its own. */
function describe(value: unknown): string {
  let text: string;
  if (typeof value === "string") text = JSON.stringify(value);
  else if (typeof value === "function") text = `function ${value.name || "(anonymous)"}`;
  else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const kind = value.constructor?.name ?? "Object";
    text = kind === "Object" ? stringify(value) : kind;
  } else if (Array.isArray(value)) text = stringify(value);
  else text = String(value);
  return text.length > DESCRIPTION_LENGTH ? `${text.slice(0, DESCRIPTION_LENGTH)}…` : text;
}

function stringify(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    return `${Object.prototype.toString.call(value)} (${(error as Error).message})`;
  }
}
