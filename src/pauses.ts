/**
 * What is found bit by bit: `undefined` stands where nothing has come for a while and others may
 * have their turn.
 */
export type Paced<T> = Iterable<T | undefined>;

/** What is found, for those who can't wait. */
export function* withoutPauses<T>(paced: Paced<T>): Generator<T> {
  for (const found of paced) if (found !== undefined) yield found;
}
