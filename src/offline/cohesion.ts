import { wordsOf } from "./words.js";

/** A gap that words bridge more than chance would, by this many standard deviations, is no place. */
const MOST_COHESION = 1 / 2;

/** The least share of a window's words on either side of a place. */
const LEAST_SHARE = 1 / 16;

/** What a drop of one standard deviation counts against the place; from 0.3 to 0.75 works as well. */
const DROP_WEIGHT = 1 / 2;

/** A word in more paragraphs than this stands everywhere, and tells nothing. */
const MOST_PARAGRAPHS = 64;

/** The paragraphs in which one word stands. */
interface Spread {
  first: number;
  last: number;
  count: number;
}

/** Words that stand in the same number of paragraphs. */
interface Rarity {
  /** Sum of the words' weights, and of their squares. */
  weight: number;
  square: number;
}

/**
 * Chooses the paragraph before which lexical cohesion drops most: TextTiling's idea (Hearst 1997,
 * "TextTiling: Segmenting Text into Multi-paragraph Subtopic Passages"), with a measure of our own.
 *
 * A word bridges a gap when it stands both before and after it. Fewer bridges than chance would
 * give are a drop, in standard deviations; each word counts by its rarity, log((n + 1) / n with the
 * word). Where there are clearly more, nothing shifts; nor does it where less than a sixteenth of the
 * words would stand on one side. To half the drop is added how well the place suits: the logarithm of
 * s²(1 − s), where s is the share of words before the candidate. It is highest at two thirds of the
 * window, and low at both ends. Of equal candidates the earlier wins.
 *
 * @returns the index of a paragraph, at least 1; 0 when nothing shifts.
 */
export function strongestShift(paragraphs: readonly string[]): number {
  const words = paragraphs.map((text) => wordsOf(text));
  const shares = sharesBefore(words);
  const drops = cohesionDrops(words, shares);
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let index = 1; index < paragraphs.length; index++) {
    const drop = drops[index]!;
    const share = shares[index]!;
    if (drop < -MOST_COHESION || Math.min(share, 1 - share) < LEAST_SHARE) continue;
    const score = DROP_WEIGHT * drop + Math.log(share ** 2 * (1 - share));
    if (score > highest) [best, highest] = [index, score];
  }
  return best;
}

/** For each paragraph, the share of words before it. One word more for each, so none is empty. */
function sharesBefore(words: readonly string[][]): number[] {
  const total = words.reduce((sum, { length }) => sum + length + 1, 0);
  let before = 0;
  return words.map(({ length }) => {
    const share = before / total;
    before += length + 1;
    return share;
  });
}

/**
 * For each paragraph, how far the bridges over the gap before it fall short of what chance gives.
 * A word in k paragraphs bridges a gap by chance with p = 1 − sᵏ − (1 − s)ᵏ.
 */
function cohesionDrops(words: readonly string[][], shares: readonly number[]): number[] {
  const { bridges, rarities } = countBridges(words);
  return shares.map((share, index) => {
    let expected = 0;
    let variance = 0;
    for (const [count, { weight, square }] of rarities) {
      const chance = 1 - share ** count - (1 - share) ** count;
      expected += weight * chance;
      variance += square * chance * (1 - chance);
    }
    return variance > 0 ? (expected - bridges[index]!) / Math.sqrt(variance) : 0;
  });
}

/** The weights of the words that bridge the gap before each paragraph, and of all by rarity. */
function countBridges(words: readonly string[][]) {
  const changes = words.map(() => 0);
  const rarities = new Map<number, Rarity>();
  for (const { first, last, count } of spreadsOf(words)) {
    if (count < 2 || count > MOST_PARAGRAPHS) continue;
    const weight = Math.log((words.length + 1) / count);
    const rarity = rarities.get(count) ?? { weight: 0, square: 0 };
    rarity.weight += weight;
    rarity.square += weight ** 2;
    rarities.set(count, rarity);
    changes[first + 1]! += weight;
    if (last + 1 < changes.length) changes[last + 1]! -= weight;
  }
  let sum = 0;
  const bridges = changes.map((change) => (sum += change));
  return { bridges, rarities };
}

function spreadsOf(words: readonly string[][]): Iterable<Spread> {
  const spreads = new Map<string, Spread>();
  for (const [index, paragraph] of words.entries()) {
    for (const word of paragraph) {
      const spread = spreads.get(word);
      if (spread === undefined) spreads.set(word, { first: index, last: index, count: 1 });
      else if (spread.last !== index) {
        spread.last = index;
        spread.count += 1;
      }
    }
  }
  return spreads.values();
}
