/** A second migration, for tests only: it changes every table that holds a conversation, in steps slow enough to hit. */
import { setTimeout as pause } from "node:timers/promises";
import type { SqliteStoreOptions } from "@mooring/host/sqlite";
import { say } from "../line.ts";

type Migrations = NonNullable<SqliteStoreOptions["migrations"]>;
type Migrated = Parameters<Migrations[string]["up"]>[0];

export const migrationName = "9000-crash";
/** Milliseconds between two steps: the time a large database would take. */
const stepMs = 6;
const tables = ["inputs", "turns", "messages", "events", "fresh_events", "approvals", "usage_records"];

export const migrations: Migrations = { [migrationName]: { up } };

async function up(db: Migrated): Promise<void> {
  for (const [step, table] of tables.entries()) {
    say({ say: "migrating", step });
    await db.schema.createTable(`kept_${table}`).as(db.selectFrom(table).selectAll()).execute();
    await db.schema.alterTable(table).addColumn("crash_note", "text").execute();
    await db.updateTable(table).set({ crash_note: table }).execute();
    await pause(stepMs);
  }
  await db.updateTable("sessions").set({ title: "migrated" }).execute();
  await pause(stepMs);
}
