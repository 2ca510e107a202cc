/** Test files: SQLite stores in directories of their own, removed at the end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { silentLog } from "../../host/silent-log.ts";
import { systemClock } from "../../host/system-clock.ts";
import { countingIds } from "../../testing/counting-ids.ts";
import { type OpenedSqliteStore, openSqliteStore, type SqliteStoreOptions } from "./index.ts";

const dirs: string[] = [];
afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "mooring-store-"));
  dirs.push(dir);
  return dir;
}

export const openTestStore = (
  over: Partial<SqliteStoreOptions> & { readonly path: string },
): Promise<OpenedSqliteStore> => openSqliteStore({ ids: countingIds(), clock: systemClock, log: silentLog, ...over });
