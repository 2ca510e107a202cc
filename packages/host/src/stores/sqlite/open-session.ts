/** What the writer remembers of a session it writes to, and what the running flush has for it. */
import type { StoreRefused } from "../../protocol/errors.ts";
import type { Epoch, MessageId, Seq, SessionNo, TurnId } from "../../protocol/ids.ts";
import { MergedEvents } from "../merged-events.ts";
import type { Refusal } from "./jobs.ts";
import { lastSeq } from "./journal.ts";
import type { Item } from "./segment.ts";
import type { Sql } from "./sql.ts";

export type OpenMessage = { readonly no: number; readonly turn: TurnId | null };

export class OpenSession {
  readonly no: SessionNo;
  epoch: Epoch;
  /** Newest number stored before the running flush. */
  last: Seq;
  /** Open messages met so far. */
  readonly messages = new Map<MessageId, OpenMessage>();
  /** Events of the running flush. */
  events = new MergedEvents<Item>();
  /** Owners refused in the running flush: nothing more of theirs is taken from it. */
  readonly refused = new Map<Epoch, Refusal>();

  constructor(no: SessionNo, epoch: Epoch, last: Seq) {
    this.no = no;
    this.epoch = epoch;
    this.last = last;
  }

  /** The first number a new event can get. */
  get next(): Seq {
    return this.last + this.events.items.length + 1;
  }

  /** The flush is stored. */
  settle(): void {
    this.last += this.events.items.length;
    this.events = new MergedEvents<Item>();
    this.refused.clear();
  }
}

/** Null when there is no such session. */
export function openSession(sql: Sql, no: SessionNo): OpenSession | null {
  const row = sql.get<{ epoch: Epoch; horizon: Seq }>("SELECT epoch, horizon FROM sessions WHERE no = ?", no);
  return row ? new OpenSession(no, row.epoch, lastSeq(sql, no, row.horizon)) : null;
}

export const refusalOf = (cause: StoreRefused): Refusal => ({
  refused: cause.code as Refusal["refused"],
  why: cause.message,
});
