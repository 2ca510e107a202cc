/** The same streams from a host: sessions whose agents say the pieces, over its HTTP handler. */
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { SessionHost } from "@mooring/host";
import { createHandler, type Handler } from "@mooring/host/http";
import type { BenchHost } from "./bench-host.ts";
import { LoadSession } from "./load-sessions.ts";
import { type Streams, token } from "./readers.ts";
import { WrittenBytes } from "./written-bytes.ts";

/** Event streams open at once: more than any bench opens. */
const mostStreams = 4_000;

/** The server of sessions that say nothing by themselves. */
export class HttpServed implements Streams {
  readonly urls: readonly string[];
  readonly #handler: Handler;
  readonly #server: ReturnType<typeof createAdaptorServer>;
  readonly #written: WrittenBytes;

  private constructor(handler: Handler, server: ReturnType<typeof createAdaptorServer>, sessions: readonly string[]) {
    const { port } = server.address() as AddressInfo;
    this.urls = sessions.map((id) => `http://127.0.0.1:${port}/v1/sessions/${id}/events`);
    this.#handler = handler;
    this.#server = server;
    this.#written = new WrittenBytes(server);
  }
  static async open(host: SessionHost, sessions: readonly string[]): Promise<HttpServed> {
    const handler = createHandler(host, { auth: { token }, limits: { streams: mostStreams } });
    const server = createAdaptorServer({ fetch: handler.fetch });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    return new HttpServed(handler, server, sessions);
  }

  get written(): number {
    return this.#written.bytes;
  }
  /** Event streams open now. */
  get open(): number {
    return this.#handler.streams;
  }
  say(_: number): boolean {
    return false;
  }
  close(): void {
    this.#handler.close();
    this.#server.close();
  }
}

export class ServedStreams implements Streams {
  readonly #sessions: readonly LoadSession[];
  readonly #served: HttpServed;

  private constructor(sessions: readonly LoadSession[], served: HttpServed) {
    this.#sessions = sessions;
    this.#served = served;
  }
  /** `piecesOfTurn`: after so many a session's turn ends and its next begins. */
  static async open(bench: BenchHost, count: number, piecesOfTurn: number): Promise<ServedStreams> {
    const sessions: LoadSession[] = [];
    for (let n = 0; n < count; n++) sessions.push(await LoadSession.open(bench, piecesOfTurn));
    const ids = sessions.map(({ id }) => id);
    return new ServedStreams(sessions, await HttpServed.open(bench.host, ids));
  }

  get urls(): readonly string[] {
    return this.#served.urls;
  }
  get written(): number {
    return this.#served.written;
  }
  get open(): number {
    return this.#served.open;
  }
  /** Pieces that found no turn open. */
  get missed(): number {
    return this.#sessions.reduce((sum, { missed }) => sum + missed, 0);
  }
  say(n: number): boolean {
    return this.#sessions[n % this.#sessions.length]?.say(n) ?? false;
  }
  close(): void {
    this.#served.close();
  }
}
