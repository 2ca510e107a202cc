/** What a program has once: a host with its drivers and its store. The original's packages make theirs unasked. */
import { join } from "node:path";
import { loopDriver } from "@mooring/driver-loop";
import { silentLog, systemClock, systemIds } from "@mooring/host";
import { createRuntimeHost } from "@mooring/host/runtime";
import { openSqliteStore } from "@mooring/host/sqlite";
import { scriptedModel } from "@mooring/scripted-model";

const dataDir = join(process.cwd(), "data");
const store = await openSqliteStore({ dataDir, log: silentLog, ids: systemIds, clock: systemClock });
const drivers = [loopDriver({ models: { scripted: scriptedModel } })];
export const host = await createRuntimeHost({ store, drivers, dataDir });
