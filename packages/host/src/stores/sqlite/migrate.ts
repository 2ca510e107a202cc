/**
 * Brings a database file to the newest schema with Kysely's migrator. Invariant: all pending migrations and their records
 * are one immediate transaction, so a crash at any point leaves the schema it found.
 */
import type { DatabaseSync } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
  sql,
} from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { MooringError, messageOf } from "../../protocol/errors.ts";
import type { SqlValue } from "./columns.ts";

/** Throws `migration-failed`; the file is as it was then. */
export async function migrate(
  db: DatabaseSync,
  all: Readonly<Record<string, Migration>>,
  version: string,
): Promise<void> {
  const kysely = new Kysely<object>({ dialect: dialectOf(db) });
  const provider = { getMigrations: () => Promise.resolve(signed(all, version)) };
  const { error } = await new Migrator({ db: kysely, provider }).migrateToLatest();
  if (error !== undefined)
    throw new MooringError(
      "migration-failed",
      `The database could not be brought to the schema of Mooring ${version} and is unchanged: ${messageOf(error)}`,
      { cause: error },
    );
}

/** Each leaves in the file which version wrote its schema: an older one that cannot read it says so. */
function signed(all: Readonly<Record<string, Migration>>, version: string): Record<string, Migration> {
  const sign = sql`INSERT OR REPLACE INTO meta (key, value) VALUES ('version', ${version})`;
  return Object.fromEntries(
    Object.entries(all).map(([name, { up }]) => [
      name,
      {
        up: async (db) => {
          await up(db);
          await sign.execute(db);
        },
      },
    ]),
  );
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("BEGIN IMMEDIATE"));
  }
}

function dialectOf(db: DatabaseSync): Dialect {
  // The connection belongs to the caller: Kysely does not close it.
  const database = { prepare: (text: string) => statementOf(db, text), close: () => undefined };
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new ImmediateDriver({ database }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

function statementOf(db: DatabaseSync, text: string): SqliteStatement {
  const statement = db.prepare(text);
  // Kysely binds what its compiler made of values: text, numbers and null.
  const values = (given: readonly unknown[]): SqlValue[] => given as SqlValue[];
  return {
    reader: statement.columns().length > 0,
    all: (given) => statement.all(...values(given)),
    run: (given) => statement.run(...values(given)),
    iterate: (given) => statement.iterate(...values(given)) as IterableIterator<unknown>,
  };
}
