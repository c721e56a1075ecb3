/**
 * Goes on with a value at once where it is there, else when its promise is. Each promise costs about
 * a microsecond while `AsyncLocalStorage` is in use, as it is in LangChain: a book has thousands of
 * units.
 */
export function after<T, R>(
  value: T | Promise<T>,
  goOn: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
