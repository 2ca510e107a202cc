/** A session of a real server, over its HTTP API: a turn begins when it is submitted and ends with its settled event. */
import type { DeliveredEvent, MooringClient } from "@mooring/client";
import { MooringError } from "@mooring/host";
import { type TurnTimes, TurnWatch } from "./turn-times.ts";

export class HostedAgent {
  readonly #client: MooringClient;
  readonly #id: string;
  readonly #stop = new AbortController();
  readonly #events: AsyncIterator<DeliveredEvent>;

  constructor(client: MooringClient, id: string) {
    this.#client = client;
    this.#id = id;
    this.#events = client.events(id, { after: null, signal: this.#stop.signal })[Symbol.asyncIterator]();
  }

  async turn(text: string): Promise<TurnTimes> {
    const watch = new TurnWatch();
    const [, times] = await Promise.all([this.#client.submit(this.#id, { text }), this.#followed(watch)]);
    return times;
  }
  async #followed(watch: TurnWatch): Promise<TurnTimes> {
    for (;;) {
      const { value, done } = await this.#events.next();
      if (done === true) throw new MooringError("events-ended", "The server's events ended within a turn.");
      const { event } = value;
      if (event.type === "chunk" && event.chunk.type === "text-delta") watch.spoke();
      if (event.type !== "turn.settled") continue;
      if (event.outcome === "completed") return watch.ended();
      throw new MooringError("turn-failed", `A turn to measure ended ${event.outcome}: ${JSON.stringify(event.error)}`);
    }
  }
  /** Ends the agent's process too. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#client.close(this.#id);
  }
}
