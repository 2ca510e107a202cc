/** The real thing: a locked data directory, SQLite, the loop driver, one agent whose model is the parent's server. */
import { loopDriver } from "@mooring/driver-loop";
import { createHost, type SessionHost } from "@mooring/host";
import type { Clock, Store } from "@mooring/host/driver";
import { lockDataDir, openSqliteStore, type SqliteStoreOptions } from "@mooring/host/sqlite";
import { silentLog } from "../../../../packages/host/src/host/silent-log.ts";
import { systemClock } from "../../../../packages/host/src/host/system-clock.ts";
import { systemIds } from "../../../../packages/host/src/host/system-ids.ts";
import { say } from "../line.ts";
import { type Order, type Phase, sessionName } from "../order.ts";

type Migrations = NonNullable<SqliteStoreOptions["migrations"]>;
export type HostSetup = { readonly migrations?: Migrations; readonly clock?: Clock; readonly foldEveryMs?: number };

export function openStore({ dataDir }: Order, { migrations = {}, clock = systemClock }: HostSetup = {}) {
  return openSqliteStore({ dataDir, ids: systemIds, clock, log: silentLog, migrations });
}

/** Holds the lock of the data directory until the process ends. */
export async function openHost(order: Order, setup: HostSetup = {}): Promise<SessionHost> {
  lockDataDir(order.dataDir, { command: `crash ${order.part}` });
  return hostOn(order, await openStore(order, setup), setup);
}

export async function hostOn(order: Order, store: Store, setup: HostSetup): Promise<SessionHost> {
  const { clock = systemClock, foldEveryMs } = setup;
  say({ say: "opened" });
  const host = await createHost({
    store: sayingFolds(store),
    drivers: [loopDriver()],
    dataDir: order.dataDir,
    roots: [order.workspace],
    env: { PATH: process.env["PATH"] },
    clock,
    ...(foldEveryMs === undefined ? {} : { limits: { foldEveryMs } }),
  });
  say({ say: "recovered" });
  return host;
}

/** Tells when a fold begins and ends: nothing else shows it from outside. */
function sayingFolds(store: Store): Store {
  const fold: Store["fold"] = async (before, limit) => {
    say({ say: "fold-begun" });
    const touched = await store.fold(before, limit);
    say({ say: "fold-done", touched });
    return touched;
  };
  return new Proxy(store, {
    get(target, key) {
      if (key === "fold") return fold;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Phases in which a person is asked before a tool runs. */
const asks: readonly Phase[] = ["approval", "answer"];

export async function addSession(host: SessionHost, { phase, workspace, modelUrl }: Order): Promise<void> {
  const agent = await host.agents.add({
    name: "scripted",
    driver: "loop",
    model: "scripted",
    provider: { kind: "openai-compatible", baseUrl: modelUrl },
    permissionMode: asks.includes(phase) ? "default" : "bypassPermissions",
  });
  await host.create({ id: sessionName, agent: agent.name, workspace });
}
