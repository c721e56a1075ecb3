import type { Walk, WalkText } from "./path.js";

/** What has been seen in a run of walks that ran past the beginning of others, in all its texts. */
export interface Seen {
  /** Walks that met another. */
  hits: number;
  /** Steps that were taken past the beginning of another walk without meeting it. */
  misses: number;
  /** Questions in vain that went beyond the shares of their texts. */
  excess: number;
}

/** A walk that others have run past for so many steps without joining is given up. */
const PATIENCE = 10;

/**
 * The share of the questions that may be asked in vain, and beside it questions for each place, but
 * of a short text no more than half of its own.
 */
const WASTE = 1 / 8;
const WASTE_A_PLACE = 1 / 2;

/** Questions that are lost until a walk joins, where nothing is known of it. */
const LOST = 2;

/** So many hits, with as many misses each as were to be expected, are taken as seen. */
const FEW = 3;

/**
 * How many walks one text may have, so that what is asked in vain stays a share of the whole: as
 * many as that share pays for, if each costs what it takes walks to join, by what has been seen.
 */
export class Joining {
  #asked = 0;
  /** Questions that were to be expected where walks have gone. */
  #expected = 0;
  /** Of the run's excess, what this text has caused. */
  #excess = 0;

  constructor(
    private readonly text: WalkText,
    private readonly maxConcurrency: number,
    private readonly seen: Seen,
  ) {}

  /** How many walks the text may have; `covered` in questions. */
  most(covered: number): number {
    const { size } = this.text;
    const ratio = this.#asked / Math.max(1, this.#expected);
    const questions = this.text.questions?.(0, size) ?? size;
    const share = WASTE * ratio * questions;
    const places = Math.min(WASTE_A_PLACE * this.maxConcurrency, questions / 2);
    const twice = ratio * Math.max(0, this.#expected - covered);
    const excess = Math.max(0, twice - share);
    this.seen.excess += excess - this.#excess;
    this.#excess = excess;
    const left = Math.max(0, share - twice) + places - this.seen.excess;
    return 1 + Math.floor(left / (1 + this.#missesPerHit()));
  }

  ask(): void {
    this.#asked += 1;
  }

  answer(questions: number): void {
    this.#expected += questions;
  }

  meet(): void {
    this.seen.hits += 1;
  }

  /** A walk has been run past without being met. Whether it is to be given up for that. */
  miss(walk: Walk): boolean {
    walk.passed += 1;
    this.seen.misses += 1;
    return walk.passed > PATIENCE;
  }

  #missesPerHit(): number {
    const { hits, misses } = this.seen;
    return (misses + FEW * (this.text.lost ?? LOST)) / (hits + FEW);
  }
}
