/** The reads of the store's thread by name, and what each gives: JSON text of the result type, composed, not parsed. */
import type {
  MessagePage,
  Page,
  PlacedRow,
  Queries,
  SessionListRow,
  SessionQuery,
  SessionRows,
  Store,
  TurnReport,
  UsageGroup,
  UsageQuery,
} from "../../ports/store.ts";
import type {
  ApprovalId,
  FileId,
  InputId,
  MessageId,
  Millis,
  Seq,
  SessionId,
  SessionNo,
  TurnId,
} from "../../protocol/ids.ts";
import type { RuleRow } from "../../protocol/permission.ts";
import type {
  AgentRow,
  ApprovalRow,
  FileRow,
  InputRow,
  MessageRow,
  ProcessRow,
  SessionRow,
  StoredSession,
  TurnRow,
} from "../../protocol/rows.ts";
import type { TokenUsage } from "../../protocol/usage.ts";
import { type NamingPlace, readFile, readFiles, readNamedFiles, readSameBytes } from "./read-files.ts";
import { readBounds, readStretch } from "./read-journal.ts";
import * as lists from "./read-lists.ts";
import { readBranch, readMessage, readMessagePage, readMessages, readPlaced, readReply } from "./read-messages.ts";
import { readRowKeys, readRows } from "./read-rows.ts";
import { readLoad, readOpen, readSnapshot } from "./read-session.ts";
import { readTurnReports, readTurnUsage, readUsage, readUsageTotals } from "./read-usage.ts";
import type { Stretch } from "./segment.ts";
import type { Sql } from "./sql.ts";

/** Null: there is no such session, or no such message to page from. */
export type Reads = {
  agents(): AgentRow[];
  rules(): RuleRow[];
  sessions(q: SessionQuery): Page<SessionListRow>;
  session(idOrExternal: string): { row: SessionRow; no: SessionNo } | null;
  input(session: SessionNo, id: InputId): InputRow | null;
  clientInput(session: SessionNo, clientId: string): InputRow | null;
  inputs(session: SessionNo): InputRow[];
  turn(session: SessionNo, id: TurnId): TurnRow | null;
  turns(session: SessionNo, limit: number): TurnRow[];
  turnReports(session: SessionNo, ids: readonly TurnId[]): TurnReport[];
  approval(id: ApprovalId): ApprovalRow | null;
  approvals(q: { open?: boolean; sessionId?: SessionId; limit?: number }): ApprovalRow[];
  file(id: FileId): FileRow | null;
  files(before: Millis, after: FileId | null, limit: number): FileRow[];
  /** Another one with the same bytes. */
  sameBytes(hash: string, id: FileId): FileRow | null;
  /** Null: there is no more. */
  namedFiles(from: NamingPlace): { ids: FileId[]; next: NamingPlace | null };
  processes(): ProcessRow[];
  setting(key: string): unknown;
  usage(session: SessionNo): Awaited<ReturnType<Queries["usage"]>>;
  turnUsage(session: SessionNo, turn: TurnId): TokenUsage;
  usageTotals(q: UsageQuery): UsageGroup[];
  /** Keys of the rows of a kind, in the order they were stored. */
  rowKeys(session: SessionNo, kind: keyof SessionRows): number[];
  /** Rows by key, in the order they were stored. */
  rows(kind: keyof SessionRows, keys: readonly number[]): SessionRows[keyof SessionRows][];
  message(session: SessionNo, id: MessageId): MessageRow | null;
  placed(session: SessionNo, id: MessageId): PlacedRow | null;
  reply(session: SessionNo, turn: TurnId, after: MessageId | null): PlacedRow | null;
  /** Keys of the messages of a branch, oldest first. */
  branch(session: SessionNo, leaf: MessageId | null): number[];
  /** Messages by key, in that order. */
  messages(keys: readonly number[]): MessageRow[];
  page(session: SessionNo, before: MessageId | null, limit: number): MessagePage | null;
  stretch(session: SessionNo, after: Seq, limit: number): Stretch | null;
  bounds(session: SessionNo): { horizon: Seq; last: Seq } | null;
  load(session: SessionNo): StoredSession | null;
  open(after: SessionNo, limit: number): SessionNo[];
  snapshot(session: SessionNo): Awaited<ReturnType<Store["snapshot"]>> | null;
};
type ReadName = keyof Reads;

const reads: { readonly [Name in ReadName]: (sql: Sql, ...args: Parameters<Reads[Name]>) => string } = {
  agents: lists.readAgents,
  rules: lists.readRules,
  sessions: lists.readSessions,
  session: lists.readSession,
  input: lists.readInput,
  clientInput: lists.readClientInput,
  inputs: lists.readInputs,
  turn: lists.readTurn,
  turns: lists.readTurns,
  turnReports: readTurnReports,
  approval: lists.readApproval,
  approvals: lists.readApprovals,
  file: readFile,
  files: readFiles,
  sameBytes: readSameBytes,
  namedFiles: readNamedFiles,
  processes: lists.readProcesses,
  setting: lists.readSetting,
  usage: readUsage,
  turnUsage: readTurnUsage,
  usageTotals: readUsageTotals,
  rowKeys: readRowKeys,
  rows: readRows,
  message: readMessage,
  placed: readPlaced,
  reply: readReply,
  branch: readBranch,
  messages: readMessages,
  page: readMessagePage,
  stretch: readStretch,
  bounds: readBounds,
  load: readLoad,
  open: readOpen,
  snapshot: readSnapshot,
};
const isReadName = (name: string): name is ReadName => Object.hasOwn(reads, name);

/** Runs the read in one transaction: all of its statements see one state. */
export function runRead(sql: Sql, name: string, args: readonly unknown[]): string {
  if (!isReadName(name)) throw new TypeError(`There is no read ${name}.`);
  const read = reads[name] as (sql: Sql, ...args: readonly unknown[]) => string;
  sql.db.exec("BEGIN");
  try {
    return read(sql, ...args);
  } finally {
    if (sql.db.isTransaction) sql.db.exec("COMMIT");
  }
}
