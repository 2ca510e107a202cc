/** The packages of this repository and how its commands are run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

export const root = join(import.meta.dirname, "..");

export type Manifest = {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
};
export type Package = { readonly folder: string; readonly directory: string; readonly manifest: Manifest };

/** Each package after those it depends on: the order in which they are built. */
export function packagesInOrder(): readonly Package[] {
  const found = readdirSync(join(root, "packages")).map(readPackage);
  const ordered = new Set<Package>();
  const visit = (one: Package): void => {
    for (const name of Object.keys(one.manifest.dependencies ?? {})) {
      const before = found.find((other) => other.manifest.name === name);
      if (before && !ordered.has(before)) visit(before);
    }
    ordered.add(one);
  };
  for (const one of found) visit(one);
  return [...ordered];
}

function readPackage(folder: string): Package {
  const directory = join(root, "packages", folder);
  return { folder, directory, manifest: JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) };
}

/** Runs a command of `node_modules/.bin`, its output passed on; resolves with whether it succeeded. */
export async function run(
  command: string,
  args: readonly string[],
  { directory = root, env = {} }: { readonly directory?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<boolean> {
  const path = `${join(root, "node_modules", ".bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn(command, args, { cwd: directory, stdio: "inherit", env: { ...process.env, ...env, PATH: path } });
  const [code] = await once(child, "exit");
  return code === 0;
}

/** Builds a folder's static files; resolves with whether it succeeded. */
export const vite = (directory: string): Promise<boolean> =>
  run("vite", ["build", "--logLevel", "warn"], { directory, env: { NODE_ENV: "production" } });
