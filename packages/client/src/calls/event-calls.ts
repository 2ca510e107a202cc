/** The event streams: async iterators that come back by themselves after whatever breaks them. */
import { limits } from "../limits.ts";
import { badResponse } from "../problem-error.ts";
import { followStream, type Loss, type SentEvent, type StreamPorts } from "../streams/follow-stream.ts";
import type { Connection, Schemas } from "./api.ts";

type SessionEvent = Schemas["SessionEvent"];
type Snapshot = Extract<SessionEvent, { type: "snapshot" }>;
/** `cursor`: the place after it. `at`: when it was stored, in ms since the epoch. */
export type DeliveredEvent =
  | { readonly cursor: string; readonly at: number; readonly event: Exclude<SessionEvent, Snapshot> }
  | { readonly cursor: string; readonly event: Snapshot };
export type EventsOptions = {
  /** A cursor; null: begin with a snapshot; absent: from now on. */
  readonly after?: string | null;
  readonly signal?: AbortSignal;
  /** Hears of each loss of the stream, before the wait for the next try. */
  readonly onLost?: (loss: Loss) => void;
};

export const systemPorts: StreamPorts = {
  limits,
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

export function eventCalls(connection: Connection, ports: StreamPorts) {
  return {
    /**
     * A session's events from a cursor on, each once and in order, until the signal. A snapshot comes where the journal
     * does not reach back. Throws a `ProblemError` when no further try mends it: the session is gone, the token is wrong.
     */
    events: (id: string, options: EventsOptions = {}): AsyncIterable<DeliveredEvent> =>
      sessionEvents(connection, `/v1/sessions/${encodeURIComponent(id)}/events`, options, ports),
    /**
     * All sessions, until the signal: a snapshot of the list, then what changes in it; after every break a snapshot
     * again. Throws as `events`.
     */
    watch: (options: Pick<EventsOptions, "signal" | "onLost"> = {}): AsyncIterable<Schemas["HostEvent"]> =>
      hostEvents(connection, options, ports),
  };
}

async function* sessionEvents(
  connection: Connection,
  path: string,
  { after, signal = never, onLost = () => {} }: EventsOptions,
  ports: StreamPorts,
): AsyncGenerator<DeliveredEvent, void, undefined> {
  const source = sourceOf(connection, path, (place) => ({ after: place ?? "snapshot" }));
  let isFirst = true;
  for await (const event of followStream(source, { after: after ?? null, signal, onLost }, ports)) {
    // "From now on" begins with a snapshot too: its cursor is the place to come back to before anything happened.
    if (!isFirst || after !== undefined) yield delivered(event, source.url);
    isFirst = false;
  }
}

/** The server speaks first in every frame: id, then an object with a type. */
function delivered({ id, data }: SentEvent, url: string): DeliveredEvent {
  if (id === null || typeof data !== "object" || data === null || !("type" in data))
    throw badResponse({ url, status: 200 }, "an event without a place or a type");
  const { at, ...event } = data as SessionEvent & { readonly at?: number };
  const place = event.type === "snapshot" ? { cursor: id } : { cursor: id, at: at ?? 0 };
  return { ...place, event } as DeliveredEvent;
}

async function* hostEvents(
  connection: Connection,
  { signal = never, onLost = () => {} }: Pick<EventsOptions, "signal" | "onLost">,
  ports: StreamPorts,
): AsyncGenerator<Schemas["HostEvent"], void, undefined> {
  const source = sourceOf(connection, "/v1/events", () => ({}));
  for await (const { data } of followStream(source, { after: null, signal, onLost }, ports))
    yield data as Schemas["HostEvent"];
}

/** Aborted by nobody. */
const never = new AbortController().signal;

function sourceOf(
  { url, send }: Connection,
  path: string,
  query: (place: string | null) => Readonly<Record<string, string>>,
) {
  const address = `${url}${path}`;
  return {
    url: address,
    open: (place: string | null, signal: AbortSignal): Promise<Response> => {
      const asked = new URLSearchParams(query(place)).toString();
      const headers = { accept: "text/event-stream" };
      return send(new Request(asked === "" ? address : `${address}?${asked}`, { headers, signal }));
    },
  };
}
