import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { LumberChunkerSplitter } from "../../src/splitter.js";
import { mobyDick } from "../helpers/books.js";
import { cpuOf } from "./cpu.js";
import { byHash, characters, decider } from "./decider.js";
import type { Table } from "./table.js";

const COPIES = [1, 2, 4, 8, 16, 32];
const MB = 1_000_000;

/** UTF-16 units of a copy: 32 of them have 50 MB. */
const COPY = 1_600_000;

/** What each copy of a text costs, in time and in memory, when there are more of them. */
export async function growth(): Promise<Table> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const book = `${mobyDick().join("\n\n")}\n\n`;
  const copy = `${book.repeat(2).slice(0, COPY)}\n\n`;
  const rows: Table["rows"] = [];
  for (const copies of [1, ...COPIES]) {
    const text = Buffer.from(copy.repeat(copies)).toString();
    const splitter = new LumberChunkerSplitter({
      boundaryChain: decider(byHash()).chain,
      lengthFunction: characters,
    });
    collect();
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }, 20);
    const time = await cpuOf(() => splitter.splitText(text));
    clearInterval(watch);
    rows.push({
      copies,
      "text, MB": (text.length / MB).toFixed(1),
      "CPU, ms a copy": (time / copies).toFixed(0),
      "most memory, MB": (most / MB).toFixed(0),
      "bytes a byte of text": (most / text.length).toFixed(1),
    });
  }
  return {
    title: "Growth",
    about:
      "CPU time for each copy of 1.6 MB of Moby Dick in one text, and the most heap in use, in all and for each byte of the text, with a decider that answers at once; 4 characters a token.",
    rows: rows.slice(1),
  };
}
