/** What the memory store holds, and how a refused write takes its changes back. */
import type { StoredEvent } from "../../protocol/events.ts";
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
  SessionNo,
  TurnId,
  UsageId,
} from "../../protocol/ids.ts";
import { endedInputStates } from "../../protocol/input.ts";
import type { RuleRow } from "../../protocol/permission.ts";
import type {
  AgentRow,
  ApprovalRow,
  FileRow,
  InputRow,
  MessageRow,
  ProcessRow,
  SessionRow,
  TurnRow,
  UsageRow,
} from "../../protocol/rows.ts";

/** Events of one flush; `at` of the last one. A `message.closed` is kept without its message. */
export type Segment = {
  readonly first: Seq;
  readonly last: Seq;
  readonly at: Millis;
  readonly events: readonly StoredEvent[];
};
/** `opened`: no event of the message is older. */
export type MemoryMessage = { readonly row: MessageRow; readonly opened: Seq; readonly dropped: boolean };

export type MemorySession = {
  readonly no: SessionNo;
  row: SessionRow;
  epoch: Epoch;
  horizon: Seq;
  segments: Segment[];
  readonly inputs: Map<InputId, InputRow>;
  readonly turns: Map<TurnId, TurnRow>;
  readonly messages: Map<MessageId, MemoryMessage>;
};

export class MemoryData {
  /** Never given twice. */
  lastNo = 0;
  readonly sessions = new Map<SessionNo, MemorySession>();
  readonly agents = new Map<AgentId, AgentRow>();
  readonly rules = new Map<RuleId, RuleRow>();
  readonly settings = new Map<string, unknown>();
  readonly files = new Map<FileId, FileRow>();
  readonly processes = new Map<string, ProcessRow>();
  readonly approvals = new Map<ApprovalId, ApprovalRow>();
  readonly usage = new Map<UsageId, UsageRow>();

  sessionOf(idOrExternal: string): MemorySession | undefined {
    const all = [...this.sessions.values()];
    return all.find(({ row }) => row.id === idOrExternal) ?? all.find(({ row }) => row.externalId === idOrExternal);
  }
}

export const newSession = (no: SessionNo, row: SessionRow): MemorySession => ({
  no,
  row,
  epoch: 0,
  horizon: 0,
  segments: [],
  inputs: new Map(),
  turns: new Map(),
  messages: new Map(),
});

export const lastSeqOf = (session: MemorySession): Seq => session.segments.at(-1)?.last ?? session.horizon;
export const isLiveInput = (row: InputRow): boolean => !endedInputStates.includes(row.state);
export const isLiveTurn = (row: TurnRow): boolean => row.status === "open" || row.status === "waiting";
export const isOpen = (message: MemoryMessage): boolean => message.row.status === "open" && !message.dropped;

/** Changes of one job, undone in reverse when it is refused. */
export class Changes {
  readonly #undo: (() => void)[] = [];

  set<K, V>(map: Map<K, V>, key: K, value: V): void {
    const had = map.has(key);
    const before = map.get(key);
    this.#undo.push(() => {
      if (had && before !== undefined) map.set(key, before);
      else map.delete(key);
    });
    map.set(key, value);
  }

  remove<K, V>(map: Map<K, V>, key: K): void {
    const before = map.get(key);
    if (before === undefined) return;
    this.#undo.push(() => map.set(key, before));
    map.delete(key);
  }

  setRow(session: MemorySession, row: SessionRow): void {
    const before = session.row;
    this.#undo.push(() => {
      session.row = before;
    });
    session.row = row;
  }

  undo(): void {
    for (const step of this.#undo.reverse()) step();
  }
}
