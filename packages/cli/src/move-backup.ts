/**
 * A backup that a server made among its own, brought to where the person wants it. Invariant: the directory is there under
 * its name when it is whole.
 */
import { randomUUID } from "node:crypto";
import { cp, rename, rm } from "node:fs/promises";
import { codeOf, messageOf } from "./failure.ts";
import { UsageError } from "./usage-error.ts";

/** `make`: has the server make one under a name; resolves to its path. Rejects with a `UsageError` or as `make` does. */
export async function moveBackup(target: string, make: (name: string) => Promise<string>): Promise<void> {
  const made = await make(`moving-${randomUUID()}`);
  try {
    await rename(made, target).catch((cause: unknown) => copied(made, target, cause));
  } catch (cause) {
    const hint = `The backup itself is whole: it is at ${made}`;
    throw new UsageError(`${target} cannot be written: ${messageOf(cause)}`, hint);
  }
}

/** To another disk. Rejects with what kept it from being moved. */
async function copied(from: string, to: string, cause: unknown): Promise<void> {
  if (codeOf(cause) !== "EXDEV") throw cause;
  const part = `${to}.${randomUUID()}.part`;
  try {
    await cp(from, part, { recursive: true });
    await rename(part, to);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  await rm(from, { recursive: true });
}
