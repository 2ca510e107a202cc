/** An embedder that waits for nothing but a turn whose model is asked again later: `node waits-for-retry.ts DATA_DIR`. */
import { loopDriver } from "@mooring/driver-loop";
import { createHost, silentLog, systemClock, systemIds } from "@mooring/host";
import { openSqliteStore } from "@mooring/host/sqlite";
import { scriptedModel } from "@mooring/scripted-model";

const dataDir = process.argv[2] ?? "";
const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
const model = scriptedModel(); // one, for it counts the failures it plays
const host = await createHost({
  store,
  drivers: [loopDriver({ models: { scripted: () => model } })],
  dataDir,
  roots: [],
});
await host.agents.add({ name: "agent", driver: "loop", model: "scripted" });
const { id } = await host.create({});
const { cursor } = await host.submit(id, { text: "#status 500 x1 oops\n#say ok" });
for await (const { event } of host.events(id, { after: cursor })) {
  if (event.type === "retry") console.log("retry");
  if (event.type !== "turn.settled") continue;
  console.log(event.outcome);
  break;
}
await host.shutdown();
