/** Where a reader of a session's events starts: from its cursor, from a snapshot, or from now. */
import type { Store } from "../ports/store.ts";
import { formatCursor, parseCursor } from "../protocol/cursor.ts";
import { MooringError } from "../protocol/errors.ts";
import type { SessionNo } from "../protocol/ids.ts";
import type { DeliveredEvent } from "./api.ts";
import type { HostContext } from "./host-context.ts";
import type { Sessions } from "./sessions.ts";
import { type From, Subscriber } from "./subscriber.ts";

/** Throws `bad-cursor`: malformed, another session's, or beyond the end. Another store's, or below the horizon: a snapshot. */
async function startOf(store: Store, session: SessionNo, after: string | undefined): Promise<From> {
  const { horizon, last } = await store.bounds(session);
  if (after === undefined) return last;
  const cursor = parseCursor(after);
  if (cursor.store !== store.id) return null;
  if (cursor.session !== session) throw bad("The cursor belongs to another session.");
  if (cursor.seq > last) throw bad("The cursor is beyond the end of the session's journal.");
  return cursor.seq < horizon ? null : cursor.seq;
}
const bad = (what: string): MooringError =>
  new MooringError("bad-cursor", `${what} Reconnect without one to get a snapshot.`);

type Options = { readonly after?: string; readonly signal?: AbortSignal };

/** "From now on" is the moment of this call, not of the first read. */
export function eventsOf(
  context: HostContext,
  sessions: Sessions,
  id: string,
  options: Options,
): AsyncIterable<DeliveredEvent> {
  const start = begin(context.store, sessions, id, options.after);
  start.catch(() => {}); // the reader hears of it when it reads
  return read(context, start, options.signal);
}
async function begin(store: Store, sessions: Sessions, id: string, after: string | undefined) {
  const found = await sessions.find(id);
  return { ...found, from: await startOf(store, found.no, after) };
}
async function* read(
  { store, feeds, limits }: HostContext,
  start: ReturnType<typeof begin>,
  signal: AbortSignal | undefined,
): AsyncGenerator<DeliveredEvent, void> {
  const { row, no, from } = await start;
  const ports = { store, feeds, session: no, sessionId: row.id, bytes: limits.subscriberBytes, signal };
  yield* new Subscriber(ports).events(from);
}
export async function newestCursor(store: Store, session: SessionNo): Promise<string> {
  const { last } = await store.bounds(session);
  return formatCursor({ store: store.id, session, seq: last });
}
