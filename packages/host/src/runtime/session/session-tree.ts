/**
 * The conversation of one session as the runtime speaks of it: entries with parents, labels, a place that moves. All of it
 * is the host's; nothing is kept here.
 */
import { MooringError, type NewEntry } from "../../index.ts";
import type { ExportedMessage } from "../../protocol/export.ts";
import { sessionFileText } from "../jsonl/write-session-file.ts";
import { parentEntry } from "../stored/session-manager.ts";
import type { AgentMessage } from "./agent-message.ts";
import type { HostedSession } from "./hosted-session.ts";
import { agentMessages } from "./stored-messages.ts";
import { textOf } from "./user-parts.ts";

export type SessionEntry = {
  readonly id: string;
  readonly parentId: string | null;
  /** `message`, or the kind of an entry: `compaction`, `branch_summary`, `label`, `custom`, ... */
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** Of a message: what was said, the results of its tool calls behind each answer. */
  readonly messages: readonly AgentMessage[];
  /** Of an entry: what is kept with it. */
  readonly data: unknown;
  readonly label?: string;
};
export type SessionTreeNode = { readonly entry: SessionEntry; readonly children: readonly SessionTreeNode[] };
/** `shown`: the branch that is; `all`: with those that were left. */
export type Branches = "shown" | "all";
export type ExportOptions = { readonly branches?: Branches };
type Rows = readonly ExportedMessage[];
type Read = { readonly leaf: string | null; readonly rows: Rows };

export class SessionTree {
  readonly #hosted: HostedSession;
  readonly #appended: (entryId: string, entryType: string) => Promise<void>;

  /** `appended`: told of every entry that was stored. */
  constructor(hosted: HostedSession, appended: (entryId: string, entryType: string) => Promise<void>) {
    this.#hosted = hosted;
    this.#appended = appended;
  }
  async read(): Promise<Read> {
    const { host, id, manager } = this.#hosted;
    if (id !== null) return host.tree.read(id);
    return manager.draft;
  }
  /** In the order they were stored. `since`: those after this one; throws `no-such-entry`. */
  async entries(since?: string): Promise<readonly SessionEntry[]> {
    const { rows } = await this.read();
    const at = since === undefined ? 0 : rows.findIndex(({ id }) => id === since) + 1;
    if (since !== undefined && at === 0) throw noSuchEntry(since);
    return rows.slice(at).map(entryOf(rows));
  }
  async tree(): Promise<readonly SessionTreeNode[]> {
    const { rows } = await this.read();
    const children = Map.groupBy(rows, ({ parentId }) => parentId);
    const toEntry = entryOf(rows);
    // From the newest up: a parent comes before its children, so these are made already.
    const nodes = new Map<string, SessionTreeNode>();
    for (const row of rows.toReversed()) {
      const below = (children.get(row.id) ?? []).flatMap(({ id }) => nodes.get(id) ?? []);
      nodes.set(row.id, { entry: toEntry(row), children: below });
    }
    return (children.get(null) ?? []).flatMap(({ id }) => nodes.get(id) ?? []);
  }
  /** The branch shown, oldest first. */
  async branch(): Promise<Rows> {
    const { leaf, rows } = await this.read();
    return pathTo(rows, leaf);
  }
  async messages(): Promise<readonly AgentMessage[]> {
    return (await this.branch()).filter(({ kind }) => kind === "message").flatMap(agentMessages);
  }
  /** User messages of every branch. */
  async forkable(): Promise<readonly { readonly entryId: string; readonly text: string }[]> {
    const { rows } = await this.read();
    const said = rows.filter(({ kind, role }) => kind === "message" && role === "user");
    return said.map(({ id, parts }) => ({ entryId: id, text: textOf(parts) }));
  }
  /** Throws `no-such-entry`. */
  async find(id: string): Promise<Read & { readonly row: ExportedMessage }> {
    const read = await this.read();
    const row = read.rows.find((one) => one.id === id);
    if (row) return { ...read, row };
    throw noSuchEntry(id);
  }
  /** Null takes it away. Throws `no-such-entry`. */
  async label(targetId: string, label: string | null): Promise<void> {
    await this.find(targetId);
    await this.append({ label: "label", metadata: { targetId, label } });
  }
  async append(entry: NewEntry): Promise<string> {
    const id = await this.#hosted.host.tree.append(await this.#hosted.ensure(), entry);
    await this.#appended(id, entry.label);
    return id;
  }
  async move(leaf: string | null, entry?: NewEntry): Promise<string | null> {
    const { host, stored } = this.#hosted;
    const end = await host.tree.move(stored, { leaf, ...(entry === undefined ? {} : { entry }) });
    if (entry && end !== null) await this.#appended(end, entry.label);
    return end;
  }
  /** As a session file of version 3. */
  async fileText(branches: Branches): Promise<string> {
    const { host, id, manager, title } = this.#hosted;
    const { leaf, rows } = await this.read();
    const shown = branches === "all" ? rows : pathTo(rows, leaf);
    const stored = id === null ? null : await host.get(id);
    const createdAt = stored?.createdAt ?? rows[0]?.createdAt ?? 0;
    const parentSession = manager.parentSession ?? parentNamed(rows);
    const name = (stored ? stored.title : title) ?? null;
    const header = { id: manager.getSessionId(), cwd: manager.getCwd(), createdAt, parentSession, name };
    return sessionFileText(header, { rows: shown, leaf, first: rows[0] });
  }
}
const noSuchEntry = (id: string): MooringError =>
  new MooringError("no-such-entry", `There is no entry "${id}" in this session: not found.`, {
    detail: { entryId: id },
  });

/** By the entry a session that is no fork begins with. */
function parentNamed(rows: Rows): string | undefined {
  const row = rows.find(({ label, metadata }) => label === "custom" && Object(metadata).customType === parentEntry);
  const parent: unknown = Object(Object(row?.metadata).data).parentSession;
  return typeof parent === "string" ? parent : undefined;
}
export function pathTo(rows: Rows, leaf: string | null): Rows {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const path: ExportedMessage[] = [];
  for (let row = byId.get(leaf ?? ""); row; row = byId.get(row.parentId ?? "")) path.push(row);
  return path.reverse();
}
function entryOf(rows: Rows): (row: ExportedMessage) => SessionEntry {
  const labels = labelsOf(rows);
  return (row) => {
    const label = labels.get(row.id);
    return {
      id: row.id,
      parentId: row.parentId,
      type: row.kind === "message" ? "message" : (row.label ?? "entry"),
      timestamp: row.createdAt,
      messages: row.kind === "message" ? agentMessages(row) : [],
      data: row.kind === "message" ? null : row.metadata,
      ...(label === undefined ? {} : { label }),
    };
  };
}
/** The newest label of each entry that has one. */
function labelsOf(rows: Rows): ReadonlyMap<string, string> {
  const ids = new Map(rows.flatMap(({ id, originId }) => (originId === null ? [] : [[originId, id] as const])));
  const labels = new Map<string, string>();
  for (const { kind, label, metadata } of rows) {
    if (kind !== "entry" || label !== "label") continue;
    const { targetId, label: text } = labelData(metadata);
    const target = ids.get(targetId) ?? targetId;
    if (text === null) labels.delete(target);
    else labels.set(target, text);
  }
  return labels;
}
/** Ours, or a line of a session file. */
function labelData(metadata: unknown): { readonly targetId: string; readonly label: string | null } {
  const given = Object(metadata) as { targetId?: unknown; label?: unknown; jsonl?: unknown };
  const kept: unknown = Array.isArray(given.jsonl) ? JSON.parse(String(given.jsonl[0])) : given;
  const { targetId, label } = Object(kept) as { targetId?: unknown; label?: unknown };
  return { targetId: String(targetId), label: typeof label === "string" && label !== "" ? label : null };
}
