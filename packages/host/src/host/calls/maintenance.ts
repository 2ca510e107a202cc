/**
 * Work a host repeats while it runs: journals are shortened, removed sessions go for good, those at rest leave memory,
 * files that nothing names any more are removed.
 */
import { rmdir } from "node:fs/promises";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { FileId } from "../../protocol/ids.ts";
import { collectFiles } from "../files/collect-files.ts";
import type { HostContext } from "../host-context.ts";
import { ofSession } from "../permission/rule-book.ts";
import type { Sessions } from "../sessions/sessions.ts";

/** Removed sessions looked at in one sweep. */
const sweepPage = 100;

/** Returns what ends it. A run that takes long delays the next; one that fails is reported and tried again. */
export function startMaintenance(context: HostContext, sessions: Sessions): () => void {
  const { store, clock, log, limits } = context;
  const ends = [
    every(clock, log, limits.foldEveryMs, "fold", async () => {
      await store.fold(clock.now() - limits.foldAfterMs, limits.foldSessions);
    }),
    every(clock, log, limits.sweepEveryMs, "sweep", async () => {
      sessions.evict(limits.idleEvictMs);
      await sweepRemoved(context, sessions);
    }),
    every(clock, log, limits.filesEveryMs, "files", unnamedFiles(context)),
  ];
  return () => {
    for (const end of ends) end();
  };
}
function every(clock: Clock, log: Log, ms: number, what: string, work: () => Promise<void>): () => void {
  let disarm = (): void => {};
  let ended = false;
  const arm = (): void => {
    if (ended) return;
    disarm = clock.after(ms, () => {
      work()
        .catch((cause: unknown) => log.error("maintenance-failed", { what, message: messageOf(cause) }))
        .finally(arm);
    });
  };
  arm();
  return () => {
    ended = true;
    disarm();
  };
}
/** Each search goes on where the last one ended. */
function unnamedFiles(context: HostContext): () => Promise<void> {
  let after: FileId | null = null;
  return async () => {
    const { removed, next } = await collectFiles(context, after);
    after = next;
    if (removed > 0) context.log.info("files-removed", { removed });
  };
}
async function sweepRemoved({ store, rules, clock, limits }: HostContext, sessions: Sessions): Promise<void> {
  const before = clock.now() - limits.removeAfterMs;
  const { items } = await store.query.sessions({ removed: true, limit: sweepPage });
  for (const { id, removedAt, workspace, managed } of items) {
    if (removedAt === null || removedAt > before) continue;
    const found = await store.query.session(id);
    if (found) sessions.drop(found.no);
    await store.change([{ write: "session-remove", id }]);
    rules.forget(ofSession(id));
    if (managed && !(await isWorkedIn(store, workspace))) await rmdir(workspace).catch(() => {}); // it holds work
  }
}
async function isWorkedIn(store: Store, workspace: string): Promise<boolean> {
  const there = await Promise.all(
    [true, false].map((removed) => store.query.sessions({ text: workspace, removed, limit: 1 })),
  );
  return there.some(({ items }) => items.length > 0);
}
