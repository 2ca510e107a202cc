/** Where a reader of a session's events starts: from its cursor, from a snapshot, or from now. */
import type { Store } from "../../ports/store.ts";
import { formatCursor, parseCursor } from "../../protocol/cursor.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { SessionNo } from "../../protocol/ids.ts";
import type { DeliveredEvent } from "../api.ts";
import type { HostContext } from "../host-context.ts";
import type { Found, Sessions } from "../sessions/sessions.ts";
import { type ByteSink, writeBytes } from "./byte-writer.ts";
import { eventBatches } from "./event-batches.ts";
import { type From, Subscriber } from "./subscriber.ts";

/** Throws `bad-cursor`: malformed, another session's, or beyond the end. Another store's, or below the horizon: a snapshot. */
async function startOf(store: Store, session: SessionNo, after: After): Promise<From> {
  const { horizon, last } = await store.bounds(session);
  if (after === undefined) return last;
  if (after === null) return null;
  const cursor = parseCursor(after);
  if (cursor.store !== store.id) return null;
  if (cursor.session !== session) throw bad("The cursor belongs to another session.");
  if (cursor.seq > last) throw bad("The cursor is beyond the end of the session's journal.");
  return cursor.seq < horizon ? null : cursor.seq;
}
const bad = (what: string): MooringError => new MooringError("bad-cursor", `${what} Reconnect without one.`);

/** Undefined: from now. Null: from a snapshot of now. */
type After = string | null | undefined;
type Options = { readonly after?: string | null; readonly signal?: AbortSignal };
type Start = Found & { readonly from: From };

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
/** Rejects before it writes anything when it cannot begin. */
export async function bytesOf(
  context: HostContext,
  sessions: Sessions,
  id: string,
  sink: ByteSink,
  { after, signal }: Options,
): Promise<void> {
  const { store, feeds, frames, clock, limits } = context;
  const { row, no: session, from } = await begin(store, sessions, id, after);
  const ports = {
    store,
    feeds,
    session,
    sessionId: row.id,
    form: frames.of(session),
    lagBytes: limits.subscriberBytes,
    keptBytes: limits.subscriberKeptBytes,
    clock,
    heartbeatMs: limits.heartbeatMs,
    retryMs: limits.reconnectMs,
  };
  await writeBytes(ports, from, sink, signal ?? new AbortController().signal);
}
async function begin(store: Store, sessions: Sessions, id: string, after: After): Promise<Start> {
  const found = await sessions.find(id);
  return { ...found, from: await startOf(store, found.no, after) };
}
async function* read(
  { store, feeds, limits }: HostContext,
  starting: Promise<Start>,
  signal: AbortSignal | undefined,
): AsyncGenerator<DeliveredEvent, void> {
  const { row, no: session, from } = await starting;
  const form = eventBatches(store.id, session);
  const { subscriberBytes: lagBytes, subscriberKeptBytes: keptBytes } = limits;
  const subscriber = new Subscriber({ store, feeds, session, sessionId: row.id, form, lagBytes, keptBytes }, from);
  const close = (): void => subscriber.close();
  const over = (): boolean => signal?.aborted === true;
  signal?.addEventListener("abort", close);
  try {
    while (!over()) {
      const batches = await subscriber.next();
      for (const event of batches.flatMap(({ delivered }) => delivered)) {
        if (over()) return;
        yield event;
      }
    }
  } finally {
    close();
    signal?.removeEventListener("abort", close);
  }
}
export async function newestCursor(store: Store, session: SessionNo): Promise<string> {
  const { last } = await store.bounds(session);
  return formatCursor({ store: store.id, session, seq: last });
}
