/** A label at the beginning of a line, as definitions of links and footnotes have it. */
const DEFINITION = /^[ \t>]*\[((?:[^\][\\]|\\.){1,999})\]:/gm;

const LABEL = /\[((?:[^\][\\]|\\.)+)\]/g;

/**
 * The labels that a text defines somewhere, for the few places that name one: what looks like a
 * definition counts as one. The text is searched when the first is asked for, once.
 */
export class Definitions {
  #labels: Set<string> | undefined;

  constructor(private readonly text: string) {}

  /** The labels in brackets in a piece of the text that are defined. */
  labelsIn(source: string): string[] {
    const named = [...source.matchAll(LABEL)].map(([, label = ""]) => label);
    return named.filter((label) => this.#has(label));
  }

  #has(label: string): boolean {
    this.#labels ??= new Set(
      [...this.text.matchAll(DEFINITION)].map(([, defined = ""]) => normalized(defined)),
    );
    return this.#labels.has(normalized(label));
  }
}

/** Labels are one whatever their case and white space. */
function normalized(label: string): string {
  return label.trim().split(/\s+/).join(" ").toLowerCase().toUpperCase();
}
