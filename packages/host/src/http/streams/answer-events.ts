/**
 * Answers with a stream of events. Invariants: what cannot begin is a problem document, not a stream; a stream ends with
 * its client, or with the server, and a client that is cut is cut at once; nothing a client does reaches the session.
 */
import type { ServerResponse } from "node:http";
import type { ByteSink } from "../../host/api.ts";
import { byteStream } from "../../host/viewers/byte-stream.ts";
import type { GateContext } from "../gates/gate.ts";
import type { EventWriter } from "../routes/route.ts";
import { alreadyAnswered, nodeResponseOf, nodeSink } from "./node-sink.ts";
import type { OpenStream, OpenStreams } from "./open-streams.ts";

const eventHeaders = {
  "content-type": "text/event-stream",
  "x-accel-buffering": "no", // else a proxy keeps events to itself
};

export async function answerEvents(c: GateContext, write: EventWriter, streams: OpenStreams): Promise<Response> {
  if (c.req.method === "HEAD") return c.body(null, 200, eventHeaders);
  const stream = streams.open();
  const response = nodeResponseOf(c.env);
  try {
    return await (response === null ? throughWeb(c, write, stream) : intoNode(c, write, stream, response));
  } catch (cause) {
    stream.close();
    throw cause;
  }
}

async function intoNode(c: GateContext, write: EventWriter, stream: OpenStream, response: ServerResponse) {
  const begun = Promise.withResolvers<void>();
  const head = Object.fromEntries(c.body(null, 200, eventHeaders).headers);
  const sink = nodeSink(response, () => {
    if (!response.headersSent && !response.destroyed) response.writeHead(200, head);
    begun.resolve();
  });
  response.once("close", () => stream.close());
  response.on("error", () => stream.close()); // it is gone; there is nobody to tell
  write(sink, stream.signal)
    .then(
      () => {
        begun.resolve();
        response.end();
      },
      (cause: unknown) => {
        begun.reject(cause);
        if (response.headersSent) response.destroy();
      },
    )
    .finally(() => stream.close());
  await begun.promise;
  return alreadyAnswered();
}

async function throughWeb(c: GateContext, write: EventWriter, stream: OpenStream): Promise<Response> {
  const begun = Promise.withResolvers<void>();
  const body = byteStream((sink, signal) => {
    const writing = write(told(sink, begun.resolve), signal).finally(() => stream.close());
    writing.then(begun.resolve, begun.reject);
    return writing;
  }, stream.signal);
  await begun.promise;
  return c.body(body, 200, eventHeaders);
}
/** A writer that turns to its sink has begun. */
function told(sink: ByteSink, begun: () => void): ByteSink {
  return {
    write: (pieces) => {
      begun();
      sink.write(pieces);
    },
    whenRoom: (call) => {
      begun();
      sink.whenRoom(call);
    },
  };
}
