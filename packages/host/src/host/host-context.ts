/** What every part of one host shares. Nothing in it belongs to a single session. */
import type { Clock } from "../ports/clock.ts";
import type { AgentSessionRuntimeDriver } from "../ports/driver.ts";
import type { Ids } from "../ports/ids.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import type { HostHooks } from "./api.ts";
import type { AgentDirectory } from "./calls/agents.ts";
import type { Secrets } from "./calls/secrets.ts";
import type { Environment } from "./connections/agent-home.ts";
import type { ConnectionPool } from "./connections/connection-pool.ts";
import type { Files } from "./files/files.ts";
import type { HostLimits } from "./limits.ts";
import type { RuleBook } from "./permission/rule-book.ts";
import type { SessionProcesses } from "./processes/session-processes.ts";
import type { Feeds } from "./viewers/feeds.ts";
import type { Frames } from "./viewers/frames.ts";

export type HostContext = {
  readonly store: Store;
  readonly drivers: ReadonlyMap<string, AgentSessionRuntimeDriver>;
  readonly agents: AgentDirectory;
  readonly rules: RuleBook;
  readonly secrets: Secrets;
  readonly children: SessionProcesses;
  readonly pool: ConnectionPool;
  readonly feeds: Feeds;
  readonly frames: Frames;
  readonly files: Files;
  readonly hooks: HostHooks;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly limits: HostLimits;
  readonly dataDir: string;
  readonly env: Environment;
};
