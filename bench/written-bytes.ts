/** Counts what a server has given to its sockets: readers that never read cost as much as others while it is taken. */
import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";

export class WrittenBytes {
  readonly #open = new Set<Socket>();
  #ofClosed = 0;

  /** Sockets that connect from now on. */
  constructor(server: EventEmitter) {
    server.on("connection", (socket: Socket) => {
      this.#open.add(socket);
      socket.once("close", () => {
        this.#open.delete(socket);
        this.#ofClosed += socket.bytesWritten;
      });
    });
  }

  get bytes(): number {
    let sum = this.#ofClosed;
    for (const { bytesWritten } of this.#open) sum += bytesWritten;
    return sum;
  }
}
