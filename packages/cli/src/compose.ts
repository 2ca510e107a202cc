/**
 * The one place that chooses: a running server, or data directory, lock, store, drivers and first agents in this process.
 * Invariants: whatever happens in between, a host that was opened here shuts down, the store closes and the lock is free
 * when the work is over; an agent that exists is never changed here. What a choice does not need is not loaded.
 */
import type { SessionHost } from "@mooring/host";
import type { Log, Store } from "@mooring/host/driver";
import type { HostRequest, OpenHost, WithHost } from "./command-host.ts";
import { dataDirOf, type Environment } from "./data-dir.ts";
import { limits } from "./limits.ts";
import { demoAgent, providerAgents } from "./provider-agents.ts";

/** Data directory, and whether the host's turns may start; absent: they may. */
type Opening = Omit<HostRequest, "cwd"> & { readonly dataDir: string };
export type OwnHost = { readonly host: SessionHost; readonly dataDir: string };

export const withHost: WithHost = async (request, work) => {
  const dataDir = dataDirOf(request.env, request.cwd);
  return withOwnHost({ ...request, dataDir }, ({ host }) => work(inThisProcess(host, dataDir)));
};

const inThisProcess = (host: SessionHost, dataDir: string): OpenHost => ({
  host,
  dataDir,
  server: null,
  leave: (graceMs) => host.shutdown({ graceMs }),
});

/** A host of this process, under the lock. Rejects with what `work` rejects with, or with why there is no host. */
export async function withOwnHost<T>(opening: Opening, work: (own: OwnHost) => Promise<T>): Promise<T> {
  const { lockDataDir } = await import("@mooring/host/sqlite");
  const lock = lockDataDir(opening.dataDir, { command: opening.command });
  // The host's own timers keep no process alive: nothing else may be left to wait for.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    return await withStore(opening, work);
  } finally {
    clearInterval(alive);
    lock.release();
  }
}

async function withStore<T>(opening: Opening, work: (own: OwnHost) => Promise<T>): Promise<T> {
  const { dataDir, env } = opening;
  const [{ systemClock, systemIds }, { openSqliteStore }] = await Promise.all([
    import("@mooring/host"),
    import("@mooring/host/sqlite"),
  ]);
  const log = await logFor(opening.debug);
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log });
  const host = await openHost(opening, store, log).catch(async (cause: unknown) => {
    await store.close();
    throw cause;
  });
  let graceMs: number = limits.endGraceMs;
  try {
    await addFirstAgents(host, env);
    const result = await work({ host, dataDir });
    graceMs = 0; // what was to be waited for is over
    return result;
  } finally {
    await host.shutdown({ graceMs }); // closes the store, last
  }
}

async function openHost({ env, roots, command, runsTurns, dataDir }: Opening, store: Store, log: Log) {
  const [{ createHost }, { loopDriver }, { claudeCodeDriver }, { scriptedModel }] = await Promise.all([
    import("@mooring/host"),
    import("@mooring/driver-loop"),
    import("@mooring/driver-claude-code"),
    import("@mooring/scripted-model"),
  ]);
  const drivers = [loopDriver({ models: { scripted: scriptedModel } }), claudeCodeDriver()];
  return createHost({ store, drivers, dataDir, roots, env, log, ...(runsTurns ? {} : { paused: command }) });
}

/** Agents that can be put into a data directory. */
export async function installations() {
  const { claudeCodeInstallation } = await import("@mooring/driver-claude-code");
  return [claudeCodeInstallation];
}

async function addFirstAgents(host: SessionHost, env: Environment): Promise<void> {
  const names = (await host.agents.list()).map((agent) => agent.name);
  for (const agent of [...providerAgents(env), demoAgent])
    if (!names.includes(agent.name)) await host.agents.add(agent);
}

async function logFor(debug: boolean): Promise<Log> {
  const silent = (): void => {};
  if (!debug) return { debug: silent, info: silent, warn: silent, error: silent };
  const { pino } = await import("pino");
  const logger = pino({ level: "debug" }, pino.destination({ dest: 2, sync: true }));
  const write =
    (level: "debug" | "info" | "warn" | "error"): Log["debug"] =>
    (event, fields = {}) =>
      logger[level](fields, event);
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
