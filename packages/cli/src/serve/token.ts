/**
 * The token of a server. Invariants: `MOORING_TOKEN` wins; the one in the data directory is made once, for its owner only;
 * neither is ever printed.
 */
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../data-dir.ts";
import { messageOf } from "../failure.ts";
import { UsageError } from "../usage-error.ts";

const variable = "MOORING_TOKEN";
/** Random bytes of a token that is made. */
const tokenBytes = 32;

export const tokenFile = (dataDir: string): string => join(dataDir, "token");

/** One a person set; the generated one does not count. */
export const ownToken = (env: Environment): string | null => env[variable]?.trim() || null;

/** Makes one at the first start. The data directory is there, and locked. */
export async function serverToken(dataDir: string, env: Environment): Promise<string> {
  const own = ownToken(env);
  if (own !== null) return own;
  const found = await storedToken(dataDir);
  if (found !== null) return found;
  const made = randomBytes(tokenBytes).toString("base64url");
  await writeFile(tokenFile(dataDir), `${made}\n`, { mode: 0o600 });
  return made;
}

/** What a command sends to the server of a data directory. Throws a `UsageError` when there is none. */
export async function clientToken(dataDir: string, env: Environment): Promise<string> {
  const token = ownToken(env) ?? (await storedToken(dataDir));
  if (token !== null) return token;
  const hint = `Set ${variable} to the one the server was started with.`;
  throw new UsageError(`A server runs, and ${tokenFile(dataDir)} has no token for it.`, hint);
}

async function storedToken(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(tokenFile(dataDir), "utf8")).trim() || null;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
    throw new UsageError(`The token cannot be read: ${messageOf(cause)}`, `Set ${variable}, or make it readable.`);
  }
}
