import { BOOKS } from "./books.js";
import { HOSTILE } from "./hostile.js";
import type { CorpusInput } from "./input.js";
import { LINE_ENDS } from "./line-ends.js";
import { MARKUP } from "./markup.js";
import { PAGES } from "./pages.js";
import { SCRIPTS } from "./scripts.js";
import { TALK } from "./talk.js";

/** Texts as people have them, by shape. */
export const CORPUS: Record<string, readonly CorpusInput[]> = {
  books: BOOKS,
  pages: PAGES,
  talk: TALK,
  markup: MARKUP,
  "line ends": LINE_ENDS,
  scripts: SCRIPTS,
  "what other splitters get wrong": HOSTILE,
};
