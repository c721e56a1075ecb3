/**
 * What a text claims the boundary to be: a number, `"no-answer"` for a text that says nothing, or
 * `"unparsable"` for one that names no single ID.
 */
export type Claim = number | "no-answer" | "unparsable";

/** Keys under which models put the ID when they answer in JSON. */
const BOUNDARY_KEY = /^boundary[_\s-]?id$/i;
const OTHER_KEY = /^(?:id|answer)$/i;
/** Keys that can stand alone for it; under another, a number is something else, such as a year. */
const ONLY_KEY = /id|answer|boundary|paragraph|result|value|input|output|response|text/i;
/** An answer that is a number, or a label and a number, is no longer than this (UTF-16 units). */
const SHORT = 80;
/** JSON that nests deeper than this is no answer. */
const MAX_DEPTH = 6;

const NUMBER = /^[\s"'([#]*(-?\d+(?:\.\d+)?)[\s"')\].:]*$/;
const NONE =
  /^\W*(?:ID\W*)?(?:none(?: of (?:the|these) paragraphs(?: shifts?)?)?|nothing(?: shifts)?|(?:there is )?no (?:clear )?shift|n\/a)\W*$/i;
const LABELLED_ONLY =
  /^[^\w-]*(?:the\s+)?(?:boundary(?:[\s_-]*id)?|paragraph|answer)[^\w-]*(?:is\b)?[^\w-]*(?:id\b|paragraph\b)?[^\w-]*(-?\d+)\W*$/i;
/** A line behind "Answer:". */
const LABELLED = /\banswer(?:\s+is\b\s*:?|\s*[:：=])[^\S\n]*([^\n]*)/gi;
const LABELLED_NUMBER = /^(?:paragraph\s+)?#?(-?\d+)\W*$/i;
const NAMED =
  /\bIDs?(?:-|(?: of the \w+(?: \w+)?)? is\b[\s:：]*|[\s:：#=(<[]*)(-?\d+(?![\d]|[.,]\d)(?:\s*(?:,|and|or|to|&|\/|-|–)\s*(?:ID\s*)?\d+)*)/gi;

/** Reads a text in which a model answers. Never takes a number for an ID because it stands there. */
export function readText(text: string, validIds: ReadonlySet<number>): Claim {
  const answer = withoutThoughts(text).trim();
  if (answer === "") return "no-answer";
  const body = withoutFence(answer);
  const json = parseJson(body);
  if (json !== undefined) return readValue(json, validIds);
  const embedded = embeddedAnswers(body, validIds);
  if (embedded.length > 0) return agreed(embedded);
  if (body.startsWith("{")) return "unparsable";
  return readSentence(withoutMarkup(body), validIds);
}

/** Reads a value in which a model answers: a tool call's arguments, or JSON. */
export function readValue(value: unknown, validIds: ReadonlySet<number>, depth = 0): Claim {
  if (value === null || value === undefined) return "no-answer";
  if (typeof value === "number") return value;
  if (typeof value === "string") return readText(value, validIds);
  if (typeof value !== "object" || depth > MAX_DEPTH) return "unparsable";
  const values = Array.isArray(value) ? value : answersIn(value);
  if (values === undefined) return "unparsable";
  if (values.length === 0) return "no-answer";
  return agreed(values.map((inner) => readValue(inner, validIds, depth + 1)));
}

/** The one claim that all make, if they do. */
export function agreed(claims: readonly Claim[]): Claim {
  const [first = "no-answer", ...others] = new Set(claims);
  return others.length === 0 ? first : "unparsable";
}

function readSentence(reply: string, validIds: ReadonlySet<number>): Claim {
  // long white space would make the patterns quadratic, and says nothing
  const text = reply.replace(/\s+/g, (space) => (space.includes("\n") ? "\n" : " "));
  if (NONE.test(text)) return 0;
  const alone = text.length > SHORT ? null : (NUMBER.exec(text) ?? LABELLED_ONLY.exec(text));
  if (alone?.[1] !== undefined) return Number(alone[1]);
  const labelled = [...text.matchAll(LABELLED)].flatMap(([, line = ""]) => labelledIn(line));
  if (labelled.length > 0) return agreed(labelled);
  const named = namedIn(text);
  const valid = named.filter((id) => validIds.has(id));
  if (valid.length > 0) return agreed(valid);
  return named[0] ?? "unparsable";
}

/** All IDs that the first sentence behind a label names, or the number that is all of it. */
function labelledIn(line: string): number[] {
  const [sentence = ""] = line.split(/[.;!?](?:\s|$)/, 1);
  if (NONE.test(sentence)) return [0];
  const named = namedIn(sentence);
  const alone = LABELLED_NUMBER.exec(sentence)?.[1];
  return named.length === 0 && alone !== undefined ? [Number(alone)] : named;
}

function namedIn(text: string): number[] {
  return [...text.matchAll(NAMED)].flatMap((match) => numbersIn(match[1] ?? ""));
}

/** `-` between two numbers is a range, before the first a sign. */
function numbersIn(list: string): number[] {
  return [...list.matchAll(/^-?\d+|\d+/g)].map(([digits]) => Number(digits));
}

/** The values that stand for the answer; undefined where it is unclear which do. */
function answersIn(value: object): unknown[] | undefined {
  const keys = Object.keys(value);
  const entries = Object.entries(value);
  for (const pattern of [BOUNDARY_KEY, OTHER_KEY]) {
    const found = entries.filter(([key]) => pattern.test(key)).map(([, inner]) => inner);
    if (found.length > 0) return found;
  }
  if (keys.length <= 1)
    return entries
      .filter(([key, inner]) => ONLY_KEY.test(key) || typeof inner === "object")
      .map(([, inner]) => inner);
  const nested = entries.map(([, inner]) => inner).filter(holdsBoundaryKey);
  return nested.length > 0 ? nested : undefined;
}

function holdsBoundaryKey(value: unknown): boolean {
  if (typeof value === "string") return value.startsWith("{") && holdsBoundaryKey(parseJson(value));
  if (typeof value !== "object" || value === null) return false;
  return Object.keys(value).some((key) => BOUNDARY_KEY.test(key));
}

/** Objects inside a text that hold a boundary ID, such as a tool call that was written out. */
function embeddedAnswers(text: string, validIds: ReadonlySet<number>): Claim[] {
  const objects = [...text.matchAll(/\{[^{}]*\}/g)].map(([object]) => parseJson(object));
  return objects.filter(holdsBoundaryKey).map((object) => readValue(object, validIds));
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text without its code fence, also where the closing fence was cut off. */
function withoutFence(text: string): string {
  const opening = /^```[\w-]*\s*/.exec(text);
  if (opening === null) return text;
  return text.slice(opening[0].length, text.endsWith("```") ? -3 : undefined).trim();
}

function withoutMarkup(text: string): string {
  return text.replace(/[*`]+/g, "").replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "");
}

/**
 * A text without what a reasoning model thinks aloud: `<think>…</think>`, also where the opening tag
 * is missing (it stands in the chat template of some models) or the closing one (the reply was cut).
 */
export function withoutThoughts(text: string): string {
  const pieces = text.split(/(<\/?think(?:ing)?>)/i);
  let answer = "";
  let thinking = false;
  for (const piece of pieces) {
    if (/^<think(?:ing)?>$/i.test(piece)) thinking = true;
    else if (/^<\/think(?:ing)?>$/i.test(piece)) {
      if (!thinking) answer = "";
      thinking = false;
    } else if (!thinking) answer += piece;
  }
  return answer;
}
