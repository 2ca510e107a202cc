/**
 * The port, from before the host opens until after it closed: it answers 503 while there is no host behind it, so that a
 * port in use costs nothing and nobody is refused who comes early.
 */
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { UsageError } from "../usage-error.ts";

export type Handle = (request: Request, env: unknown) => Promise<Response>;
export interface HttpServer {
  readonly port: number;
  /** From now on this answers. */
  answerWith(handle: Handle): void;
  /** Takes no new connection, and ends those there are. */
  close(): Promise<void>;
}

/** Seconds after which an early client tries again. */
const retryAfterSeconds = 1;

/** Rejects with a `UsageError` when it cannot listen there. */
export async function listen(host: string, port: number): Promise<HttpServer> {
  let handle: Handle = async () => starting();
  const answer = getRequestListener((request, env) => handle(request, env));
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await listening(server, host, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    answerWith: (next) => {
      handle = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => reject(refused(host, port, cause)));
    server.listen({ host, port }, () => resolve());
  });
}

function refused(host: string, port: number, { code, message }: NodeJS.ErrnoException): UsageError {
  const where = `port ${port} of ${host}`;
  if (code === "EADDRINUSE")
    return new UsageError(`Something else listens on ${where}.`, "Choose another: --port N, or --port 0 for any.");
  if (code === "EACCES") return new UsageError(`${where} is not yours to use.`, "Choose one above 1023: --port N.");
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new UsageError(`This computer has no address ${host}.`, "Choose one it has: --host 127.0.0.1");
  return new UsageError(`The server cannot listen on ${where}: ${message}`, "Choose another: --host, --port.");
}

function starting(): Response {
  const body = {
    type: "urn:mooring:problem:not-ready",
    title: "Not ready",
    status: 503,
    code: "not-ready",
    retry: "later",
  };
  return new Response(JSON.stringify({ ...body, detail: "The server is starting, or going down." }), {
    status: 503,
    headers: { "content-type": "application/problem+json", "retry-after": String(retryAfterSeconds) },
  });
}
