/** What a program would do that only writes: the same events, encoded once, to as many responses. No host, no database. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { stampOf } from "./load-readers.ts";
import type { Streams } from "./readers.ts";
import { textOf } from "./streams.ts";
import { WrittenBytes } from "./written-bytes.ts";

export class RawStreams implements Streams {
  readonly #server: Server;
  readonly #written: WrittenBytes;
  readonly #readers: Set<ServerResponse>[];
  #seq = 0;

  private constructor(count: number) {
    this.#readers = Array.from({ length: count }, () => new Set<ServerResponse>());
    this.#server = createServer((request, response) => {
      const readers = this.#readers[Number(request.url?.slice(1))];
      readers?.add(response);
      response.on("close", () => readers?.delete(response));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("retry: 1000\n\n");
    });
    this.#written = new WrittenBytes(this.#server);
  }
  static async open(count: number): Promise<RawStreams> {
    const streams = new RawStreams(count);
    await new Promise<void>((resolve) => streams.#server.listen(0, "127.0.0.1", resolve));
    return streams;
  }

  get urls(): readonly string[] {
    const { port } = this.#server.address() as AddressInfo;
    return this.#readers.map((_, at) => `http://127.0.0.1:${port}/${at}`);
  }
  get written(): number {
    return this.#written.bytes;
  }
  say(n: number): true {
    const at = n % this.#readers.length;
    const chunk = { type: "text-delta", id: "a", delta: `${stampOf()} ${textOf(n)}` };
    const event = {
      type: "chunk",
      sessionId: `ses_${at}`,
      messageId: `msg_${at}`,
      turnId: `trn_${at}`,
      chunk,
      at: Date.now(),
    };
    const bytes = Buffer.from(
      `id: aaaaaaaaaaaaaaaa.${at}.${++this.#seq}\nevent: chunk\ndata: ${JSON.stringify(event)}\n\n`,
    );
    for (const response of this.#readers[at] ?? []) response.write(bytes);
    return true;
  }
  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
