/**
 * The conversation shown, as Markdown for people: who said what, reasoning as quotes, tool calls with the beginning of
 * their input and result, and what went wrong. Invariant: whatever a message holds, the next one starts with its heading.
 */
import type { Store } from "../../ports/store.ts";
import type { SessionId, SessionNo } from "../../protocol/ids.ts";
import type { MessageRow, SessionRow, TurnRow } from "../../protocol/rows.ts";
import type { HostContext } from "../host-context.ts";
import type { Found } from "../sessions/sessions.ts";
import { knownKeys, rowWithout } from "./known-keys.ts";
import { inlineCode, literal, markdownText, quoted } from "./markdown-text.ts";
import { partMarkdown } from "./part-markdown.ts";
import { wholeBranch } from "./whole-branch.ts";

/** Messages written as one piece. */
const pieceMessages = 50;

type Turns = ReadonlyMap<string, TurnRow>;

export async function* sessionMarkdown(context: HostContext, { row, no }: Found): AsyncGenerator<string> {
  const { store, agents } = context;
  const clean = rowWithout(knownKeys(context));
  yield `${headOf(clean(row), agents.byId(row.agentId)?.name ?? "(removed)")}\n`;
  const turns = new Map<string, TurnRow>();
  for await (const page of store.query.rows(no, "turn")) for (const turn of page) turns.set(turn.id, clean(turn));
  const branch = await branchShown(store, row.id, no);
  for (let at = 0; at < branch.length; at += pieceMessages) {
    const rows = branch.slice(at, at + pieceMessages);
    yield rows.map((message) => rowMarkdown(clean(message), turns)).join("");
  }
}
async function branchShown(store: Store, id: SessionId, no: SessionNo): Promise<readonly MessageRow[]> {
  const stored = await store.query.session(id); // of the row in memory, the leaf may not be stored yet
  const branch = await wholeBranch(store, no, stored?.row.leaf ?? null);
  if (!branch.some(({ status }) => status === "open")) return branch;
  const written = new Map((await store.snapshot(no)).open.map(({ id, parts }) => [id, parts]));
  return branch.map((row) => ({ ...row, parts: written.get(row.id) ?? row.parts }));
}

function headOf({ id, title, workspace, driver, createdAt }: SessionRow, agent: string): string {
  const facts = [
    `- Session: ${inlineCode(id)}`,
    `- Agent: ${literal(agent)} (${inlineCode(driver)})`,
    `- Workspace: ${inlineCode(workspace)}`,
    `- Begun: ${timeOf(createdAt)}`,
  ];
  return [`# ${literal(title ?? "") || "A conversation"}`, "", ...facts].join("\n");
}
const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

function rowMarkdown(row: MessageRow, turns: Turns): string {
  if (row.kind === "entry") return entryMarkdown(row);
  const who = row.role === "user" ? (row.author ?? "") || "User" : roleNames[row.role];
  const blocks = [...row.parts.flatMap(partMarkdown), ...endOf(row, turns)];
  return section(`${literal(who)}, ${timeOf(row.createdAt)}`, blocks);
}
const roleNames = { user: "User", assistant: "Assistant", system: "System" } as const;

const section = (heading: string, blocks: readonly string[]): string =>
  ["", `## ${heading}`, ...blocks.flatMap((block) => ["", block]), ""].join("\n");

function endOf({ role, status, turnId }: MessageRow, turns: Turns): readonly string[] {
  if (role !== "assistant" || status === "completed") return [];
  const turn = turnId === null ? undefined : turns.get(turnId);
  const why = turn?.status === status && turn.message !== null ? ` ${literal(turn.message)}` : "";
  return [`**${statusWords[status]}**${why}`];
}
const statusWords = {
  open: "Still being written.",
  failed: "Failed.",
  stopped: "Stopped.",
  interrupted: "Interrupted.",
} as const;

function entryMarkdown({ label, parts, createdAt }: MessageRow): string {
  if (label !== "compaction") return "";
  const summary = parts.flatMap((part) => (part.type === "text" ? [quoted(markdownText(part.text))] : []));
  return section(`Summary of what was said so far, ${timeOf(createdAt)}`, summary);
}
