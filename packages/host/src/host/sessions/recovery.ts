/**
 * What a host repairs before it serves: processes that a dead host left behind are ended, then every session that was
 * not at rest is loaded, which recovers it. `createHost` waits for it: a client never sees a turn that nobody runs. A
 * session that cannot be read is reported and skipped; it is tried again at its first use.
 */

import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { SessionNo } from "../../protocol/ids.ts";
import type { Supervisor } from "../processes/supervisor.ts";
import type { Sessions } from "./sessions.ts";

/** Sessions loaded at once. */
const parallel = 64;

type RecoveryPorts = {
  readonly store: Store;
  readonly log: Log;
  readonly supervisor: Supervisor;
  readonly sessions: Sessions;
};

export async function recoverAll({ store, log, supervisor, sessions }: RecoveryPorts): Promise<void> {
  await supervisor.endOrphans(await store.query.processes());
  const waiting = store.open()[Symbol.asyncIterator]();
  const lane = async (): Promise<void> => {
    for (let next = await waiting.next(); next.done !== true; next = await waiting.next())
      await recoverOne(sessions, log, next.value);
  };
  await Promise.all(Array.from({ length: parallel }, lane));
}
async function recoverOne(sessions: Sessions, log: Log, no: SessionNo): Promise<void> {
  try {
    const session = await sessions.use(no);
    await session.recovered();
  } catch (cause) {
    log.error("recovery-failed", { session: no, message: messageOf(cause) });
  }
}
