/** Jobs of the store's queue: what the thread gets, and what the host keeps to publish the flush. */
import type { HostWrite, Write } from "../../ports/store.ts";
import type { StoredMessage } from "../../protocol/events.ts";
import type { Epoch, MessageId, Millis, SessionNo } from "../../protocol/ids.ts";
import type { MessageRow, SessionRow } from "../../protocol/rows.ts";
import { type Job, laneOf } from "../commit-queue.ts";
import { deltaOf } from "../merged-events.ts";
import type { PendingEvent, Publishable } from "../publish.ts";
import {
  agentColumns,
  type Columns,
  columnName,
  fileColumns,
  processColumns,
  ruleColumns,
  sessionColumns,
  toSql,
  valuesOf,
} from "./columns.ts";
import { encodeEvent, encodeRow, insertRule } from "./encode-write.ts";
import type { ClosedMessage, HostOp, Op, StoreJob } from "./jobs.ts";

type Content = Pick<MessageRow, "parts" | "metadata">;
export type SqliteJob = Job<StoreJob> &
  Publishable & {
    /** Of the messages this write closes: their parts need not come back from the thread. */
    readonly contents: ReadonlyMap<MessageId, Content>;
  };
const noContents: SqliteJob["contents"] = new Map();

export function writeJob(session: SessionNo, epoch: Epoch, writes: readonly Write[]): SqliteJob {
  const { ops, events, contents } = encodeWrites(writes);
  return {
    payload: ["write", session, epoch, ops],
    bytes: sizeOf(ops),
    lane: laneOf(session, epoch),
    session,
    events,
    contents,
  };
}

export function createJob(row: SessionRow, writes: readonly Write[]): SqliteJob {
  const { ops } = encodeWrites(writes);
  return lone(["create", valuesOf(sessionColumns, row), ops], sizeOf(ops));
}

export function changeJob(writes: readonly HostWrite[]): SqliteJob {
  const ops = writes.flatMap((write) => [encodeHostWrite(write), ...withoutRules(write)]);
  return lone(["change", ops], sizeOf(ops));
}

export const claimJob = (session: SessionNo): SqliteJob => lone(["claim", session], 0);
export const foldJob = (before: Millis, limit: number): SqliteJob => lone(["fold", before, limit], 0);

const lone = (payload: StoreJob, bytes: number): SqliteJob => ({
  payload,
  bytes,
  lane: null,
  session: 0,
  events: [],
  contents: noContents,
});

function encodeWrites(writes: readonly Write[]): {
  readonly ops: Op[];
  readonly events: PendingEvent[];
  readonly contents: Map<MessageId, Content>;
} {
  const ops: Op[] = [];
  const events: PendingEvent[] = [];
  const contents = new Map<MessageId, Content>();
  for (const write of writes) {
    if (write.write === "event") {
      const pending = { event: write.event, at: write.at, delta: deltaOf(write.event) };
      events.push(pending);
      ops.push(encodeEvent(pending, "messageId" in write.event && contents.has(String(write.event.messageId))));
    } else {
      ops.push(encodeRow(write));
      if (write.write === "message") contents.set(write.row.id, write.row);
      else if (write.write === "message-close") contents.set(write.id, write.set);
    }
  }
  return { ops, events, contents };
}

/** About the characters in it: a bound for what waits, not an account. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (!Array.isArray(value)) return 8;
  return value.reduce<number>((total, part) => total + sizeOf(part), 16);
}

/** What is configured for an agent goes with it. */
const withoutRules = (write: HostWrite): readonly HostOp[] =>
  write.write === "agent-remove" ? [["run", "DELETE FROM rules WHERE agent_id = ?", [write.id]]] : [];

function encodeHostWrite(write: HostWrite): HostOp {
  switch (write.write) {
    case "agent":
      return ["run", upsert("agents", agentColumns, "id"), valuesOf(agentColumns, write.row)];
    case "agent-remove":
      return ["run", "DELETE FROM agents WHERE id = ?", [write.id]];
    case "rule":
      return ["run", insertRule, valuesOf(ruleColumns, write.row)];
    case "rule-remove":
      return ["run", "DELETE FROM rules WHERE id = ?", [write.id]];
    case "setting":
      return write.value === undefined
        ? ["run", "DELETE FROM settings WHERE key = ?", [write.key]]
        : ["run", setSetting, [write.key, toSql("json", write.value) ?? "null"]];
    case "file":
      return ["run", insertFile, valuesOf(fileColumns, write.row)];
    case "file-remove":
      return ["run", "DELETE FROM files WHERE id = ?", [write.id]];
    case "process":
      return ["run", upsert("processes", processColumns, "pid, start_time"), valuesOf(processColumns, write.row)];
    case "process-remove":
      return ["run", "DELETE FROM processes WHERE pid = ? AND start_time = ?", [write.pid, write.startTime]];
    case "session-remove":
      return ["remove-session", write.id];
  }
}
const insertFile = `INSERT INTO files (${Object.keys(fileColumns).map(columnName).join(", ")}) VALUES (?, ?, ?, ?, ?, ?)`;
const setSetting =
  "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/** Replaces the row of the same key, and no other: a name someone else has is a conflict. */
function upsert<Row>(table: string, columns: Columns<Row>, key: string): string {
  const names = Object.keys(columns).map(columnName);
  const places = names.map(() => "?").join(", ");
  const sets = names.map((name) => `${name} = excluded.${name}`).join(", ");
  return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${places}) ON CONFLICT (${key}) DO UPDATE SET ${sets}`;
}

/** A closed message as its row says; its parts come from the write that closed it, or with the row. */
export function storedMessage(row: ClosedMessage, content: Content | undefined): StoredMessage {
  const parts = content ? content.parts : (JSON.parse(row.parts ?? "[]") as StoredMessage["parts"]);
  const metadata = content ? content.metadata : (JSON.parse(row.metadata ?? "null") as unknown);
  return {
    id: row.id,
    role: row.role as StoredMessage["role"],
    parts,
    ...(metadata === null || metadata === undefined ? {} : { metadata }),
    parentId: row.parentId,
    status: row.status as StoredMessage["status"],
    turnId: row.turnId,
    inputId: row.inputId,
    createdAt: row.createdAt,
    ...(row.kind === "flow" ? { flow: { toolCallId: row.label ?? "" } } : {}),
  };
}
