/** A real server on loopback for tests, and readers of its event streams that can be told to stop reading. */
import { get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type Frame, FrameParser } from "../testing/byte-reader.ts";
import type { Handler } from "./create-handler.ts";
import { testToken } from "./test-client.ts";

export type NodeServer = {
  readonly url: string;
  /** Responses that are open now. */
  readonly responses: ReadonlySet<ServerResponse>;
  end(): Promise<void>;
};
export async function nodeServer(handler: Handler): Promise<NodeServer> {
  const server = createAdaptorServer({ fetch: handler.fetch, overrideGlobalObjects: false }) as Server;
  const responses = new Set<ServerResponse>();
  server.on("request", (_, response: ServerResponse) => {
    responses.add(response);
    response.on("close", () => responses.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    responses,
    end: async () => {
      handler.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
export const bearer = { authorization: `Bearer ${testToken}` };

/** One connection to an event stream. Its `closed` resolves whichever side ended it. */
export class NodeReader {
  readonly parser = new FrameParser();
  readonly response: IncomingMessage;
  readonly closed: Promise<void>;
  /** In order. A session's have ids, those of all sessions' stream have none. */
  readonly frames: Frame[] = [];
  /** Taken so far. */
  bytes = 0;
  #waiting: (() => void)[] = [];
  #over = false;

  private constructor(response: IncomingMessage) {
    this.response = response;
    response.on("data", (bytes: Buffer) => {
      this.#take(bytes);
      this.bytes += bytes.length;
      this.#wake();
    });
    response.on("error", () => {}); // `close` follows
    this.closed = new Promise((resolve) => {
      response.on("close", () => {
        this.#over = true;
        this.#wake();
        resolve();
      });
    });
  }
  static open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<NodeReader> {
    return new Promise((resolve, reject) => {
      get(url, { headers: { ...bearer, ...headers }, agent: false }, (response) =>
        resolve(new NodeReader(response)),
      ).on("error", reject);
    });
  }
  /** Resolves when a frame fits, or the stream is over. */
  async until(fits: (frame: Frame) => boolean): Promise<Frame | undefined> {
    for (let looked = 0; ; ) {
      const fresh = this.frames.slice(looked);
      looked += fresh.length;
      const found = fresh.find(fits);
      if (found !== undefined || this.#over) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
  /** Resolves when there are as many frames, or the stream is over. */
  async count(frames: number): Promise<void> {
    while (this.frames.length < frames && !this.#over)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
  /** Resolves when that many bytes were taken, or the stream is over. */
  async taken(bytes: number): Promise<void> {
    while (this.bytes < bytes && !this.#over) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
  /** Nothing more is taken from the socket, which stays open. */
  stall(): void {
    this.response.pause();
  }
  resume(): void {
    this.response.resume();
  }
  /** The connection is cut, not closed in order. */
  drop(): Promise<void> {
    this.response.socket.resetAndDestroy();
    return this.closed;
  }
  #take(bytes: Buffer): void {
    const [framed, others] = [this.parser.frames.length, this.parser.others.length];
    this.parser.take(bytes);
    this.frames.push(...this.parser.frames.slice(framed), ...this.parser.others.slice(others).flatMap(frameWithoutId));
  }
  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
function frameWithoutId(block: string): readonly Frame[] {
  const [, event, json] = /^event: (.*)\ndata: ([^\n]*)$/.exec(block) ?? [];
  return event === undefined || json === undefined ? [] : [{ id: "", event, data: JSON.parse(json) as Frame["data"] }];
}
