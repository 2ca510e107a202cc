/**
 * A database as its file says, read without any code of the store: what the checker judges must not be what it judges
 * with. Opened read-only; a host may be using it.
 */
import { DatabaseSync } from "node:sqlite";
import { messageOf } from "@mooring/host";

type Row = Readonly<Record<string, unknown>>;
export type StoredSession = {
  readonly no: number;
  readonly id: string;
  readonly horizon: number;
  readonly leaf: string | null;
};
export type StoredInput = {
  readonly session: number;
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly turnId: string | null;
  readonly messageId: string | null;
};
export type StoredTurn = { readonly session: number; readonly id: string; readonly status: string };
export type StoredMessage = {
  readonly session: number;
  /** The key by which chunks in the journal name it. */
  readonly no: number;
  readonly id: string;
  readonly parentId: string | null;
  readonly kind: string;
  readonly role: string;
  readonly status: string;
  readonly turnId: string | null;
  readonly inputId: string | null;
  readonly openedSeq: number;
  readonly parts: readonly Row[];
};
export type StoredApproval = {
  readonly id: string;
  readonly turnId: string | null;
  readonly how: string | null;
  readonly durable: boolean;
  readonly command: string;
};
export type Segment = {
  readonly session: number;
  readonly first: number;
  readonly last: number;
  readonly items: readonly Item[];
};
/** `ref` 0: a whole event without its session; else a chunk of the message with that key. */
export type Item = readonly [ref: number, body: Row, late?: number, turn?: string | null];

export type Stored = {
  readonly integrity: string;
  readonly migrations: readonly string[];
  readonly sessions: readonly StoredSession[];
  readonly inputs: readonly StoredInput[];
  readonly turns: readonly StoredTurn[];
  readonly messages: readonly StoredMessage[];
  readonly approvals: readonly StoredApproval[];
  readonly segments: readonly Segment[];
  /** Children recorded as running. */
  readonly pids: readonly number[];
};

export function readStored(path: string): Stored {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    db.exec("PRAGMA busy_timeout = 5000; BEGIN"); // one moment, whatever a host writes meanwhile
    return readAll((text) => db.prepare(text).all());
  } finally {
    db.close();
  }
}

type Query = (text: string) => Row[];

/** Of a damaged file nothing but the damage. */
function readAll(query: Query): Stored {
  const integrity = integrityOf(query);
  if (integrity !== "ok") return { ...nothing, integrity };
  return {
    integrity,
    migrations: query("SELECT name FROM kysely_migration ORDER BY name").map((row) => String(row["name"])),
    sessions: query("SELECT no, id, horizon, leaf FROM sessions") as unknown as StoredSession[],
    inputs: query(
      "SELECT session_no AS session, id, state, reason, turn_id AS turnId, message_id AS messageId FROM inputs",
    ) as unknown as StoredInput[],
    turns: query("SELECT session_no AS session, id, status FROM turns") as unknown as StoredTurn[],
    messages: readMessages(query),
    approvals: readApprovals(query),
    segments: readSegments(query),
    pids: query("SELECT pid FROM processes").map((row) => Number(row["pid"])),
  };
}

const nothing = {
  migrations: [],
  sessions: [],
  inputs: [],
  turns: [],
  messages: [],
  approvals: [],
  segments: [],
  pids: [],
};

function integrityOf(query: Query): string {
  try {
    const rows = query("PRAGMA integrity_check");
    return rows.map((row) => String(row["integrity_check"])).join("; ");
  } catch (cause) {
    return messageOf(cause);
  }
}

function readMessages(query: Query): StoredMessage[] {
  const rows =
    query(`SELECT session_no AS session, no, id, parent_id AS parentId, kind, role, status, turn_id AS turnId,
    input_id AS inputId, opened_seq AS openedSeq, parts FROM messages ORDER BY no`);
  return rows.map((row) => ({ ...row, parts: JSON.parse(String(row["parts"])) })) as unknown as StoredMessage[];
}

function readApprovals(query: Query): StoredApproval[] {
  return query("SELECT id, turn_id AS turnId, how, durable, input FROM approvals").map((row) => ({
    ...row,
    durable: row["durable"] === 1,
    command: String(row["input"]),
  })) as unknown as StoredApproval[];
}

/** As a reader goes through them: of each session what is settled, then what is fresh. */
function readSegments(query: Query): Segment[] {
  const from = (table: string, order: number): string =>
    `SELECT session_no AS session, ${order} AS place, first_seq AS first, last_seq AS last, data FROM ${table}`;
  const rows = query(`${from("events", 0)} UNION ALL ${from("fresh_events", 1)} ORDER BY session, place, first`);
  return rows.map(({ data, place: _, ...row }) => ({
    ...row,
    items: JSON.parse(String(data)),
  })) as unknown as Segment[];
}
