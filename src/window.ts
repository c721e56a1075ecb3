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
  /** Where the text or section ends, or `minChunkSize` behind `end`, whichever is first. */
  ahead: number;
  /** The last unit from which `minChunkSize` is left up to there. */
  latest: number;
}

export interface WindowOptions {
  chunkSize: number;
  minChunkSize: number;
  sectionBreaks: boolean;
}

/**
 * The window from a start, which must be a unit of the text.
 *
 * @param before the window from the start before, where that is known: none ends, has its first
 * candidate or looks ahead less far, and those with the end of one section ahead have one `latest`.
 */
export function windowAt(
  units: Units,
  start: number,
  options: WindowOptions,
  before?: Window,
): Window | Promise<Window> {
  const end = endFrom(units, start, Math.max(start + 1, before?.end ?? 0), options);
  return after(end, (end) =>
    after(aheadOf(units, end, Math.max(end, before?.ahead ?? 0), options), (ahead) =>
      windowTo(units, { start, end, ahead }, options, before),
    ),
  );
}

/** The unit at which the window from a start ends, which is at `from` or behind it. */
function endFrom(
  units: Units,
  start: number,
  from: number,
  options: WindowOptions,
): number | Promise<number> {
  for (let end = from; ; end++) {
    if (units.list.at(end) === undefined && !units.complete)
      return after(units.at(end), () => endFrom(units, start, end, options));
    if (closes(units, end, options) || units.tokens(start, end + 1) > options.chunkSize) return end;
  }
}

/** Where `minChunkSize` is left behind the end of a window, or the text or section ends. */
function aheadOf(
  units: Units,
  end: number,
  from: number,
  options: WindowOptions,
): number | Promise<number> {
  if (options.minChunkSize === 0) return end;
  for (let ahead = from; ; ahead++) {
    if (units.list.at(ahead) === undefined && !units.complete)
      return after(units.at(ahead), () => aheadOf(units, end, ahead, options));
    if (closes(units, ahead, options)) return ahead;
    if (ahead > end && units.tokens(end, ahead) >= options.minChunkSize) return ahead;
  }
}

/** Whether a window ends before a unit whatever its tokens: at the end of the text or a section. */
function closes({ list }: Units, end: number, { sectionBreaks }: WindowOptions): boolean {
  return end === list.length || (sectionBreaks && list.at(end)?.startsSection === true);
}

function windowTo(
  units: Units,
  { start, end, ahead }: Pick<Window, "start" | "end" | "ahead">,
  options: WindowOptions,
  before: Window | undefined,
): Window {
  const { minChunkSize } = options;
  const closed = closes(units, end, options);
  let first = start + 1;
  let last = closed ? end - 1 : end;
  let latest = last;
  if (minChunkSize > 0) {
    if (before !== undefined) first = Math.max(first, before.first);
    while (first < end && units.tokens(start, first) < minChunkSize) first += 1;
    if (closes(units, ahead, options)) {
      const known = before?.ahead === ahead ? before.latest : ahead;
      latest = Math.max(start, Math.min(ahead - 1, known));
      while (latest > start && units.tokens(latest, ahead) < minChunkSize) latest -= 1;
      last = Math.max(closed ? start : first, Math.min(last, latest));
    }
  }
  return { start, end, closed, first, last, ahead, latest };
}

/** What a window's boundary is when nothing shifts: its end, which is the last candidate too where it is not closed. */
export function isForced({ closed, first, last }: Window): boolean {
  return closed ? first > last : first === last;
}
