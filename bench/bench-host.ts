/** A host to measure: real clock and ids, the fake driver, and one of three stores; its data in a directory of its own. */
import { createHost, defaultLimits, type HostLimits, type SessionHost } from "@mooring/host";
import type { Clock, Store } from "@mooring/host/driver";
import { openSqliteStore } from "@mooring/host/sqlite";
import { silentLog } from "../packages/host/src/host/silent-log.ts";
import { systemClock } from "../packages/host/src/host/system-clock.ts";
import { systemIds } from "../packages/host/src/host/system-ids.ts";
import { createMemoryStore } from "../packages/host/src/stores/memory.ts";
// Not the whole testing kit: a host has none, and what it loads is measured.
import { createFakeDriver, type FakeDriver, type FakeDriverOptions } from "../packages/host/src/testing/fake-driver.ts";

/** Every session of a bench may have its own connection. */
const connections = 20_000;

/** Counts flushes, so that a baseline can write in equal batches. */
export type BenchStore = Store & { readonly flushes: number };
export type BenchHost = { readonly host: SessionHost; readonly store: BenchStore; readonly driver: FakeDriver };
export type BenchHostOptions = {
  readonly directory: string;
  readonly store: BenchStore;
  readonly driver?: FakeDriverOptions;
  readonly clock?: Clock;
  readonly limits?: Partial<HostLimits>;
};

export const sqliteIn = (directory: string, clock: Clock = systemClock): Promise<BenchStore> =>
  openSqliteStore({ dataDir: directory, ids: systemIds, clock, log: silentLog });
export const memoryStore = (): BenchStore => createMemoryStore({ ids: systemIds, clock: systemClock });

export async function openBenchHost(options: BenchHostOptions): Promise<BenchHost> {
  const { directory, store, clock = systemClock, limits = {} } = options;
  const driver = createFakeDriver(options.driver);
  const host = await createHost({
    store,
    drivers: [driver.factory],
    dataDir: directory,
    roots: [],
    clock,
    limits: { ...defaultLimits, connections, ...limits },
  });
  return { host, store, driver };
}

/** With an agent, and shut down at the end whatever happens. */
export async function withBenchHost<T>(options: BenchHostOptions, work: (bench: BenchHost) => Promise<T>): Promise<T> {
  const bench = await openBenchHost(options);
  try {
    if ((await bench.host.agents.list()).length === 0)
      await bench.host.agents.add({ name: "bench", driver: "fake", model: "m1" });
    return await work(bench);
  } finally {
    await bench.host.shutdown({ graceMs: 0 });
  }
}
