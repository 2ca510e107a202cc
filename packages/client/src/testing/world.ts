/** A real host with an agent the test drives, behind its real handler; and a client that needs no network to reach it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, type SessionHost, silentLog, systemClock, systemIds } from "@mooring/host";
import { createHandler, type Handler } from "@mooring/host/http";
import { openSqliteStore } from "@mooring/host/sqlite";
import { createFakeDriver, type FakeDriver, type FakeDriverOptions } from "@mooring/host/testing";
import { onTestFinished } from "vitest";
import type { Fetch } from "../calls/api.ts";
import { systemPorts } from "../calls/event-calls.ts";
import { clientWith, type MooringClient } from "../create-client.ts";
import type { StreamPorts } from "../streams/follow-stream.ts";

const token = "a-token-of-the-tests";
export type World = {
  readonly host: SessionHost;
  readonly driver: FakeDriver;
  readonly handler: Handler;
  readonly dataDir: string;
  readonly fetch: Fetch;
  readonly client: MooringClient;
  /** Another one, over a fetch of the test's own. */
  clientOver(fetch: Fetch, token?: string): MooringClient;
};

/** Waits between two tries take no time. */
const hasty: StreamPorts = {
  ...systemPorts,
  limits: { ...systemPorts.limits, retryMs: 0, retryMostMs: 0, backoffMs: 0 },
};

/** Ends with the test. There is an agent "agent". */
export async function world(driverOptions: FakeDriverOptions = {}): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), "mooring-client-"));
  const driver = createFakeDriver(driverOptions);
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
  const host = await createHost({ store, drivers: [driver.factory], dataDir, roots: [] });
  const handler = createHandler(host, { auth: { token }, backupDir: join(dataDir, "backups") });
  onTestFinished(async () => {
    handler.close();
    await host.shutdown({ graceMs: 0 });
    await rm(dataDir, { recursive: true, force: true });
  });
  await host.agents.add({ name: "agent", driver: "fake", model: "m" });
  const fetch: Fetch = (request) => handler.fetch(request);
  const clientOver: World["clientOver"] = (over, given = token) =>
    clientWith({ url: "http://localhost:4483", token: given, fetch: over }, hasty);
  return { host, driver, handler, dataDir, fetch, client: clientOver(fetch), clientOver };
}
