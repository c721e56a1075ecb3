/** A small text of one shape, and its units as they were written down by hand. */
export interface CorpusInput {
  name: string;
  text: string;
  /** How paragraphs are found. Default `"auto"`. */
  rule?: "auto" | "markdown" | "chapters";
  /** Default 100. */
  chunkSize?: number;
  /** What is counted. Default: words, that is what white space parts. */
  count?: "words" | "characters";
  units: string[];
  /** The section of each unit. Default: none. */
  sections?: string[];
}
