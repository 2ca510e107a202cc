/**
 * The store port. One ordered writer; everything of one `write` is one transaction, conditional on the session's epoch;
 * events get their numbers in the flush, after adjacent deltas of one part were merged: what is published is what is stored.
 * Nothing here prevents a second engine: leases are epochs inside every write, and no call spans two transactions.
 */

import type { SessionEvent, StoredEvent, StoredMessage } from "../protocol/events.ts";
import type {
  AgentId,
  ApprovalId,
  Epoch,
  FileId,
  InputId,
  MessageId,
  Millis,
  RuleId,
  Seq,
  SessionId,
  SessionNo,
  TurnId,
} from "../protocol/ids.ts";
import type { Outcome } from "../protocol/input.ts";
import type { RuleRow } from "../protocol/permission.ts";
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
  UsageRow,
} from "../protocol/rows.ts";
import type { TokenUsage } from "../protocol/usage.ts";

/**
 * One change of one session's rows, or one event of its journal, in the order of the list. What is over never changes
 * again, and nothing is written to what is not there: `constraint`. So a `chunk` needs its message open, `message.closed`
 * its message closed, a message its parent stored, each at its place in the list.
 */
export type Write =
  | {
      readonly write: "session";
      readonly set: Partial<
        Pick<SessionRow, "title" | "permissionMode" | "leaf" | "resumeToken" | "compacting" | "removedAt" | "updatedAt">
      >;
    }
  | { readonly write: "input"; readonly row: InputRow }
  | {
      readonly write: "input-set";
      readonly id: InputId;
      readonly set: Partial<
        Pick<InputRow, "input" | "state" | "reason" | "turnId" | "messageId" | "position" | "updatedAt">
      >;
    }
  /** The waiting list, whole: positions 0..n-1; every other input of the session gets position null. */
  | { readonly write: "order"; readonly ids: readonly InputId[] }
  | { readonly write: "turn"; readonly row: TurnRow }
  | {
      readonly write: "turn-set";
      readonly id: TurnId;
      readonly set: Partial<Pick<TurnRow, "status" | "reason" | "message" | "endedAt">>;
    }
  | { readonly write: "message"; readonly row: MessageRow }
  /** Refused (`constraint`) for a message that is closed already. */
  | {
      readonly write: "message-close";
      readonly id: MessageId;
      readonly set: Pick<
        MessageRow,
        "status" | "parts" | "metadata" | "resumeToken" | "anchor" | "timing" | "closedAt"
      >;
    }
  | { readonly write: "message-drop"; readonly id: MessageId }
  | { readonly write: "approval"; readonly row: ApprovalRow }
  | {
      readonly write: "approval-close";
      readonly id: ApprovalId;
      readonly set: Pick<ApprovalRow, "how" | "answer" | "closedAt">;
    }
  /** Insert-only: a second row with the same id is ignored. Of any scope: an answer in this session made it. */
  | { readonly write: "rule"; readonly row: RuleRow }
  /** Insert-only: a second row with the same request id is ignored. */
  | { readonly write: "usage"; readonly row: UsageRow }
  | { readonly write: "event"; readonly event: SessionEvent; readonly at: Millis };

/** Changes outside any session's turn. */
export type HostWrite =
  | { readonly write: "agent"; readonly row: AgentRow } // insert or replace by id
  | { readonly write: "agent-remove"; readonly id: AgentId } // with its rules
  | { readonly write: "rule"; readonly row: RuleRow } // insert-only: a second row with the same id is ignored
  | { readonly write: "rule-remove"; readonly id: RuleId }
  | { readonly write: "setting"; readonly key: string; readonly value: unknown } // undefined value removes
  | { readonly write: "file"; readonly row: FileRow } // insert-only
  | { readonly write: "file-remove"; readonly id: FileId }
  | { readonly write: "process"; readonly row: ProcessRow }
  | { readonly write: "process-remove"; readonly pid: number; readonly startTime: string }
  | { readonly write: "session-remove"; readonly id: SessionId }; // the session and all that hangs on it, for ever

/**
 * `events`: what was stored of this write, numbered. Put together in call order, the `events` of a session's writes are
 * its journal: an event merged into one of an earlier write of the same flush comes with that write alone. Without events
 * of its own, `first` and `last` are the newest number at that point, the one it was merged into if it was.
 */
export type Written = { readonly first: Seq; readonly last: Seq; readonly events: readonly StoredEvent[] };
export type MessagePage = {
  readonly messages: readonly StoredMessage[] /** Pass as `before` for the next older page; null at the beginning. */;
  readonly older: MessageId | null;
};
export type Page<T> = { readonly items: readonly T[]; readonly next: string | null };
/** By its newest turn that is not over, and the inputs that wait: `held` and `idle` have no such turn. */
export type SessionState = "busy" | "waiting" | "held" | "idle";
export type SessionQuery = {
  readonly text?: string;
  readonly state?: SessionState;
  readonly agentId?: AgentId;
  /** None but these. */
  readonly ids?: readonly SessionId[];
  readonly after?: string;
  readonly limit?: number;
  readonly removed?: boolean;
};
export type SessionListRow = SessionRow & {
  readonly turn: "open" | "waiting" | null;
  /** Of the newest turn that is over; null: none is. */
  readonly lastOutcome: Outcome | null;
  readonly waitingInputs: number;
  readonly openApprovals: number;
};

/** `opened`: no event of the message is older. */
export type PlacedRow = { readonly row: MessageRow; readonly opened: Seq };

/** What hangs on one session, by kind. */
export type SessionRows = {
  readonly message: MessageRow;
  readonly input: InputRow;
  readonly turn: TurnRow;
  readonly approval: ApprovalRow;
  readonly usage: UsageRow;
};
/**
 * Usage reported at or after `from` and before `to`. `day`: of UTC, as `2026-01-31`. `session`: those with the most tokens,
 * largest first, at most 100.
 */
export type UsageQuery = {
  readonly from?: Millis;
  readonly to?: Millis;
  readonly by: "day" | "agent" | "session" | "model";
};
export type UsageSum = {
  readonly total: TokenUsage;
  readonly requests: number;
  /** Milliseconds the requests took, of those that said so. */
  readonly modelMs: number;
  readonly cost: readonly { readonly currency: string; readonly amount: number }[];
};
/** A turn, and what its requests used. */
export type TurnReport = TurnRow & { readonly used: UsageSum };
/** `key`: the day, the agent's id, the session's id or the model. */
export type UsageGroup = UsageSum & { readonly key: string };

export interface Queries {
  agents(): Promise<readonly AgentRow[]>;
  /** All of them, oldest first. */
  rules(): Promise<readonly RuleRow[]>;
  /** Newest first. */
  sessions(q: SessionQuery): Promise<Page<SessionListRow>>;
  /** By id or external id. */
  session(idOrExternal: string): Promise<{ readonly row: SessionRow; readonly no: SessionNo } | null>;
  input(session: SessionNo, id: InputId): Promise<InputRow | null>;
  /** The newest one with this id of a chat client's message. */
  clientInput(session: SessionNo, clientId: string): Promise<InputRow | null>;
  /** Inputs that have not ended, the waiting ones first in queue order. */
  inputs(session: SessionNo): Promise<readonly InputRow[]>;
  turn(session: SessionNo, id: TurnId): Promise<TurnRow | null>;
  /** Newest first. */
  turns(session: SessionNo, q: { readonly limit: number }): Promise<readonly TurnRow[]>;
  /** Those of these that are there, oldest first. */
  turnReports(session: SessionNo, ids: readonly TurnId[]): Promise<readonly TurnReport[]>;
  approval(id: ApprovalId): Promise<ApprovalRow | null>;
  /** Newest first. */
  approvals(q: {
    readonly open?: boolean;
    readonly sessionId?: SessionId;
    readonly limit?: number;
  }): Promise<readonly ApprovalRow[]>;
  message(session: SessionNo, id: MessageId): Promise<MessageRow | null>;
  placed(session: SessionNo, id: MessageId): Promise<PlacedRow | null>;
  /** The turn's first assistant message stored after this one (null: of all), flows and dropped ones apart. */
  reply(session: SessionNo, turn: TurnId, after: MessageId | null): Promise<PlacedRow | null>;
  /** The branch that ends at `leaf` (default: the session's), oldest first, from its last `compaction` entry on, that entry included. */
  branch(session: SessionNo, leaf?: MessageId): Promise<readonly MessageRow[]>;
  usage(session: SessionNo): Promise<UsageSum>;
  turnUsage(session: SessionNo, turn: TurnId): Promise<TokenUsage>;
  /** Of every session, in the order of the keys. */
  usageTotals(q: UsageQuery): Promise<readonly UsageGroup[]>;
  /**
   * Every row of a kind, in the order they were stored, in pages; none for a session that is not there. Dropped messages
   * are left out, an open one comes without content. Each page is one state: a row that changes meanwhile comes once, as
   * it is when its page is read.
   */
  rows<Kind extends keyof SessionRows>(session: SessionNo, kind: Kind): AsyncIterable<readonly SessionRows[Kind][]>;
  file(id: FileId): Promise<FileRow | null>;
  /** Stored before a time, in the order of their ids. */
  files(q: { readonly before: Millis; readonly after?: FileId; readonly limit: number }): Promise<readonly FileRow[]>;
  /** Another one with the same bytes; null: there is none. */
  sameBytes(row: Pick<FileRow, "hash" | "id">): Promise<FileRow | null>;
  /**
   * In pieces, what looks like the id of a file in any message, input, approval or event. Goes through everything that is
   * stored; what is stored meanwhile may be missed, what is there before and after is not.
   */
  namedFiles(): AsyncIterable<readonly FileId[]>;
  processes(): Promise<readonly ProcessRow[]>;
  /** Null when it is not set. */
  setting(key: string): Promise<unknown>;
}

export interface Store {
  /** Random per database, renewed by a restore: first part of a cursor. */
  readonly id: string;
  readonly query: Queries;
  /** Creates the session with its first rows in one transaction; its epoch is 0 until it is claimed. */
  create(row: SessionRow, writes?: readonly Write[]): Promise<SessionNo>;
  change(writes: readonly HostWrite[]): Promise<void>;
  /**
   * In call order per session. Rejects with a `StoreRefused`; nothing of that write is stored then, nor of any other that
   * was asked for under the same epoch before the rejection was delivered: they are refused with the same code. An empty
   * list is a barrier: it resolves when all before it is durable.
   */
  write(session: SessionNo, epoch: Epoch, writes: readonly Write[]): Promise<Written>;
  /** Drops segments below the retention window (`before`), never at or past the first event of an open message; moves the horizon. Returns sessions touched. */
  fold(before: Millis, limit: number): Promise<number>;
  /** This and the reads below reject with `not-found` for a session that is not there. */
  load(session: SessionNo): Promise<StoredSession>;
  /** Sessions that need recovery: an open turn, message, approval or compaction, or an input that has not ended. */
  open(): AsyncIterable<SessionNo>;
  /** Events after `after`, oldest first, at most `limit`; `message.closed` comes with its stored message. */
  events(session: SessionNo, after: Seq, limit: number): Promise<readonly StoredEvent[]>;
  /** Horizon: the last dropped seq (0: none). last: the newest seq (0: none). */
  bounds(session: SessionNo): Promise<{ readonly horizon: Seq; readonly last: Seq }>;
  /**
   * Closed and open messages of the branch shown, newest first in pages, each page oldest first. Flows and entries
   * excluded; a page ends early where its content grows too large. `before` is excluded too, and may be of any branch; `not-found` when it is no message of the session.
   */
  messages(session: SessionNo, page: { readonly before?: MessageId; readonly limit: number }): Promise<MessagePage>;
  /**
   * Everything a snapshot needs, at one sequence. `open`: open messages, flows included. `older`: the branch's last
   * message while it is open, the `before` of the page that comes before it; null: begin with the newest page.
   * `opened`: no event of an open message is older; null: none is open.
   */
  snapshot(session: SessionNo): Promise<{
    readonly seq: Seq;
    readonly session: SessionRow;
    readonly turn: TurnRow | null;
    readonly open: readonly StoredMessage[];
    readonly inputs: readonly InputRow[];
    readonly approvals: readonly ApprovalRow[];
    readonly older: MessageId | null;
    readonly opened: Seq | null;
  }>;
  /** Takes the session: raises its epoch, so that every older owner's writes are refused. */
  claim(session: SessionNo): Promise<Epoch>;
  /** Copies itself, while it runs, into a directory, as it is opened from one; the copy opens under another id. */
  backup(directory: string): Promise<void>;
  /** Stores what was accepted, refuses the rest with `closed`. Idempotent. */
  close(): Promise<void>;
}
