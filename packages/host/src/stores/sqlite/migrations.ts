/**
 * The schema, as migrations in code. Invariant: a migration that was released never changes; the next one is added below
 * it under a higher name. `no` is a table's integer key inside the store; public ids are text.
 */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { applicationId, type migrationNames } from "./schema-names.ts";

const hostTables = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE agents (
     id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, driver TEXT NOT NULL, model TEXT, effort TEXT, instructions TEXT,
     permission_mode TEXT NOT NULL, provider TEXT NOT NULL, mcp_servers TEXT NOT NULL, disabled_tools TEXT NOT NULL,
     default_delivery TEXT NOT NULL, queue_after TEXT NOT NULL, on_interrupted TEXT NOT NULL,
     on_resume_failed TEXT NOT NULL, driver_options TEXT NOT NULL, revision INTEGER NOT NULL,
     created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
  `CREATE TABLE processes (
     pid INTEGER NOT NULL, start_time TEXT NOT NULL, purpose TEXT NOT NULL, session_id TEXT,
     host_pid INTEGER NOT NULL, started_at INTEGER NOT NULL, PRIMARY KEY (pid, start_time)) STRICT`,
];
/** Numbers of sessions are never given twice: cursors that clients keep contain them. */
const sessionTables = [
  `CREATE TABLE sessions (
     no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL DEFAULT 0,
     horizon INTEGER NOT NULL DEFAULT 0, agent_id TEXT NOT NULL, workspace TEXT NOT NULL, managed INTEGER NOT NULL,
     title TEXT, external_id TEXT UNIQUE, permission_mode TEXT, parent_id TEXT, leaf TEXT, driver TEXT NOT NULL,
     resume_token TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, removed_at INTEGER) STRICT`,
  `CREATE TABLE inputs (
     session_no INTEGER NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, reason TEXT, turn_id TEXT, message_id TEXT,
     position INTEGER, body_hash TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
     input TEXT NOT NULL, UNIQUE (session_no, id)) STRICT`,
  `CREATE INDEX inputs_live ON inputs (session_no, position)
     WHERE state NOT IN ('answered', 'unanswered', 'cancelled')`,
  `CREATE TABLE turns (
     session_no INTEGER NOT NULL, id TEXT NOT NULL, no INTEGER NOT NULL, origin TEXT NOT NULL, input_id TEXT,
     status TEXT NOT NULL, reason TEXT, message TEXT, model TEXT, started_at INTEGER NOT NULL, ended_at INTEGER,
     UNIQUE (session_no, id), UNIQUE (session_no, no)) STRICT`,
  `CREATE INDEX turns_live ON turns (session_no) WHERE status IN ('open', 'waiting')`,
  `CREATE TABLE approvals (
     id TEXT PRIMARY KEY, session_no INTEGER NOT NULL, turn_id TEXT, message_id TEXT, tool_call_id TEXT NOT NULL,
     tool_name TEXT NOT NULL, durable INTEGER NOT NULL, how TEXT, created_at INTEGER NOT NULL, closed_at INTEGER,
     answer TEXT, input TEXT) STRICT`,
  `CREATE INDEX approvals_by_session ON approvals (session_no)`,
  `CREATE INDEX approvals_open ON approvals (session_no) WHERE how IS NULL`,
  `CREATE TABLE usage_records (
     request_id TEXT PRIMARY KEY, session_no INTEGER NOT NULL, turn_id TEXT, message_id TEXT, model TEXT NOT NULL,
     input INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, cache_read INTEGER NOT NULL,
     cache_write INTEGER NOT NULL, first_token_ms REAL, total_ms REAL, cost_amount REAL, cost_currency TEXT,
     at INTEGER NOT NULL) STRICT`,
  `CREATE INDEX usage_by_turn ON usage_records (session_no, turn_id)`,
];
/**
 * `opened_seq`: no event of the message is older; of a dropped one (kept only so that its events keep their name): none
 * is newer. A segment holds the events of one session in one flush, `at` is the time of its last one.
 */
const journalTables = [
  `CREATE TABLE messages (
     no INTEGER PRIMARY KEY, session_no INTEGER NOT NULL, id TEXT NOT NULL, parent_id TEXT, kind TEXT NOT NULL,
     role TEXT NOT NULL, status TEXT NOT NULL, opened_seq INTEGER NOT NULL, ordinal INTEGER, turn_id TEXT, input_id TEXT,
     model TEXT, author TEXT, resume_token TEXT, anchor TEXT, origin_id TEXT, label TEXT,
     created_at INTEGER NOT NULL, closed_at INTEGER, timing TEXT, metadata TEXT, parts TEXT NOT NULL,
     UNIQUE (session_no, id)) STRICT`,
  `CREATE INDEX messages_open ON messages (session_no) WHERE status = 'open'`,
  `CREATE INDEX messages_dropped ON messages (session_no) WHERE status = 'dropped'`,
  `CREATE INDEX messages_flows ON messages (session_no, ordinal) WHERE kind = 'flow'`,
  ...["events", "fresh_events"].map(
    (name) => `CREATE TABLE ${name} (
     session_no INTEGER NOT NULL, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL, at INTEGER NOT NULL,
     data TEXT NOT NULL, UNIQUE (session_no, first_seq)) STRICT`,
  ),
];

const first: Migration = {
  async up(db) {
    for (const statement of [...hostTables, ...sessionTables, ...journalTables]) await sql.raw(statement).execute(db);
    await sql.raw(`PRAGMA application_id = ${applicationId}`).execute(db);
  },
};

/** The bytes lie beside the database, under their hash. */
const files: Migration = {
  async up(db) {
    await sql`CREATE TABLE files (
      id TEXT PRIMARY KEY, hash TEXT NOT NULL, name TEXT, media_type TEXT NOT NULL, size INTEGER NOT NULL,
      created_at INTEGER NOT NULL) STRICT`.execute(db);
  },
};

const rules: Migration = {
  async up(db) {
    const statements = [
      `CREATE TABLE rules (
         id TEXT PRIMARY KEY, scope TEXT NOT NULL, session_id TEXT, agent_id TEXT, effect TEXT NOT NULL,
         tool TEXT NOT NULL, pattern TEXT, approval_id TEXT, created_at INTEGER NOT NULL, by TEXT NOT NULL) STRICT`,
      `ALTER TABLE agents ADD COLUMN rules TEXT NOT NULL DEFAULT '[]'`,
      `ALTER TABLE agents ADD COLUMN always_ask TEXT NOT NULL DEFAULT '["mcp__*"]'`,
      `ALTER TABLE agents ADD COLUMN unattended TEXT NOT NULL DEFAULT 'deny'`,
      `ALTER TABLE approvals ADD COLUMN asked TEXT`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/** The newest input of a chat client's message, and the answer to it. */
const chat: Migration = {
  async up(db) {
    const statements = [
      `CREATE INDEX inputs_by_client ON inputs (session_no, json_extract(input, '$.client.id'))`,
      `CREATE INDEX messages_by_turn ON messages (session_no, turn_id)`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/** Of the session whose history is being made shorter: a host that ends meanwhile has told people that it began. */
const compacting: Migration = {
  async up(db) {
    await sql`ALTER TABLE sessions ADD COLUMN compacting INTEGER NOT NULL DEFAULT 0`.execute(db);
    await sql`CREATE INDEX sessions_compacting ON sessions (no) WHERE compacting = 1`.execute(db);
  },
};

export const migrations: Readonly<Record<(typeof migrationNames)[number], Migration>> = {
  "0001-sessions": first,
  "0002-files": files,
  "0003-rules": rules,
  "0004-chat": chat,
  "0005-compacting": compacting,
};
