/**
 * Writes what changes in the list of sessions to one reader. Invariants: no event is taken from the host before the one
 * before it was written, so what a reader does not take waits with the host, under its bound; a silent stream carries a
 * heartbeat; a reader that takes nothing for as long as a heartbeat is cut.
 */
import type { ByteSink, HostEvent, SessionHost } from "../../host/api.ts";
import type { Clock } from "../../ports/clock.ts";
import type { HttpLimits } from "../limits.ts";
import { httpError } from "../problem.ts";

type WatchPorts = {
  readonly host: Pick<SessionHost, "watch">;
  readonly clock: Clock;
  readonly limits: Pick<HttpLimits, "heartbeatMs" | "reconnectMs">;
};

/** Resolves when the signal ended it. Rejects with `slow-subscriber`. */
export async function writeWatch(ports: WatchPorts, sink: ByteSink, signal: AbortSignal): Promise<void> {
  const writer = new Writer(ports, sink);
  const leave = (): void => writer.end();
  signal.addEventListener("abort", leave);
  try {
    await writer.run(signal);
  } finally {
    signal.removeEventListener("abort", leave);
    writer.end();
  }
}
const heartbeat = Buffer.from(": \n\n");
const frame = (event: HostEvent): Buffer => Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

class Writer {
  readonly #ports: WatchPorts;
  readonly #sink: ByteSink;
  readonly #left = new AbortController();
  #pieces: Buffer[] = [];
  /** Monotonic milliseconds; null: it waits for no room. */
  #waitsSince: number | null = null;
  #wroteAt: number;
  #taken: () => void = () => {};
  #slow = false;
  #disarm: () => void = () => {};

  constructor(ports: WatchPorts, sink: ByteSink) {
    this.#ports = ports;
    this.#sink = sink;
    this.#wroteAt = ports.clock.monotonic();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { host, limits } = this.#ports;
    if (signal.aborted) return;
    this.#arm();
    await this.#write(Buffer.from(`retry: ${limits.reconnectMs}\n\n`));
    for await (const event of host.watch({ signal: this.#left.signal })) await this.#write(frame(event));
    if (this.#slow) throw httpError("slow-subscriber", "The reader took nothing for too long. Connect again.");
  }
  end(): void {
    this.#disarm();
    this.#left.abort();
    this.#taken();
  }

  /** Resolves when it was written, or never will be. */
  async #write(piece: Buffer): Promise<void> {
    if (this.#left.signal.aborted) return;
    const taken = new Promise<void>((resolve) => {
      this.#taken = resolve;
    });
    this.#offer(piece);
    await taken;
  }
  #offer(piece: Buffer): void {
    this.#pieces.push(piece);
    if (this.#waitsSince !== null) return;
    this.#waitsSince = this.#ports.clock.monotonic();
    this.#sink.whenRoom(() => this.#flush());
  }
  #flush(): void {
    if (this.#left.signal.aborted) return;
    this.#waitsSince = null;
    this.#wroteAt = this.#ports.clock.monotonic();
    this.#sink.write(this.#pieces);
    this.#pieces = [];
    this.#taken();
  }
  #arm(): void {
    const { clock, limits } = this.#ports;
    this.#disarm = clock.after(limits.heartbeatMs, () => this.#beat());
  }
  #beat(): void {
    const { clock, limits } = this.#ports;
    const until = clock.monotonic() - limits.heartbeatMs;
    if (this.#waitsSince !== null && this.#waitsSince <= until) {
      this.#slow = true;
      return this.end();
    }
    if (this.#waitsSince === null && this.#wroteAt <= until) this.#offer(heartbeat);
    this.#arm();
  }
}
