import {
  countedKind,
  type HeadingKind,
  isNumber,
  isOrdinal,
  isShort,
  isTens,
  isUnits,
  needsMark,
  numberedKind,
  standsAlone,
  thaiKind,
} from "./chapter-words.js";

/** A line that is a chapter's heading, or begins with one. */
export interface LineHeading {
  kind: HeadingKind;
  /** `chapter 12`: the same wherever the chapter is named. */
  label: string;
  /** Where the title begins in the line; the line's length where there is none. */
  titleStart: number;
  /** Whether the title follows the number at once: `第三章大海`. */
  joined: boolean;
}

/** The word and number at the beginning of a heading. */
interface Label {
  kind: HeadingKind;
  name: string;
  /** Where it ends in the line. */
  end: number;
  /** Whether only a mark may come before a title. */
  markOnly?: boolean;
  /** Whether what follows without a space is a title. */
  joined?: boolean;
}

/** Longest line that is a heading, in UTF-16 units. */
export const LONGEST_LINE = 120;

/** Longest title that no mark sets off from the number; and where words have no spaces. */
const LONGEST_BARE_TITLE = 80;
const LONGEST_JOINED_TITLE = 20;

/**
 * Reads a line as the heading of a volume, part, book, act, chapter or scene. `Chapter 12 of my
 * life was over.` is none: a title begins with no small letter, and is no sentence where no mark
 * sets it off from the number.
 */
export function headingOfLine(line: string): LineHeading | undefined {
  if (line.length > LONGEST_LINE || isOfContents(line)) return undefined;
  const label = readCounted(line) ?? readThai(line) ?? readNumbered(line) ?? readAlone(line);
  if (label === undefined || (isSmall(line.charAt(0)) && !isChapterAlone(line, label)))
    return undefined;
  const titleStart = skipMarks(line, label.end);
  if (!isTitle(line, label, titleStart)) return undefined;
  const { kind, joined = false } = label;
  return { kind, label: label.name.toLowerCase(), titleStart, joined };
}

/** `chapter one`: any other line that begins with a small letter goes on with the one before. */
function isChapterAlone(line: string, { kind, end, markOnly }: Label): boolean {
  return end === line.length && kind === "chapter" && markOnly !== true;
}

/** A line without the marks of emphasis around it: `_CHAPTER I_`, as plain books have them. */
export function withoutEmphasis(line: string): string {
  return /^([_*]{1,3})([^_*].*?)\1$/u.exec(line)?.[2] ?? line;
}

/** Whether a line has a row of dots, or a page's number behind wide space. */
function isOfContents(line: string): boolean {
  const leader = line.includes("....") || line.includes(". . .") || line.includes("……");
  return leader || /\S(?:\t\s*| {3,})(?:\d{1,4}|[ivxl]{1,6})$/.test(line);
}

/** Whether a line reads as a title: all capitals, or a capital at each of its longer words. */
export function isTitleLine(line: string): boolean {
  if (line === "" || line.length > LONGEST_BARE_TITLE || /^["“„«‘'(–—-]/.test(line)) return false;
  if (isCapitals(line)) return true;
  if (ENDS_SENTENCE.test(line)) return false;
  const words = line.split(/\s/).filter((word) => [...word].length > 3);
  if (words.some((word) => isSmall(word.charAt(0)))) return false;
  return !isSmall(line.charAt(0)) && (hasCase(line) || line.length <= LONGEST_JOINED_TITLE);
}

/** Whether a character is a small letter: a line that begins with one goes on with the last. */
export function isSmall(character: string): boolean {
  return character !== character.toUpperCase();
}

function hasCase(text: string): boolean {
  return text.toLowerCase() !== text.toUpperCase();
}

function isCapitals(text: string): boolean {
  return hasCase(text) && text === text.toUpperCase();
}

const MARKS = ".:)|–—-：．、・·,;";
const ENDS_SENTENCE = /[.!?,;:…。！？，；：”"»]$/;

function skipMarks(line: string, from: number): number {
  let at = from;
  while (at < line.length && (MARKS.includes(line.charAt(at)) || isSpace(line.charAt(at)))) at += 1;
  return at;
}

function isSpace(character: string): boolean {
  return character !== "" && character.trim() === "";
}

function isTitle(line: string, { end, markOnly, joined }: Label, titleStart: number): boolean {
  const title = line.slice(titleStart);
  const between = line.slice(end, titleStart).trim();
  if (title === "") return true;
  if (isSmall(title.charAt(0))) return false;
  // what a comma sets off is a heading of its own: Act III, Scene 2
  if (between !== "" && !/^[,;]/.test(between)) return true;
  if (headingOfLine(title) !== undefined) return true;
  if (titleStart === end) return joined === true;
  if (between !== "" || /^\d+$/.test(title)) return false;
  if (isCapitals(line)) return true;
  return markOnly !== true && title.length <= LONGEST_BARE_TITLE && !ENDS_SENTENCE.test(title);
}

const CHINESE =
  /^第\s?[\d０-９〇零一二三四五六七八九十百千两兩廿]{1,8}\s?(部(?=分)分|回(?!合)|[^回])/u;
const CHINESE_VOLUME =
  /^(卷)之?\s?[\d０-９〇零一二三四五六七八九十百千两兩廿上中下]{1,8}(?!\p{L})/u;
const KOREAN = /^제\s?(?:\d{1,4}|[일이삼사오육칠팔구십]{1,3})\s?(.)/u;
const JOINED_TITLE = /^[^\s。！？，,.!?的是在中里裡にはのがをもで以和与與][^。！？，,.!?]*$/u;

/** `第三章`, `第12回`, `卷一`, `제3장`. */
function readCounted(line: string): Label | undefined {
  const match = CHINESE.exec(line) ?? CHINESE_VOLUME.exec(line) ?? KOREAN.exec(line);
  const kind = countedKind(match?.[1]?.charAt(0) ?? "");
  if (match === null || kind === undefined) return undefined;
  const [name] = match;
  const rest = line.slice(name.length);
  if (rest === "" || isSpace(rest.charAt(0)) || MARKS.includes(rest.charAt(0)))
    return { kind, name, end: name.length };
  // 第三章鯨: what has no space before it is a title when it is short and no sentence
  const joined = name.startsWith("第") && rest.length <= LONGEST_JOINED_TITLE;
  return joined && JOINED_TITLE.test(rest) ? { kind, name, end: name.length, joined } : undefined;
}

/** `บทที่ ๓`. */
function readThai(line: string): Label | undefined {
  const [kind, length] = thaiKind(line) ?? [];
  if (kind === undefined || length === undefined) return undefined;
  const digits = /^\s?\p{Nd}{1,4}(?!\S)/u.exec(line.slice(length));
  if (digits === null) return undefined;
  const end = length + digits[0].length;
  return { kind, name: line.slice(0, end), end };
}

interface Word {
  text: string;
  end: number;
}

/** The word at an offset, behind white space and one full stop (`Vol. 2`, `3. Kapitel`). */
function wordAt(line: string, offset: number): Word {
  const pattern = /\.?\s*([\p{L}\p{M}\p{Nd}]+(?:-[\p{L}\p{M}\p{Nd}]+)*)/uy;
  pattern.lastIndex = offset;
  const match = pattern.exec(line);
  return { text: match?.[1] ?? "", end: match === null ? offset : pattern.lastIndex };
}

/** `Chapter 12`, `CHAPTER THE FIRST`, `Erstes Kapitel`, `3. Bölüm`. */
function readNumbered(line: string): Label | undefined {
  const first = wordAt(line, 0);
  if (first.text.toLowerCase() === "the") return readOrdinal(line, wordAt(line, first.end));
  const kind = numberedKind(first.text);
  if (kind === undefined) return readOrdinal(line, first);
  if (isShort(first.text) && line.charAt(first.end) !== ".") return undefined;
  const number = readNumber(line, first);
  if (number === undefined) return undefined;
  const name = `${kind} ${number.text}`;
  return { kind, name, end: number.end, markOnly: number.text === "I" || needsMark(first.text) };
}

function readNumber(line: string, word: Word): Word | undefined {
  let number = wordAt(line, word.end);
  if (number.text.toLowerCase() === "the") {
    number = wordAt(line, number.end);
    return isOrdinal(number.text) ? number : undefined;
  }
  if (isTens(number.text) && line.charAt(number.end) === " ") {
    const next = wordAt(line, number.end);
    if (isUnits(next.text)) return { ...next, text: `${number.text}-${next.text}` };
  }
  if (isNumber(number.text)) return number;
  const lettered = word.text.toLowerCase() === "appendix" && /^[A-Z]$/.test(number.text);
  return lettered ? number : undefined;
}

function readOrdinal(line: string, ordinal: Word): Label | undefined {
  const dotted = /^\d{1,4}$/.test(ordinal.text) && line.charAt(ordinal.end) === ".";
  if (!dotted && !isOrdinal(ordinal.text)) return undefined;
  const noun = wordAt(line, ordinal.end);
  const kind = numberedKind(noun.text);
  if (kind === undefined) return undefined;
  return { kind, name: `${kind} ${ordinal.text}`, end: noun.end, markOnly: true };
}

/** `PROLOGUE`, `Epilogue: Ten Years Later`. */
function readAlone(line: string): Label | undefined {
  const { text, end } = wordAt(line, 0);
  return standsAlone(text) ? { kind: "chapter", name: text, end, markOnly: true } : undefined;
}
