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
export async function windowAt(
  units: Units,
  start: number,
  { chunkSize, minChunkSize, sectionBreaks }: WindowOptions,
  before?: Window,
): Promise<Window> {
  let end = Math.max(start + 1, before?.end ?? 0);
  let unit = await units.at(end);
  let closed = unit === undefined || (sectionBreaks && unit.startsSection);
  while (!closed && units.tokens(start, end + 1) <= chunkSize) {
    end += 1;
    unit = units.list[end] ?? (await units.at(end));
    closed = unit === undefined || (sectionBreaks && unit.startsSection);
  }
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
