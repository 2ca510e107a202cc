/** An embedder that does nothing but end its host while a turn hangs: `node shuts-down.ts DATA_DIR`. */
import { loopDriver } from "@mooring/driver-loop";
import { createHost, silentLog, systemClock, systemIds } from "@mooring/host";
import { openSqliteStore } from "@mooring/host/sqlite";
import { scriptedModel } from "@mooring/scripted-model";

const dataDir = process.argv[2] ?? "";
const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
const drivers = [loopDriver({ models: { scripted: scriptedModel } })];
const host = await createHost({ store, drivers, dataDir, roots: [] });
await host.agents.add({ name: "agent", driver: "loop", model: "scripted" });
const { id } = await host.create({});
const events = host.events(id);
await host.submit(id, { text: "#hang" });
for await (const { event } of events) if (event.type === "message.opened") break;
using _hold = host.pause("deploy");
console.log(JSON.stringify((await host.drainInFlight({ timeoutMs: 50 })).stragglerIds.length));
await host.shutdown({ graceMs: 50 });
console.log("down");
