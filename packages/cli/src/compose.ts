/**
 * The one place that chooses: a running server, or data directory, lock, store, drivers and first agents in this process.
 * Invariants: whatever happens in between, a host that was opened here shuts down, the store closes and the lock is free
 * when the work is over; an agent that exists is never changed here. What a choice does not need is not loaded.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MooringClient } from "@mooring/client";
import type { HostHooks, SessionHost } from "@mooring/host";
import type { Log, Store } from "@mooring/host/driver";
import type { Handler, HandlerOptions } from "@mooring/host/http";
import type { CommandHost, HostRequest, OpenHost, RunningServer, WithHost } from "./command-host.ts";
import { dataDirOf, type Environment } from "./data-dir.ts";
import { limits } from "./limits.ts";
import { moveBackup } from "./move-backup.ts";
import { demoAgent, providerAgents } from "./provider-agents.ts";
import { findServer } from "./serve/find-server.ts";
import type { ServerRecord } from "./serve/server-file.ts";
import { clientToken } from "./serve/token.ts";

type Opening = Omit<HostRequest, "cwd"> & {
  readonly dataDir: string;
  /** Warnings and errors are written without `debug` too. */
  readonly logs?: boolean;
  readonly hooks?: HostHooks;
};
export type OwnHost = { readonly host: SessionHost; readonly log: Log };

export const withHost: WithHost = async (request, work) => {
  const dataDir = dataDirOf(request.env, request.cwd);
  const record = await findServer(dataDir);
  if (record !== null) return work(await inServer(record, dataDir, request.env));
  return withOwnHost({ ...request, dataDir }, ({ host }) => work(inThisProcess(host, dataDir)));
};

const inThisProcess = (host: SessionHost, dataDir: string): OpenHost => ({
  host,
  dataDir,
  server: null,
  leave: (graceMs) => host.shutdown({ graceMs }),
});

async function inServer(record: ServerRecord, dataDir: string, env: Environment): Promise<OpenHost> {
  const [{ createClient }, token] = await Promise.all([import("@mooring/client"), clientToken(dataDir, env)]);
  const client = createClient({ url: record.url, token });
  return { host: hostOver(client), dataDir, server: serverOver(client, record), leave: async () => {} };
}

/** The contents of messages are the AI SDK's: the API's description says less of them than the host's types do. */
type Contents = Pick<CommandHost, "messages" | "snapshot" | "events" | "inputs">;
/**
 * The client has the host's names and shapes. What it does not have: who speaks is the token's owner, and a backup is made
 * where the server makes them, and moved from there.
 */
function hostOver(client: MooringClient): CommandHost {
  return {
    ...client,
    ...(client as Contents),
    rules: { ...client.rules, add: ({ by: _, ...rule }) => client.rules.add(rule) },
    answer: (id, { by: _, ...answer }) => client.answer(id, answer),
    submit: (id, { author: _, client: __, ...input }) =>
      client.submit(id, input as Parameters<typeof client.submit>[1]),
    backup: (path) => moveBackup(path, async (name) => (await client.backup(name)).path),
  };
}
const serverOver = (client: MooringClient, record: ServerRecord): RunningServer => ({
  ...record,
  pauses: async () => (await client.work()).holds,
  work: async () => (await client.work()).items,
  pause: (reason) => client.pause(reason),
  resume: (reason) => client.endPause(reason),
  drain: async (timeoutMs) => (await client.drainInFlight({ timeoutMs })).stragglerIds,
});

export async function serverHandler(host: SessionHost, options: HandlerOptions): Promise<Handler> {
  const { createHandler } = await import("@mooring/host/http");
  return createHandler(host, options);
}

/** Null: the page is not built here. */
export function pageDirectory(): string | null {
  const directory = join(dirname(fileURLToPath(import.meta.resolve("@mooring/web/package.json"))), "dist");
  return existsSync(join(directory, "index.html")) ? directory : null;
}

/** A host of this process, under the lock. Rejects with what `work` rejects with, or with why there is no host. */
export async function withOwnHost<T>(opening: Opening, work: (own: OwnHost) => Promise<T>): Promise<T> {
  const [{ keepAlive }, { lockDataDir }] = await Promise.all([import("@mooring/host"), import("@mooring/host/sqlite")]);
  const lock = lockDataDir(opening.dataDir, { command: opening.command });
  try {
    return await keepAlive(() => withStore(opening, work));
  } finally {
    lock.release();
  }
}

async function withStore<T>(opening: Opening, work: (own: OwnHost) => Promise<T>): Promise<T> {
  const { dataDir, env } = opening;
  const [{ systemClock, systemIds }, { openSqliteStore }] = await Promise.all([
    import("@mooring/host"),
    import("@mooring/host/sqlite"),
  ]);
  const log = await logFor(opening.debug ? "debug" : opening.logs === true ? "warn" : null, opening.err);
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log });
  const host = await openHost(opening, store, log).catch(async (cause: unknown) => {
    await store.close();
    throw cause;
  });
  let graceMs: number = limits.endGraceMs;
  try {
    await addFirstAgents(host, store, env);
    const result = await work({ host, log });
    graceMs = 0; // what was to be waited for is over
    return result;
  } finally {
    await host.shutdown({ graceMs }); // closes the store, last
  }
}

async function openHost({ env, roots, command, runsTurns, dataDir, hooks = {} }: Opening, store: Store, log: Log) {
  const [{ createHost }, { loopDriver }, { claudeCodeDriver }, { scriptedModel }] = await Promise.all([
    import("@mooring/host"),
    import("@mooring/driver-loop"),
    import("@mooring/driver-claude-code"),
    import("@mooring/scripted-model"),
  ]);
  const drivers = [loopDriver({ models: { scripted: scriptedModel } }), claudeCodeDriver()];
  return createHost({ store, drivers, dataDir, roots, env, log, hooks, ...(runsTurns ? {} : { paused: command }) });
}

type RpcSession = { readonly cwd: string; readonly agent?: string; readonly session?: string };
type Lines = { readonly input: AsyncIterable<Uint8Array>; readonly output: (line: string) => void };

/** A session runtime over a host of this process, for another program. Resolves when the input ended. */
export async function runRpc(opening: Opening, { cwd, agent, session }: RpcSession, lines: Lines): Promise<void> {
  const runtime = await import("@mooring/host/runtime");
  const router = new runtime.HookRouter();
  await withOwnHost({ ...opening, hooks: router.hooks }, async ({ host }) => {
    const agentDir = join(opening.dataDir, "agent");
    const chosen = agent ?? (await host.agents.default())?.id;
    const choice = chosen === undefined ? {} : { agent: chosen };
    const { SessionManager } = runtime;
    const sessionManager = session === undefined ? SessionManager.create(cwd) : SessionManager.open(session);
    const target = { cwd, agentDir, host: new runtime.RuntimeHost({ host, router }), sessionManager };
    const active = await runtime.createAgentSessionRuntime(async (at) => {
      const services = await runtime.createAgentSessionServices({ cwd: at.cwd, agentDir, host: at.host });
      const { sessionManager, sessionStartEvent } = at;
      const made = { services, sessionManager, sessionStartEvent, ...choice };
      return { ...(await runtime.createAgentSessionFromServices(made)), services, diagnostics: services.diagnostics };
    }, target);
    await runtime.runRpcMode(active, lines);
  });
}

/** Agents that can be put into a data directory. */
export async function installations() {
  const { claudeCodeInstallation } = await import("@mooring/driver-claude-code");
  return [claudeCodeInstallation];
}

/** Names of the agents that were made here once: one that a person removed is not made again. */
const madeOnce = "first-agents";

async function addFirstAgents(host: SessionHost, store: Store, env: Environment): Promise<void> {
  const stored = await store.query.setting(madeOnce);
  const made: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const fresh = [...providerAgents(env), demoAgent].filter(({ name }) => !made.includes(name));
  if (fresh.length === 0) return;
  const there = (await host.agents.list()).map(({ name }) => name);
  for (const agent of fresh) if (!there.includes(agent.name)) await host.agents.add(agent);
  await store.change([{ write: "setting", key: madeOnce, value: [...made, ...fresh.map(({ name }) => name)] }]);
}

async function logFor(level: "debug" | "warn" | null, err: (text: string) => void): Promise<Log> {
  const silent = (): void => {};
  if (level === null) return { debug: silent, info: silent, warn: silent, error: silent };
  const { pino } = await import("pino");
  const logger = pino({ level }, { write: err });
  const write =
    (as: "debug" | "info" | "warn" | "error"): Log["debug"] =>
    (event, fields = {}) =>
      logger[as](fields, event);
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
