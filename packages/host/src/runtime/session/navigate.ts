/**
 * Goes on from another place in a session's tree. Invariant: nothing moves before every handler agreed and the target was
 * found; the summary of what is left stands where the session goes on, so that the agent is told it.
 */
import type { NewEntry } from "../../index.ts";
import type { ExtensionRunner } from "../extensions/extension-runner.ts";
import type { NavigateOptions } from "../extensions/types.ts";
import { pathTo, type SessionTree } from "./session-tree.ts";
import { textOf, textPart } from "./user-parts.ts";

export type Navigated = { readonly cancelled: boolean; readonly editorText?: string };
type Ports = { readonly tree: SessionTree; readonly runner: ExtensionRunner };
/** Characters of each user message in a summary that no handler made. */
const summaryCharacters = 200;

export async function navigate(ports: Ports, targetId: string, options: NavigateOptions): Promise<Navigated> {
  const { tree, runner } = ports;
  const { leaf, rows, row } = await tree.find(targetId);
  if (targetId === leaf) return { cancelled: false };
  const { cancelled, summary } = await ask(runner, targetId, options.summarize === true);
  if (cancelled) return { cancelled: true };
  const isUser = row.kind === "message" && row.role === "user";
  const left = pathTo(rows, leaf).filter(({ id }) => !pathTo(rows, row.id).some((kept) => kept.id === id));
  const text = options.summarize === true ? (summary ?? summaryOf(left)) : undefined;
  const entry = text === undefined ? undefined : summaryEntry(text, leaf);
  const newLeaf = await tree.move(isUser ? row.parentId : row.id, entry);
  await runner.tell("session_tree", { type: "session_tree", oldLeafId: leaf, newLeafId: newLeaf });
  const labelled = entry === undefined ? targetId : (newLeaf ?? targetId);
  if (options.label !== undefined) await tree.label(labelled, options.label);
  return { cancelled: false, ...(isUser ? { editorText: textOf(row.parts) } : {}) };
}
async function ask(runner: ExtensionRunner, targetId: string, summarize: boolean) {
  let cancelled = false;
  let summary: string | undefined;
  await runner.ask("session_before_tree", { type: "session_before_tree", targetId, summarize }, (result) => {
    cancelled = result.cancel === true;
    summary = result.summary ?? summary;
    return cancelled;
  });
  return { cancelled, summary };
}
const summaryEntry = (text: string, fromId: string | null): NewEntry => ({
  label: "branch_summary",
  parts: [textPart(text)],
  metadata: { fromId },
  told: true,
});
/** What the person asked there; no model is asked. */
function summaryOf(left: Awaited<ReturnType<SessionTree["branch"]>>): string {
  const asked = left.filter(({ kind, role }) => kind === "message" && role === "user");
  const lines = asked.map(({ parts }) => `- ${textOf(parts).slice(0, summaryCharacters)}`);
  return ["Another branch of this conversation was left. There the user asked:", ...lines].join("\n");
}
