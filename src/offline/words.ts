const RUN = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts that are written without spaces between words, with the marks they share. */
const UNSPACED_OR_SPACED =
  /(?<unspaced>[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;

/**
 * The words of a text in lower case: runs of letters, marks and digits; where a script has no spaces
 * between words, each two neighbouring characters.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.toLowerCase().matchAll(RUN)) {
    for (const part of run.matchAll(UNSPACED_OR_SPACED)) {
      if (part.groups?.unspaced === undefined) words.push(part[0]);
      else pushPairs(part[0], words);
    }
  }
  return words;
}

function pushPairs(run: string, words: string[]): void {
  const characters = Array.from(run);
  if (characters.length === 1) words.push(run);
  for (let i = 1; i < characters.length; i++) words.push(`${characters[i - 1]}${characters[i]}`);
}
