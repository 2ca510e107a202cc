/**
 * A process that writes until it is killed: several sessions at once, each acknowledged write one line on stdout,
 * `<session number> <last seq>`, written only after the store said so. Argument: the database file.
 */
import { writeSync } from "node:fs";
import { silentLog } from "../../../host/silent-log.ts";
import { systemClock } from "../../../host/system-clock.ts";
import { systemIds } from "../../../host/system-ids.ts";
import { newOwner, type Owner } from "../../contract/fixtures.ts";
import { openSqliteStore } from "../index.ts";

const [path = ""] = process.argv.slice(2);
const store = await openSqliteStore({ path, ids: systemIds, clock: systemClock, log: silentLog });

async function writeOn(owner: Owner): Promise<never> {
  for (let n = 1; ; n += 1) {
    const { last } = await owner.write(owner.notice(`${n}`), owner.notice("x".repeat(n % 997)));
    writeSync(1, `${owner.no} ${last}\n`);
  }
}

const owners = await Promise.all([1, 2, 3, 4].map(() => newOwner(store, systemIds.make("ses"))));
await Promise.all(owners.map(writeOn));
