/** How the person started the command, so that every hint can be typed as it is printed. Pure. */
import { basename, delimiter, dirname, relative, resolve } from "node:path";
import type { Environment } from "./data-dir.ts";

export type Start = {
  readonly env: Environment;
  /** Where the person is. Absolute. */
  readonly cwd: string;
  /** The script, as Node was given it; empty: there is none. */
  readonly script: string;
  readonly execPath: string;
  /** Node's own flags. */
  readonly execArgv: readonly string[];
};

const packageName = "@mooring/cli";

/** What to type in front of a subcommand: `mooring`, `npm start --`, `npx mooring`, or Node and the script. */
export function startedAs({ env, cwd, script, execPath, execArgv }: Start): string {
  if (env["npm_lifecycle_event"] === "start") return "npm start --";
  const name = basename(script);
  if (/\.[jt]s$/.test(name)) return [nodeOf(env, execPath), ...execArgv, nearest(script, cwd)].map(quoted).join(" ");
  if (env["npm_command"] === "exec" || env["npm_lifecycle_event"])
    return `npx ${script.includes("/_npx/") ? packageName : name}`;
  return isOnPath(dirname(script), env) ? name : quoted(nearest(script, cwd));
}

function nodeOf(env: Environment, execPath: string): string {
  return isOnPath(dirname(execPath), env) ? basename(execPath) : execPath;
}

function isOnPath(directory: string, env: Environment): boolean {
  const places = (env["PATH"] ?? "").split(delimiter).filter((place) => place !== "");
  return places.some((place) => resolve(place) === resolve(directory));
}

/** Relative when it is below the person's directory; a path always has a slash, or the shell would search for it. */
function nearest(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near === "" || near.startsWith("..") ? path : `./${near}`;
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
