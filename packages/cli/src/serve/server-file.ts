/**
 * `<data>/server.json`: where the server of a data directory is. Invariants: whole or not there, for its owner only; it is
 * a hint, and the process and its answer are asked before anything is sent there.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type ServerRecord = { readonly url: string; readonly pid: number; readonly version: string };

const fileIn = (dataDir: string): string => join(dataDir, "server.json");

/** Null: there is none that can be read. */
export function readServerFile(dataDir: string): ServerRecord | null {
  try {
    const found: unknown = JSON.parse(readFileSync(fileIn(dataDir), "utf8"));
    const { url, pid, version }: Record<string, unknown> = Object(found);
    if (typeof url !== "string" || !URL.canParse(url)) return null;
    return typeof pid === "number" && typeof version === "string" ? { url, pid, version } : null;
  } catch {
    return null;
  }
}

/** The lock of the data directory is held, so nobody else writes it. */
export function writeServerFile(dataDir: string, record: ServerRecord): void {
  const next = `${fileIn(dataDir)}.${record.pid}`;
  writeFileSync(next, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(next, fileIn(dataDir));
}

export const removeServerFile = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true });
