/**
 * Puts a host together and has it repair what is stored. When it resolves, every session that had an open turn, message
 * or approval is recovered (or reported in the log), and processes a dead host left behind are over.
 */
import { resolve } from "node:path";
import type { AgentSessionRuntimeDriver } from "../ports/driver.ts";
import type { HostOptions, SessionHost } from "./api.ts";
import { AgentDirectory } from "./calls/agents.ts";
import { Holds } from "./calls/holds.ts";
import { startMaintenance } from "./calls/maintenance.ts";
import { Secrets } from "./calls/secrets.ts";
import { agentTightens } from "./calls/session-changes.ts";
import { Shutdown } from "./calls/shutdown.ts";
import { Submits } from "./calls/submit.ts";
import { Workspaces } from "./calls/workspaces.ts";
import { childEnvironment, homeOf } from "./connections/agent-home.ts";
import { ConnectionPool } from "./connections/connection-pool.ts";
import { readinessOf } from "./connections/readiness.ts";
import { credentialsOf } from "./connections/session-config.ts";
import { Files } from "./files/files.ts";
import type { HostContext } from "./host-context.ts";
import { defaultLimits } from "./limits.ts";
import { ofAgent, RuleBook } from "./permission/rule-book.ts";
import { SessionProcesses } from "./processes/session-processes.ts";
import { createSupervisor, type Supervisor } from "./processes/supervisor.ts";
import { Host } from "./session-host.ts";
import { recoverAll } from "./sessions/recovery.ts";
import { Sessions } from "./sessions/sessions.ts";
import { silentLog } from "./silent-log.ts";
import { systemClock } from "./system-clock.ts";
import { systemIds } from "./system-ids.ts";
import { Feeds } from "./viewers/feeds.ts";
import { Frames } from "./viewers/frames.ts";

/** One host owns its store and its data directory. Rejects with `bad-secrets` or a `StoreRefused`. */
export async function createHost(options: HostOptions): Promise<SessionHost> {
  const supervisor = supervisorOf(options);
  const context = await contextOf(options, supervisor, {
    reap: () => sessions.reapOldest(),
    retarget: (agent, tighten) => sessions.retarget(agent, tighten),
  });
  const holds = new Holds((event) => sessions.tellAll(event));
  const sessions = new Sessions(context, () => holds.current());
  if (options.paused !== undefined) holds.pause(options.paused); // to its end
  const { store, clock, log, limits } = context;
  await recoverAll({ store, log, supervisor, sessions });
  const stopMaintenance = startMaintenance(context, sessions);
  return new Host({
    context,
    sessions,
    holds,
    submits: new Submits(context, sessions),
    workspaces: new Workspaces(context.dataDir, options.roots),
    shutdown: new Shutdown({ clock, log, limits, store, sessions, holds, supervisor, stopMaintenance }),
  });
}
function supervisorOf({ store, clock = systemClock, log = silentLog }: HostOptions): Supervisor {
  return createSupervisor({
    clock,
    log,
    record: {
      started: (row) => store.change([{ write: "process", row }]),
      ended: (pid, startTime) => store.change([{ write: "process-remove", pid, startTime }]),
    },
  });
}
type Back = { readonly reap: () => void; readonly retarget: (agent: string, tighten: boolean) => void };

async function contextOf(options: HostOptions, supervisor: Supervisor, back: Back): Promise<HostContext> {
  const { store, clock = systemClock, ids = systemIds, log = silentLog, hooks = {}, env = {} } = options;
  const dataDir = resolve(options.dataDir);
  const limits = { ...defaultLimits, ...options.limits };
  const secrets = await Secrets.open(dataDir);
  const children = new SessionProcesses(supervisor);
  const drivers = new Map<string, AgentSessionRuntimeDriver>();
  for (const factory of options.drivers) {
    const driver = factory({ processes: children, clock, ids, log, dataDir });
    drivers.set(driver.type, driver);
  }
  const rules = await RuleBook.open(store);
  const agents = await AgentDirectory.open({
    store,
    secrets,
    drivers,
    ids,
    clock,
    changed: (before, after) => {
      if (after === null) rules.forget(ofAgent(before.id));
      back.retarget(before.id, after === null || agentTightens(before, after));
    },
    ready: async (agent) => {
      const home = homeOf(dataDir, agent.id);
      const credentials = credentialsOf({ secrets, env }, agent);
      const driver = drivers.get(agent.driver);
      const lacksKey = agent.provider.apiKeyEnv !== undefined && credentials.apiKey === null;
      if (driver === undefined || lacksKey) return false;
      const readiness = await readinessOf(driver, { credentials, env: childEnvironment(env, home), home });
      return readiness.found && readiness.credentials !== "missing";
    },
  });
  const pool = new ConnectionPool(limits.connections, back.reap);
  return {
    store,
    drivers,
    agents,
    rules,
    secrets,
    children,
    pool,
    feeds: new Feeds(),
    frames: new Frames(store.id),
    files: new Files({ store, ids, clock, dataDir, maxBytes: limits.fileBytes }),
    hooks,
    clock,
    ids,
    log,
    limits,
    dataDir,
    env,
  };
}
