/** Sessions whose journals are old enough to be folded: enough of them that a fold takes a while. */
import type { Store } from "@mooring/host/driver";
import { systemIds } from "../../../../packages/host/src/host/system-ids.ts";

const sessions = 100;
/** Segments of each: every write waits for the one before, so that each flush brings one per session. */
const segments = 30;

/** `at`: the time of every event. */
export async function writeOldJournals(store: Store, at: number, workspace: string): Promise<void> {
  await Promise.all(Array.from({ length: sessions }, () => writeOne(store, at, workspace)));
}

async function writeOne(store: Store, at: number, workspace: string): Promise<void> {
  const id = systemIds.make("ses");
  const none = {
    title: null,
    externalId: null,
    permissionMode: null,
    parentId: null,
    leaf: null,
    resumeToken: null,
    compacting: false,
  };
  const made = { agentId: "agt_old", workspace, managed: false, driver: "loop", createdAt: at, updatedAt: at };
  const no = await store.create({ id, ...made, ...none, removedAt: null });
  const epoch = await store.claim(no);
  for (let n = 0; n < segments; n += 1) {
    const event = { type: "notice", sessionId: id, level: "info", code: "old", text: `${n}` } as const;
    await store.write(no, epoch, [{ write: "event", event, at }]);
  }
}
