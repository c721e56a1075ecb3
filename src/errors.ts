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

  /** Whether an error is one of these, also of another copy of this package. */
  static isInstance(error: unknown): error is InvalidParameterError {
    return error instanceof Error && error.name === "InvalidParameterError" && "parameter" in error;
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
        `attempts ${attempts}). Found: ${describe(reply, DESCRIPTION_LENGTH)}`,
      cause === undefined ? undefined : { cause },
    );
    this.reason = reason;
    this.reply = reply;
    this.candidateIds = candidateIds;
    this.attempts = attempts;
    this.usage = usage;
  }

  /** Whether an error is one of these, also of another copy of this package. */
  static isInstance(error: unknown): error is InvalidBoundaryError {
    return error instanceof Error && error.name === "InvalidBoundaryError" && "reason" in error;
  }
}

/**
 * A server has answered without an error, but not with a reply of a chat model: a proxy's page, an
 * error that came with status 200, an empty object. Nothing is asked again, and no boundary falls
 * back: the run ends.
 */
export class NoReplyError extends Error {
  override readonly name = "NoReplyError";
  /** What came: the body where it is known, else what the client made of it. */
  readonly reply: unknown;

  /** @param options the client's own error as `cause`, where there is one. */
  constructor(reply: unknown, options?: ErrorOptions) {
    const said = messageIn(reply);
    super(
      `The model's server sent no reply of a chat model${said ? `: ${said}` : ""}. ` +
        `Found: ${describe(reply, DESCRIPTION_LENGTH)}`,
      options,
    );
    this.reply = reply;
  }

  /** Whether an error is one of these, also of another copy of this package. */
  static isInstance(error: unknown): error is NoReplyError {
    return error instanceof Error && error.name === "NoReplyError" && "reply" in error;
  }
}

/** What a server's body says in the fields where errors are told. */
function messageIn(body: unknown): string | undefined {
  if (typeof body === "string") return undefined;
  for (const key of ["error", "message", "detail"]) {
    const value: unknown = Object(body)[key];
    if (typeof value === "string" && value !== "") return value;
    const inner = typeof value === "object" && value !== null ? messageIn(value) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Most UTF-16 units of a description. */
const DESCRIPTION_LENGTH = 200;
/** Most UTF-16 units of a text in it, which may be a document's. */
const TEXT_LENGTH = 40;

/** A value as it stands in a message: short, and never a throw of its own. */
function describe(value: unknown, textLength = TEXT_LENGTH): string {
  if (typeof value === "function") return `function ${value.name || "(anonymous)"}`;
  if (typeof value !== "string" && !(typeof value === "object" && value !== null))
    return String(value);
  const kind = typeof value === "object" ? (value.constructor?.name ?? "Object") : "String";
  if (!["String", "Object", "Array"].includes(kind)) return kind;
  const text = stringify(value, textLength);
  const most = DESCRIPTION_LENGTH + TEXT_LENGTH;
  return text.length > most ? `${text.slice(0, DESCRIPTION_LENGTH)}…` : text;
}

function stringify(value: string | object, textLength: number): string {
  const shorten = (_key: string, inner: unknown) =>
    typeof inner === "string" && inner.length > textLength
      ? `${inner.slice(0, textLength)}… (${inner.length} characters)`
      : inner;
  try {
    return JSON.stringify(value, shorten);
  } catch (error) {
    return `${Object.prototype.toString.call(value)} (${(error as Error).message})`;
  }
}
