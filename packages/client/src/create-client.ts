/** A client of one server, with the names and shapes of the embedded host where HTTP can have them. */
import { agentCalls, ruleCalls } from "./calls/agent-calls.ts";
import { apiOver, connectionTo, type Fetch } from "./calls/api.ts";
import { eventCalls, systemPorts } from "./calls/event-calls.ts";
import { hostCalls } from "./calls/host-calls.ts";
import { sessionCalls } from "./calls/session-calls.ts";
import { turnCalls } from "./calls/turn-calls.ts";
import type { StreamPorts } from "./streams/follow-stream.ts";

export type ClientOptions = {
  /** Of the server: `http://127.0.0.1:4483`. In a page of that server: `location.origin`. */
  readonly url: string;
  /** Absent: the page's cookie, or a `fetch` that says who asks. */
  readonly token?: string;
  readonly fetch?: Fetch;
};
export type MooringClient = ReturnType<typeof createClient>;

/** Nothing is sent before something is asked. Calls reject with a `ProblemError`. */
export function createClient({ url, token, fetch = (request) => globalThis.fetch(request) }: ClientOptions) {
  return clientWith({ url, fetch, ...(token === undefined ? {} : { token }) }, systemPorts);
}
/** With a clock of a test's own. */
export function clientWith({ url, token, fetch }: ClientOptions & { readonly fetch: Fetch }, ports: StreamPorts) {
  const connection = connectionTo(url, token, fetch);
  const api = apiOver(connection);
  return {
    agents: agentCalls(api),
    rules: ruleCalls(api),
    ...sessionCalls(api),
    ...turnCalls(api),
    ...hostCalls(api),
    ...eventCalls(connection, ports),
  };
}
