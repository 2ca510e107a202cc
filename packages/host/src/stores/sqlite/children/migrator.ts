/** A process that hangs in the middle of a second migration, after saying `middle`. Argument: the database file. */
import { writeSync } from "node:fs";
import { sql } from "kysely";
import { silentLog } from "../../../host/silent-log.ts";
import { systemClock } from "../../../host/system-clock.ts";
import { systemIds } from "../../../host/system-ids.ts";
import { openSqliteStore } from "../index.ts";

const [path = ""] = process.argv.slice(2);
const alive = setInterval(() => undefined, 60_000);

await openSqliteStore({
  path,
  ids: systemIds,
  clock: systemClock,
  log: silentLog,
  migrations: {
    "9998-whole": { up: async (db) => void (await sql`CREATE TABLE whole (x)`.execute(db)) },
    "9999-half": {
      async up(db) {
        await sql`CREATE TABLE half AS SELECT * FROM sessions`.execute(db);
        await sql`UPDATE sessions SET title = 'half'`.execute(db);
        writeSync(1, "middle\n");
        await new Promise<never>(() => undefined);
      },
    },
  },
});
clearInterval(alive);
