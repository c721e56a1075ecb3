import { InvalidParameterError } from "./errors.js";

/**
 * Options that are known by their names. One that is undefined counts as left out.
 *
 * @throws InvalidParameterError for a name that is not known.
 */
export function checkNames(options: object, known: readonly string[], owner: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    const expected = `left out: the parameters of ${owner} are ${known.join(", ")}`;
    throw new InvalidParameterError(name, expected, value);
  }
}
