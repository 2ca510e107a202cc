/**
 * One viewer of all sessions: the list as it is, then what changes in it. Invariants: it listens before it reads, so
 * nothing falls between (what came during the read may be told again); a change is told as the list shows it after the
 * commit, and several of one session that the viewer has not taken are told as one; a viewer that lags by more than its
 * bound is cut with `slow-subscriber`, and begins with the list again.
 */
import type { SessionListRow, Store } from "../../ports/store.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { SessionEvent, StoredEvent } from "../../protocol/events.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { ApprovalEvent, HostEvent } from "../api.ts";
import type { HostLimits } from "../limits.ts";
import type { Feeds } from "./feeds.ts";

type WatchPorts = {
  readonly store: Store;
  readonly feeds: Feeds;
  readonly limits: Pick<HostLimits, "subscriberBytes" | "watchSessions" | "watchApprovals">;
};
/** Bytes one changed session or approval is taken for beside its text. */
const changeBytes = 256;
const listed: ReadonlySet<SessionEvent["type"]> = new Set([
  "input.accepted",
  "input.changed",
  "turn.started",
  "turn.waiting",
  "turn.resumed",
  "turn.settled",
  "approval.requested",
  "approval.closed",
  "session.changed",
] satisfies SessionEvent["type"][]);

/** Ends with the signal, or by `return`. Throws `slow-subscriber`. */
export async function* watchSessions(
  ports: WatchPorts,
  signal: AbortSignal | undefined,
): AsyncGenerator<HostEvent, void> {
  const changes = new Changes(ports.limits.subscriberBytes);
  const leave = ports.feeds.watch({
    heard: (events) => changes.hear(events),
    made: (session) => changes.changed(session),
  });
  const wake = (): void => changes.wake();
  const over = (): boolean => signal?.aborted === true;
  signal?.addEventListener("abort", wake);
  try {
    if (!over()) yield await snapshotOf(ports);
    while (!over()) {
      const { approvals, sessions } = changes.take();
      if (approvals.length === 0 && sessions.length === 0) await changes.more();
      for (const event of [...approvals, ...(await changesOf(ports, sessions))]) {
        if (over()) return;
        yield event;
      }
    }
  } finally {
    leave();
    signal?.removeEventListener("abort", wake);
  }
}
async function snapshotOf({ store, limits }: WatchPorts): Promise<HostEvent> {
  const list = await store.query.sessions({ limit: limits.watchSessions });
  const open = await store.query.approvals({ open: true, limit: limits.watchApprovals });
  return { type: "snapshot", sessions: list.items, next: list.next, approvals: open };
}
async function changesOf({ store, limits }: WatchPorts, ids: readonly SessionId[]): Promise<HostEvent[]> {
  const events: HostEvent[] = [];
  for (let at = 0; at < ids.length; at += limits.watchSessions) {
    const some = ids.slice(at, at + limits.watchSessions);
    const { items } = await store.query.sessions({ ids: some, limit: some.length });
    const rows = new Map<SessionId, SessionListRow>(items.map((row) => [row.id, row]));
    for (const sessionId of some)
      events.push({ type: "session.changed", sessionId, session: rows.get(sessionId) ?? null });
  }
  return events;
}

/** What came and was not taken. */
class Changes {
  readonly #max: number;
  #sessions = new Set<SessionId>();
  #approvals: ApprovalEvent[] = [];
  #bytes = 0;
  #wake: () => void = () => {};

  constructor(max: number) {
    this.#max = max;
  }

  hear(events: readonly StoredEvent[]): void {
    for (const { event } of events) {
      if (!listed.has(event.type)) continue;
      if (event.type === "approval.requested" || event.type === "approval.closed") this.#asked(event);
      this.changed(event.sessionId);
    }
  }
  changed(session: SessionId): void {
    if (this.#full || this.#sessions.has(session)) return;
    this.#sessions.add(session);
    this.#bytes += changeBytes;
    this.wake();
  }
  #asked(event: ApprovalEvent): void {
    if (this.#full) return;
    this.#approvals.push(event);
    this.#bytes += changeBytes + JSON.stringify(event).length;
    this.wake();
  }
  /** It stays full: what was not kept is nowhere but in the list. */
  get #full(): boolean {
    return this.#bytes > this.#max;
  }
  /** Throws `slow-subscriber`. */
  take(): { readonly approvals: readonly ApprovalEvent[]; readonly sessions: readonly SessionId[] } {
    if (this.#full)
      throw new MooringError("slow-subscriber", `The viewer lagged by more than ${this.#max} bytes. Connect again.`, {
        retry: "now",
      });
    const taken = { approvals: this.#approvals, sessions: [...this.#sessions] };
    this.#sessions = new Set();
    this.#approvals = [];
    this.#bytes = 0;
    return taken;
  }
  /** Resolves when there may be something to take. */
  more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
  wake(): void {
    this.#wake();
  }
}
