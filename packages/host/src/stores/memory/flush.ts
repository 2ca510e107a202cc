/** The memory store's writer: the rules of one flush, as the database's has them, on maps. */
import type { HostWrite, Write } from "../../ports/store.ts";
import { StoreRefused } from "../../protocol/errors.ts";
import type { StoredEvent, StoredMessage } from "../../protocol/events.ts";
import type { Epoch, MessageId, Millis, Seq, SessionNo } from "../../protocol/ids.ts";
import type { SessionRow } from "../../protocol/rows.ts";
import { MergedEvents } from "../merged-events.ts";
import { type Answer, storedEvent, withDelta } from "../publish.ts";
import { applyHostWrite, applyWrite, type Target } from "./apply-write.ts";
import { Changes, isOpen, lastSeqOf, type MemoryData, type MemorySession, newSession } from "./data.ts";

export type MemoryOrder =
  | { readonly do: "write"; readonly session: SessionNo; readonly epoch: Epoch; readonly writes: readonly Write[] }
  | { readonly do: "create"; readonly row: SessionRow; readonly writes: readonly Write[] }
  | { readonly do: "change"; readonly writes: readonly HostWrite[] }
  | { readonly do: "claim"; readonly session: SessionNo }
  | { readonly do: "fold"; readonly before: Millis; readonly limit: number };

/** One flush. Answers each order; the events of a session become one segment at the end. */
export class MemoryFlush {
  readonly #data: MemoryData;
  readonly #merged = new Map<MemorySession, MergedEvents<StoredEvent>>();
  readonly #refused = new Map<string, StoreRefused>();

  constructor(data: MemoryData) {
    this.#data = data;
  }

  run(orders: readonly MemoryOrder[]): (Answer | StoreRefused)[] {
    const answers = orders.map((order) => this.#answer(order));
    for (const [session, { items }] of this.#merged) {
      const [first, last] = [items[0], items.at(-1)];
      if (first && last) session.segments.push({ first: first.seq, last: last.seq, at: last.at, events: items });
    }
    return answers;
  }

  #answer(order: MemoryOrder): Answer | StoreRefused {
    const lane = order.do === "write" ? `${order.session}:${order.epoch}` : null;
    const earlier = lane === null ? undefined : this.#refused.get(lane);
    if (earlier) return earlier;
    const changes = new Changes();
    try {
      return this.#apply(order, changes);
    } catch (cause) {
      changes.undo();
      if (!(cause instanceof StoreRefused)) throw cause;
      if (lane !== null) this.#refused.set(lane, cause);
      return cause;
    }
  }

  #apply(order: MemoryOrder, changes: Changes): Answer {
    switch (order.do) {
      case "write":
        return this.#write(this.#owned(order.session, order.epoch), order.writes, changes);
      case "create":
        return this.#create(order.row, order.writes, changes);
      case "change":
        for (const write of order.writes) applyHostWrite(this.#data, changes, write);
        return plain(0);
      case "claim":
        return plain(this.#claim(order.session));
      case "fold":
        return plain(fold(this.#data, order.before, order.limit));
    }
  }

  #owned(no: SessionNo, epoch: Epoch): MemorySession {
    const session = this.#data.sessions.get(no);
    if (session?.epoch === epoch) return session;
    throw new StoreRefused("lease-lost", session ? `Session ${no} has another owner.` : `Session ${no} is gone.`);
  }

  #write(session: MemorySession, writes: readonly Write[], changes: Changes): Answer {
    const merged = this.#merged.get(session) ?? new MergedEvents<StoredEvent>();
    const base = lastSeqOf(session);
    const next = base + merged.items.length + 1;
    const target: Target = { data: this.#data, session, changes, next, events: [], closed: new Map() };
    for (const write of writes) applyWrite(target, write);
    for (const pending of target.events)
      merged.add(storedEvent(base + merged.items.length + 1, pending, noMessages), pending.delta, withDelta);
    this.#merged.set(session, merged);
    return { value: base, closed: target.closed };
  }

  #create(row: SessionRow, writes: readonly Write[], changes: Changes): Answer {
    const all = [...this.#data.sessions.values()].map((session) => session.row);
    if (all.some((other) => other.id === row.id || (row.externalId !== null && other.externalId === row.externalId)))
      throw new StoreRefused("constraint", `There is a session ${row.id} or ${row.externalId} already.`);
    this.#data.lastNo += 1;
    const session = newSession(this.#data.lastNo, row);
    changes.set(this.#data.sessions, session.no, session);
    this.#write(session, writes, changes);
    return plain(session.no);
  }

  #claim(no: SessionNo): Epoch {
    const session = this.#data.sessions.get(no);
    if (!session) throw new StoreRefused("constraint", `There is no session ${no}.`);
    session.epoch += 1;
    return session.epoch;
  }
}
const noMessages: ReadonlyMap<MessageId, StoredMessage> = new Map();
const plain = (value: number): Answer => ({ value });

function fold(data: MemoryData, before: Millis, limit: number): number {
  let touched = 0;
  for (const session of data.sessions.values()) {
    if (touched >= limit) break;
    if (foldSession(session, before)) touched += 1;
  }
  return touched;
}

/** Whole segments, oldest first, up to the first that is young or may hold an event of an open message. */
function foldSession(session: MemorySession, before: Millis): boolean {
  const opened = [...session.messages.values()].filter(isOpen).map((message) => message.opened);
  const barrier = opened.reduce<Seq>((least, seq) => Math.min(least, seq), Number.POSITIVE_INFINITY);
  const kept = session.segments.findIndex(({ at, last }) => at >= before || last >= barrier);
  const dropped = kept === -1 ? session.segments : session.segments.slice(0, kept);
  session.horizon = dropped.at(-1)?.last ?? session.horizon;
  session.segments = session.segments.slice(dropped.length);
  return dropped.length > 0;
}
