import { after } from "./after.js";
import type { Units } from "./units.js";

/**
 * What a boundary is sought in: the units from a start that fit into the budget, and the one that
 * exceeds it. Indices of units, 0-based.
 */
export interface Window {
  start: number;
  /** The unit that exceeds the budget; in a closed window, the one after the last. */
  end: number;
  /** Whether the text or a section ends inside the budget: what is before `end` fits whole. */
  closed: boolean;
  /** The first candidate. */
  first: number;
  /** The last candidate; less than `first` when there is none. */
  last: number;
}

export interface WindowOptions {
  chunkSize: number;
  minChunkSize: number;
  sectionBreaks: boolean;
}

/**
 * The window from a start, which must be a unit of the text.
 *
 * @param before the window from the start before, where that is known: none ends or has its first
 * candidate earlier, and those that are closed at one place have one last candidate.
 */
export function windowAt(
  units: Units,
  start: number,
  options: WindowOptions,
  before?: Window,
): Window | Promise<Window> {
  const end = endFrom(units, start, Math.max(start + 1, before?.end ?? 0), options);
  return after(end, (end) => windowTo(units, start, end, options, before));
}

/** The unit at which the window from a start ends, which is at `from` or behind it. */
function endFrom(
  units: Units,
  start: number,
  from: number,
  options: WindowOptions,
): number | Promise<number> {
  for (let end = from; ; end++) {
    if (units.list[end] === undefined && !units.complete)
      return after(units.at(end), () => endFrom(units, start, end, options));
    if (closes(units, end, options) || units.tokens(start, end + 1) > options.chunkSize) return end;
  }
}

/** Whether a window ends before a unit whatever its tokens: at the end of the text or a section. */
function closes({ list }: Units, end: number, { sectionBreaks }: WindowOptions): boolean {
  return end === list.length || (sectionBreaks && list[end]?.startsSection === true);
}

function windowTo(
  units: Units,
  start: number,
  end: number,
  options: WindowOptions,
  before: Window | undefined,
): Window {
  const { minChunkSize } = options;
  const closed = closes(units, end, options);
  let first = start + 1;
  let last = closed ? end - 1 : end;
  if (minChunkSize > 0) {
    if (before !== undefined) first = Math.max(first, before.first);
    if (before?.closed && before.end === end) last = Math.max(start, before.last);
    while (first < end && units.tokens(start, first) < minChunkSize) first += 1;
    if (closed) while (last > start && units.tokens(last, end) < minChunkSize) last -= 1;
  }
  return { start, end, closed, first, last };
}

/** What a window's boundary is when nothing shifts: its end, which is the last candidate too where it is not closed. */
export function isForced({ closed, first, last }: Window): boolean {
  return closed ? first > last : first === last;
}
