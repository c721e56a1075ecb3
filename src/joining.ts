import type { Walk, WalkText } from "./path.js";

/** What has been seen of walks that ran past the beginning of others: steps that met them or not. */
export interface Joins {
  hits: number;
  misses: number;
}

/** A walk that others have run past for so many steps without joining is given up. */
const PATIENCE = 10;

/** The share of the questions that walks which never join may cost, beside a question for each. */
const WASTE = 1 / 5;

/** Of that, the questions kept for probes. */
const RESERVE = 2 * PATIENCE;

/** For so many walks there is a probe at a time, and so many probes may come to nothing. */
const WALKS_A_PROBE = 8;
const PROBES = 3;

/** How many questions a stretch must have for each walk in it. */
const WORTH = 2;

/** As many hits, with `WORTH` misses each, are taken as seen before there are enough to go by. */
const FEW = 3;

/**
 * Whether the walks in one text join, as far as can be seen, and what they may cost.
 *
 * That they join is checked, not assumed: probes begin right behind walks. Until a probe has joined
 * the walk before it, the walks may not ask more in vain than a share of what the whole way will
 * take: first all are given up but the one on the way and the probes, then the probes too. Where
 * neighbours can't be expected to join, probes come first.
 */
export class Joining {
  /** Starts that were asked, and those of them that are on the way from 0. */
  #asked = 0;
  #onTheWay = 0;
  /** Questions that were to be expected where walks have gone. */
  #expected = 0;
  #joinedProbes = 0;
  #failedProbes = 0;

  constructor(
    private readonly text: WalkText,
    private readonly maxConcurrency: number,
    private readonly joins: Joins,
  ) {}

  /** How many walks the text may have, the probes not counted; `covered` in questions. */
  most(covered: number): number {
    if (!this.#trusted()) return this.#early() || this.#left() <= RESERVE ? 0 : Infinity;
    const twice = this.#ratio() * Math.max(0, this.#expected - covered);
    return 1 + Math.floor((this.#budget() - twice) / (1 + this.#missesPerHit()));
  }

  /** How many probes there may be at a time. */
  get probes(): number {
    const most = this.#early() ? 1 : Math.ceil(this.maxConcurrency / WALKS_A_PROBE);
    const enough = this.#trusted() || this.#failedProbes >= PROBES * most || this.#left() < 0;
    return enough ? 0 : most;
  }

  /** Whether a walk that is not on the way may go on, where there are so many. */
  mayGoOn(walk: Walk, walks: number, covered: number): boolean {
    if (this.#trusted()) return walks <= this.most(covered);
    return this.#left() > (walk.behind === undefined ? RESERVE : 0);
  }

  /** Questions that a stretch must have for each walk in it: at least those lost until they join. */
  get worth(): number {
    return Math.max(WORTH, this.#missesPerHit());
  }

  ask(): void {
    this.#asked += 1;
  }

  answer(questions: number): void {
    this.#expected += questions;
  }

  advance(): void {
    this.#onTheWay += 1;
  }

  /**
   * A walk has met another at a start. Until walks are trusted to join, only a probe and the walk
   * before it tell: others may step in time, and meet where one of them began or never.
   */
  meet(walk: Walk, met: Walk, at: number): void {
    const told = (met.behind === walk && at !== met.begin) || met === walk.behind;
    if (told) this.#joinedProbes += 1;
    if (this.#trusted() || told) this.joins.hits += 1;
  }

  /** A walk has been run past without being met. Whether it is to be given up for that. */
  miss(walk: Walk): boolean {
    walk.passed += 1;
    const late = walk.passed > PATIENCE;
    if (walk.behind === undefined) this.joins.misses += 1;
    else if (late) {
      this.#failedProbes += 1;
      this.joins.misses += PATIENCE;
    }
    return late;
  }

  /** Whether neighbours can't be expected to join, so that probes must have shown it first. */
  #early(): boolean {
    return this.text.joins === false;
  }

  #trusted(): boolean {
    if (this.text.remembers) return true;
    return this.#early() ? this.#joinedProbes >= FEW : this.joins.hits > 0;
  }

  #missesPerHit(): number {
    return (this.joins.misses + FEW * WORTH) / (this.joins.hits + FEW);
  }

  /** Questions that were asked for each that was expected. */
  #ratio(): number {
    return this.#asked / Math.max(1, this.#expected);
  }

  /** Questions that may be asked in vain. */
  #budget(): number {
    const { size } = this.text;
    const expected = this.text.questions?.(0, size) ?? size;
    return WASTE * this.#ratio() * expected + this.maxConcurrency;
  }

  /** What is left of that, if nothing that is not on the way will ever be. */
  #left(): number {
    return this.#budget() - (this.#asked - this.#onTheWay);
  }
}
