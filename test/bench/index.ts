import { concurrency } from "./concurrency.js";
import { cpu } from "./cpu.js";
import { estimate } from "./estimate.js";
import { eventLoop } from "./event-loop.js";
import { growth } from "./growth.js";
import { retrieval } from "./retrieval.js";
import { store } from "./store.js";
import { print, type Table } from "./table.js";
import { waste } from "./waste.js";

/** `npm run bench` prints all tables, `npm run bench <name>` one. */
const TABLES: Record<string, () => Promise<Table>> = {
  "event-loop": eventLoop,
  cpu,
  growth,
  concurrency,
  waste,
  store,
  estimate,
  retrieval,
};

const [name] = process.argv.slice(2);
if (name !== undefined && !Object.hasOwn(TABLES, name)) {
  console.error(`There is no table ${name}. There are: ${Object.keys(TABLES).join(", ")}`);
  process.exitCode = 1;
} else {
  const begun = performance.now();
  for (const [key, measure] of Object.entries(TABLES))
    if (name === undefined || name === key) print(await measure());
  console.log(`\nTook ${((performance.now() - begun) / 1000).toFixed(0)} s.`);
}
