/**
 * Makes a database file ready for the store's thread: looks at it without touching it, then brings it to the newest
 * schema. Invariant: a file that is refused is left byte for byte as it was.
 */
import { chmodSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Migration } from "kysely/migration";
import { MooringError } from "../../protocol/errors.ts";
import type { StoreLimits } from "../limits.ts";
import { resultCode, resultCodes } from "./failure.ts";
import { makeDataDir } from "./make-data-dir.ts";
import { applicationId, migrationNames } from "./schema-names.ts";

export type DatabaseOptions = {
  readonly path: string;
  /** This package's version, left in a schema it writes. */
  readonly version: string;
  /** After the product's own; only tests have any. */
  readonly migrations: Readonly<Record<string, Migration>>;
  readonly limits: Pick<StoreLimits, "lockWaitMs">;
  /** A random id for a database that has none yet, or is a copy of another. */
  readonly newId: () => string;
};

/**
 * The id of the store. Throws `database-corrupt`, `database-foreign`, `schema-newer`, `migration-failed`.
 */
export async function openDatabase(options: DatabaseOptions): Promise<string> {
  const { path, migrations, version } = options;
  const known = [...migrationNames, ...Object.keys(migrations)];
  const found = inspect(path, known, version);
  const current = known.every((name) => found.applied.includes(name));
  // The usual start: nothing to write, so the store's thread is the first to write, off the host's loop.
  if (current && found.id !== null && !found.isCopy) return found.id;
  makeDataDir(dirname(path));
  const db = new DatabaseSync(path);
  chmodSync(path, 0o600); // whole conversations; SQLite's files beside it take the same mode
  try {
    db.exec(`PRAGMA busy_timeout = ${options.limits.lockWaitMs}`);
    if (!current) await migrateToNewest(db, options);
    return identify(db, options.newId);
  } finally {
    db.close();
  }
}

/** Kysely takes 150 ms and 23 MB: only a process that has a schema to write loads it. */
async function migrateToNewest(db: DatabaseSync, { migrations, version }: DatabaseOptions): Promise<void> {
  const [{ migrate }, own] = await Promise.all([import("./migrate.ts"), import("./migrations.ts")]);
  await migrate(db, { ...own.migrations, ...migrations }, version);
}

type Found = { readonly applied: readonly string[]; readonly id: string | null; readonly isCopy: boolean };
const nothing: Found = { applied: [], id: null, isCopy: false };

function inspect(path: string, known: readonly string[], version: string): Found {
  if (!statSync(path, { throwIfNoEntry: false })?.size) return nothing;
  try {
    // Read-only: closing it does not write a left-over journal back.
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      return read(db, path, known, version);
    } finally {
      db.close();
    }
  } catch (cause) {
    const code = resultCode(cause);
    if (code !== resultCodes.corrupt && code !== resultCodes.notADatabase) throw cause;
    throw new MooringError(
      "database-corrupt",
      `${path} is not a readable SQLite database and was left as it is. Put a backup in its place, or move it away to start empty.`,
      { cause, detail: { path } },
    );
  }
}

function read(db: DatabaseSync, path: string, known: readonly string[], version: string): Found {
  const tables = namesIn(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'kysely_%'");
  if (tables.length === 0) return nothing;
  if (db.prepare("PRAGMA application_id").get()?.["application_id"] !== applicationId)
    throw new MooringError(
      "database-foreign",
      `${path} is a database of another program and was left as it is. Choose another path.`,
      { detail: { path } },
    );
  const applied = namesIn(db, "SELECT name FROM kysely_migration");
  if (applied.every((name) => known.includes(name)))
    return { applied, id: metaOf(db, "store"), isCopy: metaOf(db, "copy") !== null };
  const writer = metaOf(db, "version");
  throw new MooringError(
    "schema-newer",
    `${path} was written by Mooring ${writer}; this is ${version}, which cannot read it. The file was left as it is. ` +
      `Install Mooring ${writer} or newer, or choose another data directory.`,
    { detail: { path, writer, version } },
  );
}

const namesIn = (db: DatabaseSync, text: string): string[] =>
  db
    .prepare(text)
    .all()
    .map((row) => String(row["name"]));

function metaOf(db: DatabaseSync, key: string): string | null {
  const value = db.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.["value"];
  return value === undefined ? null : String(value);
}

/** The store's id; a new one for a new database, and for a copy, so that cursors of the original are told apart. */
function identify(db: DatabaseSync, newId: () => string): string {
  const old = metaOf(db, "store");
  if (old !== null && metaOf(db, "copy") === null) return old;
  let id = newId();
  // Tests make ids that repeat.
  while (id === old) id = newId();
  db.exec("BEGIN IMMEDIATE");
  db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('store', ?)").run(id);
  db.exec("DELETE FROM meta WHERE key = 'copy'; COMMIT");
  return id;
}
