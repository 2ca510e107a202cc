/**
 * A network between a client and a server that breaks when it is told to: TCP as it is, until so many bytes more have come
 * from the server. Then every connection through it is reset at once, in the middle of whatever it carried.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class CuttingProxy {
  readonly url: string;
  /** How often connections were reset. */
  cuts = 0;
  readonly #server: Server;
  readonly #target: number;
  readonly #open = new Set<Socket>();
  /** Bytes until the next cut; null: none is due. */
  #left: number | null = null;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("connection", (client) => this.#join(client));
  }
  static async to(url: string): Promise<CuttingProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new CuttingProxy(server, Number(new URL(url).port));
  }
  get isDue(): boolean {
    return this.#left !== null;
  }
  cutAfter(bytes: number): void {
    this.#left = bytes;
  }
  /** Nothing breaks any more. */
  mend(): void {
    this.#left = null;
  }
  async end(): Promise<void> {
    this.mend();
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  #join(client: Socket): void {
    const server = connect(this.#target, "127.0.0.1");
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {}); // `close` follows
      socket.on("close", () => {
        this.#open.delete(socket);
        other.destroy();
      });
    }
    client.pipe(server);
    server.on("data", (bytes) => this.#pass(bytes, client));
    server.on("end", () => client.end());
  }
  #pass(bytes: Buffer, client: Socket): void {
    if (this.#left === null) return void client.write(bytes);
    if (this.#left >= bytes.length) {
      this.#left -= bytes.length;
      return void client.write(bytes);
    }
    const last = bytes.subarray(0, this.#left);
    this.#left = null;
    this.cuts++;
    // The last piece leaves first: a reset in the same moment would take it along.
    client.write(last, () => {
      for (const socket of this.#open) socket.resetAndDestroy();
    });
  }
}
