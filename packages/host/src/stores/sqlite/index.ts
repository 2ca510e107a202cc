/**
 * The SQLite store, `@mooring/host/sqlite`: one file, one thread that owns it, one transaction per flush over all
 * sessions. Durable when a write resolves (WAL, `synchronous=FULL`).
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Migration } from "kysely/migration";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { defaultStoreLimits, type StoreLimits } from "../limits.ts";
import { openDatabase } from "./open-database.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { StoreThread } from "./thread.ts";

export type { StoreLimits } from "../limits.ts";
export { type DataDirLock, type LockHolder, lockDataDir } from "./lock-data-dir.ts";

export type SqliteStoreOptions = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<StoreLimits>;
  /** More migrations, after the product's own. A seam for tests of migrations that fail. */
  readonly migrations?: Readonly<Record<string, Migration>>;
} & (
  | { /** The database file. */ readonly path: string }
  | { /** Holds it as `mooring.db`; take `lockDataDir` first. */ readonly dataDir: string }
);
/** The store, and how many flushes it has begun. */
export type OpenedSqliteStore = Store & { readonly flushes: number };

/**
 * Opens the database, making it if need be. Rejects with `database-corrupt`, `database-foreign`, `schema-newer` or
 * `migration-failed`; the file is untouched then.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<OpenedSqliteStore> {
  const { ids, migrations = {} } = options;
  const path = resolve("path" in options ? options.path : join(options.dataDir, "mooring.db"));
  const limits = { ...defaultStoreLimits, ...options.limits };
  const id = await openDatabase({ path, migrations, limits, version: ownVersion(), newId: () => storeId(ids) });
  const thread = await StoreThread.start({ path, limits });
  return new SqliteStore({ id, path, thread, limits, clock: options.clock, log: options.log });
}

/** The random end of a UUID: lower-case hexadecimal digits. */
const storeId = (ids: Ids): string => ids.uuid().replaceAll("-", "").slice(-12);

function ownVersion(): string {
  const found: unknown = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  return typeof found === "object" && found !== null && "version" in found
    ? String(found.version)
    : "of unknown version";
}
