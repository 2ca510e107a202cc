/**
 * Instructions a workspace has for agents: AGENTS.md and CLAUDE.md of its root, as text and nothing else. Invariants: only
 * regular files inside the workspace, links resolved; a bounded part of each; no file of a workspace is ever run or loaded
 * as configuration.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { isInside, realPathOf } from "../permission/containment.ts";
import type { WorkspaceText } from "./materialize-prompt.ts";

const names = ["AGENTS.md", "CLAUDE.md"] as const;
/** Bytes told of one file. */
const maxBytes = 65_536;

/** One that is not there, not readable or leads outside is not told. The same text under two names is told once. */
export async function readWorkspaceText(workspace: string): Promise<readonly WorkspaceText[]> {
  const root = await realPathOf(workspace);
  if (root === null) return [];
  const found: WorkspaceText[] = [];
  for (const path of names) {
    const text = await readInside(root, join(root, path)).catch(() => null);
    if (text !== null && text !== "" && !found.some((other) => other.text === text)) found.push({ path, text });
  }
  return found;
}
async function readInside(root: string, path: string): Promise<string | null> {
  const real = await realPathOf(path);
  if (real === null || !isInside(real, root)) return null;
  // not a link any more, and no pipe that nobody writes to
  const file = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const { size } = await regular(file);
    const bytes = new Uint8Array(Math.min(size, maxBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    const text = new TextDecoder().decode(bytes.subarray(0, bytesRead)).replaceAll("\0", "").trim();
    return size > maxBytes ? `${text.replace(/\uFFFD$/, "")}\n[cut: the file has ${size} bytes]` : text;
  } finally {
    await file.close();
  }
}
async function regular(file: Awaited<ReturnType<typeof open>>): Promise<{ readonly size: number }> {
  const stats = await file.stat();
  return stats.isFile() ? stats : { size: 0 };
}
