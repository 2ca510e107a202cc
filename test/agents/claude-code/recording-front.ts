/** In front of the scripted server, which keeps no bytes of files: keeps the newest model request as it was sent. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export class RecordingFront {
  lastRequest: { readonly text: string; readonly model: string | null } = { text: "", model: null };
  readonly #server: Server;
  readonly #target: string;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((asked, answer) => {
      this.#pass(asked, answer).catch(() => answer.destroy());
    });
  }
  static async open(target: string): Promise<RecordingFront> {
    const front = new RecordingFront(target);
    await new Promise<void>((resolve) => front.#server.listen(0, "127.0.0.1", resolve));
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = asked;
    const body = await buffer(asked);
    if (method === "POST" && /\/messages(\?|$)/.test(url)) this.#record(body.toString("utf8"));
    const passed = request(new URL(url, this.#target), { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
      given.once("error", () => answer.destroy());
    });
    answer.once("close", () => passed.destroy());
    passed.once("error", () => answer.destroy());
    passed.end(body);
  }
  /** What was said, without the descriptions of tools. */
  #record(text: string): void {
    const { system, messages, model } = Object(JSON.parse(text));
    this.lastRequest = { text: JSON.stringify([system, messages]), model: String(model) };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
