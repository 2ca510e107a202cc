/**
 * Removes files that nothing stored names any more: those of sessions that are gone, and those that were sent ahead and
 * never used. Invariants: a file younger than `keepMs` stays, for what names it may be on its way; so does one that is
 * asked for while the search is on.
 */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FileId } from "../../protocol/ids.ts";
import type { FileRow } from "../../protocol/rows.ts";
import { attachmentsOf, homesOf } from "../connections/agent-home.ts";
import type { HostContext } from "../host-context.ts";

type Context = Pick<HostContext, "store" | "files" | "clock" | "dataDir"> & {
  readonly limits: Pick<HostContext["limits"], "fileKeepMs" | "filesLookedAt">;
};
/** `next`: where the next search goes on; null: with the first file. */
export type Collected = { readonly removed: number; readonly next: FileId | null };

/** Looks at `filesLookedAt` files, in the order of their ids, behind `after`. */
export async function collectFiles(context: Context, after: FileId | null): Promise<Collected> {
  const { store, files, clock, limits, dataDir } = context;
  const before = clock.now() - limits.fileKeepMs;
  const limit = limits.filesLookedAt;
  return files.collecting(async (remove) => {
    const old = await store.query.files({ before, limit, ...(after === null ? {} : { after }) });
    const unnamed = new Map(old.map((row) => [row.id, row]));
    if (unnamed.size > 0) for await (const ids of store.query.namedFiles()) for (const id of ids) unnamed.delete(id);
    let removed = 0;
    for (const row of unnamed.values()) if (await removeWhole(row)) removed++;
    return { removed, next: old.length < limit ? null : (old.at(-1)?.id ?? null) };

    async function removeWhole(row: FileRow): Promise<boolean> {
      if (!(await remove(row))) return false;
      await removeCopies(dataDir, row.id);
      return true;
    }
  });
}
/** Those that agents were given to read. */
async function removeCopies(dataDir: string, id: FileId): Promise<void> {
  for (const home of await readdir(homesOf(dataDir)).catch(() => []))
    await rm(join(attachmentsOf(join(homesOf(dataDir), home)), id), { recursive: true, force: true });
}
