/**
 * Straight into Node's response, past the web stream that every other answer goes through: half the work for each write.
 * Invariants: nothing is written to a response that is gone; what the socket has no room for waits with its writer.
 */
import type { ServerResponse } from "node:http";
import type { ByteSink } from "../../host/api.ts";

/** Node's response, when the environment of `@hono/node-server` gives one of HTTP/1; null elsewhere. */
export function nodeResponseOf(env: unknown): ServerResponse | null {
  if (typeof env !== "object" || env === null || !("outgoing" in env)) return null;
  const { outgoing } = env;
  const fits =
    typeof outgoing === "object" && outgoing !== null && "writableNeedDrain" in outgoing && "cork" in outgoing;
  return fits ? (outgoing as ServerResponse) : null;
}
/** `begin`: called before the first bytes. */
export function nodeSink(response: ServerResponse, begin: () => void): ByteSink {
  return {
    write: (pieces) => {
      begin();
      if (response.destroyed) return;
      // Node corks the socket until the end of the tick: one system call. A corked response would make one of each part.
      for (const piece of pieces) response.write(piece);
    },
    whenRoom: (call) => {
      if (response.writableNeedDrain) response.once("drain", call);
      else call();
    },
  };
}
/** Tells `@hono/node-server` that there is nothing left to answer. It looks for the header once the body was looked at. */
export function alreadyAnswered(): Response {
  const response = new Response(null, { headers: { "x-hono-already-sent": "true" } });
  return response.body === null ? response : new Response(null);
}
