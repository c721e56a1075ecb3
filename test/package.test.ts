import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, "..");
const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
const entries = Object.entries(manifest.exports).filter(([path]) => path !== "./package.json") as [
  string,
  Record<"import" | "require", Record<"types" | "default", string>>,
][];
const publicNames: Record<string, string[]> = {
  ".": [
    "InvalidBoundaryError",
    "InvalidParameterError",
    "LumberChunkerSplitter",
    "createBoundaryChain",
    "tokenLength",
  ],
  "./offline": ["LexicalCohesionChatModel"],
};

/** A user's project: the packed package, and beside it what its manifest declares, nothing else. */
let project: string;
let installed: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "lumberchunker-package-"));
  installed = join(project, "node_modules", manifest.name);
  await run("npm", ["run", "build"], { cwd: repository });
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", project], {
    cwd: repository,
  });
  await mkdir(installed, { recursive: true });
  const archive = join(project, `${manifest.name}-${manifest.version}.tgz`);
  await run("tar", ["-xzf", archive, "-C", installed, "--strip-components=1"]);
  for (const name of declared) {
    const place = join(project, "node_modules", name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(repository, "node_modules", name), place);
  }
}, 120_000);

afterAll(() => rm(project, { recursive: true, force: true }));

/** What a user's own script prints, as JSON. */
async function runInProject(file: string, script: string): Promise<unknown> {
  await writeFile(join(project, file), script);
  const { stdout } = await run(process.execPath, [file], { cwd: project });
  return JSON.parse(stdout);
}

/** Every module outside the package that a built file reaches, lazily loaded ones too. */
async function importsOf(file: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file)) return new Set();
  seen.add(file);
  const { importedFiles } = ts.preProcessFile(await readFile(file, "utf8"), true, true);
  const found = new Set<string>();
  for (const { fileName } of importedFiles) {
    if (!fileName.startsWith(".")) found.add(fileName);
    else for (const name of await importsOf(join(dirname(file), fileName), seen)) found.add(name);
  }
  return found;
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

describe.each(entries)("the built entry %s", (path, conditions) => {
  const specifier = join(manifest.name, path);

  it("loads by import and by require, and gives the same names", async () => {
    const imported = await runInProject(
      "names.mjs",
      `import * as entry from "${specifier}";
       console.log(JSON.stringify(Object.keys(entry).sort()));`,
    );
    const required = await runInProject(
      "names.cjs",
      `console.log(JSON.stringify(Object.keys(require("${specifier}")).sort()));`,
    );
    expect(imported).toEqual(expect.arrayContaining(publicNames[path] ?? []));
    expect(imported).not.toEqual([]);
    expect(required).toEqual(imported);
  });

  it.each(["import", "require"] as const)("reaches no Node module by %s", async (condition) => {
    const imports = await importsOf(join(installed, conditions[condition].default));
    expect([...imports].filter(isBuiltin)).toEqual([]);
  });

  it.each(["import", "require"] as const)("reaches declared packages only by %s", async (kind) => {
    const imports = await importsOf(join(installed, conditions[kind].default));
    const undeclared = [...imports].filter((name) => !declared.includes(packageOf(name)));
    expect(undeclared).toEqual([]);
  });

  it.each(["import", "require"] as const)("has its types for %s", async (condition) => {
    const types = await readFile(join(installed, conditions[condition].types), "utf8");
    expect(types).toMatch(/\bexport\b/);
  });
});

describe("the packed package", () => {
  it("counts tokens by import and by require, its ranks loaded lazily", async () => {
    const count = `tokenLength("cl100k_base")("hello world")`;
    const imported = await runInProject(
      "count.mjs",
      `import { tokenLength } from "${manifest.name}";
       console.log(await ${count});`,
    );
    const required = await runInProject(
      "count.cjs",
      `const { tokenLength } = require("${manifest.name}");
       Promise.resolve(${count}).then(console.log);`,
    );
    expect([imported, required]).toEqual([2, 2]);
  });

  it("leaves the optional peers out of the root entry", async () => {
    const optional = Object.keys(manifest.peerDependenciesMeta);
    const imports = await importsOf(join(installed, "dist/index.js"));
    expect([...imports].filter((name) => optional.includes(packageOf(name)))).toEqual([]);
  });
});
