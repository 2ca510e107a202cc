/** The same streams from a host: sessions whose agents say the pieces, over its HTTP handler. */
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { createHandler, type Handler } from "@mooring/host/http";
import type { BenchHost } from "./bench-host.ts";
import { LoadSession } from "./load-sessions.ts";
import { type Streams, token } from "./readers.ts";
import { WrittenBytes } from "./written-bytes.ts";

type Server = ReturnType<typeof createAdaptorServer>;
/** Streams of one session, at most. */
const readersEach = 4;

export class ServedStreams implements Streams {
  readonly #sessions: readonly LoadSession[];
  readonly #handler: Handler;
  readonly #server: Server;
  readonly #written: WrittenBytes;

  private constructor(sessions: readonly LoadSession[], handler: Handler, server: Server) {
    this.#sessions = sessions;
    this.#handler = handler;
    this.#server = server;
    this.#written = new WrittenBytes(server);
  }
  /** `piecesOfTurn`: after so many a session's turn ends and its next begins. */
  static async open(bench: BenchHost, count: number, piecesOfTurn: number): Promise<ServedStreams> {
    const sessions: LoadSession[] = [];
    for (let n = 0; n < count; n++) sessions.push(await LoadSession.open(bench, piecesOfTurn));
    const handler = createHandler(bench.host, { auth: { token }, limits: { streams: count * readersEach } });
    const server = createAdaptorServer({ fetch: handler.fetch });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    return new ServedStreams(sessions, handler, server);
  }

  get urls(): readonly string[] {
    const { port } = this.#server.address() as AddressInfo;
    return this.#sessions.map(({ id }) => `http://127.0.0.1:${port}/v1/sessions/${id}/events`);
  }
  get written(): number {
    return this.#written.bytes;
  }
  /** Event streams open now. */
  get open(): number {
    return this.#handler.streams;
  }
  /** Pieces that found no turn open. */
  get missed(): number {
    return this.#sessions.reduce((sum, { missed }) => sum + missed, 0);
  }
  say(n: number): boolean {
    return this.#sessions[n % this.#sessions.length]?.say(n) ?? false;
  }
  close(): void {
    this.#handler.close();
    this.#server.close();
  }
}
