/** Where in a window a chunk ended: the place of the boundary among so many candidates, 1-based. */
interface Seen {
  place: number;
  candidates: number;
}

/** Where the next chunk begins after a start, as a place among the candidates of its window. */
export type Habit = (start: number, candidates: number) => number;

/** So many answers tell of the next; of windows of one length so many. */
const ENOUGH = 4;

/** Answers that are kept of windows of one length: more would not tell more. */
const MOST = 64;

/**
 * What the answers of a run have in common: whether they fall anywhere in their windows, or always
 * at the same place.
 *
 * A decider that takes no notice of what it reads answers by the place. So what has been seen in
 * windows with as many candidates is taken to go on; where there were few, what has been seen in
 * all is read in three ways: as a place from the start of the window, from its end, or as a share.
 */
export class Habits {
  readonly #all: Seen[] = [];
  readonly #byCandidates = new Map<number, Seen[]>();
  #count = 0;
  #version = 0;

  /** Goes up when so much has been seen that it may tell something else. */
  get version(): number {
    return this.#version;
  }

  saw(place: number, candidates: number): void {
    const alike = this.#byCandidates.get(candidates) ?? [];
    this.#byCandidates.set(candidates, alike);
    for (const kept of [alike, this.#all]) if (kept.length < MOST) kept.push({ place, candidates });
    this.#count += 1;
    if (this.#count >= ENOUGH * 2 ** this.#version) this.#version += 1;
  }

  /** What the next answers may be like, functions of the start alone; none before there are enough. */
  get readings(): readonly Habit[] {
    if (this.#version === 0) return [];
    const like = (start: number, candidates: number): Seen => {
      const alike = this.#byCandidates.get(candidates) ?? [];
      const seen = alike.length < ENOUGH ? this.#all : alike;
      return seen[scatter(start) % seen.length] as Seen;
    };
    return [
      (start, candidates) => like(start, candidates).place,
      (start, candidates) => {
        const { place, candidates: of } = like(start, candidates);
        return candidates - of + place;
      },
      (start, candidates) => {
        const { place, candidates: of } = like(start, candidates);
        return Math.ceil((place * candidates) / of);
      },
    ];
  }
}

/** A number that neighbours don't share (the finalizer of MurmurHash3, which is in the public domain). */
export function scatter(start: number): number {
  let mixed = Math.imul(start ^ (start >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
