/**
 * Checks the packages as they ship, after a build: publint's rules, every entry imported by a plain Node (no source
 * condition) and read by a plain TypeScript, and the command used once.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { type Package, packagesInOrder, root, run } from "./workspace.ts";

/** What an importer writes: `@mooring/host`, `@mooring/host/driver`. A package that is a command or a page has none. */
const entriesOf = ({ manifest }: Package): readonly string[] =>
  manifest.bin
    ? []
    : Object.keys(manifest.exports).flatMap((path) => (path.endsWith(".json") ? [] : [manifest.name + path.slice(1)]));

async function rulesHold({ directory, manifest }: Package): Promise<boolean> {
  const { messages, pkg } = await publint({ pkgDir: directory, pack: "npm", strict: true, level: "warning" });
  for (const message of messages) console.error(`${manifest.name}: ${formatMessage(message, pkg)}`);
  return messages.length === 0;
}

async function entriesLoad(entries: readonly string[]): Promise<boolean> {
  const script = `for (const entry of ${JSON.stringify(entries)}) await import(entry);`;
  return run("node", ["--input-type=module", "-e", script]);
}

/** In a folder of the repository, so that the packages are found in its `node_modules`. */
async function typesLoad(entries: readonly string[]): Promise<boolean> {
  const directory = mkdtempSync(join(root, "node_modules", ".types-"));
  try {
    const imports = entries.map((entry, index) => `export type * as entry${index} from "${entry}";`);
    writeFileSync(join(directory, "entries.mts"), imports.join("\n"));
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--skipLibCheck", "--types", "node"];
    return await run("tsc", ["--ignoreConfig", ...flags, join(directory, "entries.mts")]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The command opens a data directory of its own, which starts the store's thread from the built files. */
async function commandWorks({ directory, manifest }: Package): Promise<boolean> {
  const home = mkdtempSync(join(tmpdir(), "mooring-built-"));
  try {
    for (const file of Object.values(manifest.bin ?? {})) {
      const args = [join(directory, file), "sessions", "ls", "--json"];
      if (!(await run("node", args, { directory: home, env: { MOORING_HOME: home } }))) return false;
    }
    return true;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const packages = packagesInOrder();
const entries = packages.flatMap(entriesOf);
const results = [
  ...(await Promise.all(packages.map(rulesHold))),
  await entriesLoad(entries),
  await typesLoad(entries),
  ...(await Promise.all(packages.map(commandWorks))),
];
if (results.includes(false)) process.exitCode = 1;
else console.log(`${packages.length} packages, ${entries.length} entries`);
