/**
 * The one place that chooses: data directory, lock, store, drivers, first agents. Invariants: whatever happens in
 * between, the host shuts down, the store closes and the lock is free when `withHost` is over; an agent that exists is
 * never changed here.
 */

import { loopDriver } from "@mooring/driver-loop";
import { createHost, type SessionHost, systemClock, systemIds } from "@mooring/host";
import type { Log, Store } from "@mooring/host/driver";
import { lockDataDir, openSqliteStore } from "@mooring/host/sqlite";
import { scriptedModel } from "@mooring/scripted-model";
import { dataDirOf, type Environment } from "./data-dir.ts";
import { limits } from "./limits.ts";
import { demoAgent, providerAgents } from "./provider-agents.ts";

export type HostRequest = {
  readonly env: Environment;
  readonly cwd: string;
  /** What a second process is told that runs here. */
  readonly command: string;
  /** Directories a new session may work in. */
  readonly roots: readonly string[];
  /** Turns may start. A listing starts none. */
  readonly runsTurns: boolean;
  /** The host's log goes to standard error. */
  readonly debug: boolean;
};
export type OpenHost = { readonly host: SessionHost; readonly dataDir: string };

/** Rejects with what `work` rejects with, or with the reason why there is no host, `data-dir-in-use` for one. */
export async function withHost<T>(request: HostRequest, work: (opened: OpenHost) => Promise<T>): Promise<T> {
  const dataDir = dataDirOf(request.env, request.cwd);
  const lock = lockDataDir(dataDir, { command: request.command });
  // The host's own timers keep no process alive: nothing else may be left to wait for.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    return await withStore(request, dataDir, work);
  } finally {
    clearInterval(alive);
    lock.release();
  }
}

async function withStore<T>(request: HostRequest, dataDir: string, work: (opened: OpenHost) => Promise<T>): Promise<T> {
  const log = await logFor(request.debug);
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log });
  const host = await openHost(request, dataDir, store, log).catch(async (cause: unknown) => {
    await store.close();
    throw cause;
  });
  let graceMs: number = limits.endGraceMs;
  try {
    await addFirstAgents(host, request.env);
    const result = await work({ host, dataDir });
    graceMs = 0; // what was to be waited for is over
    return result;
  } finally {
    await host.shutdown({ graceMs }); // closes the store, last
  }
}

function openHost(request: HostRequest, dataDir: string, store: Store, log: Log): Promise<SessionHost> {
  const { env, roots, command, runsTurns } = request;
  const drivers = [loopDriver({ models: { scripted: scriptedModel } })];
  return createHost({ store, drivers, dataDir, roots, env, log, ...(runsTurns ? {} : { paused: command }) });
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
