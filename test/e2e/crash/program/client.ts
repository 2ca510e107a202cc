/** One client of one session: it submits, notes every acknowledgement, and watches the events. */
import type { NewInput, SessionHost } from "@mooring/host";
import type { SessionEvent } from "../../../../packages/host/src/protocol/events.ts";
import { say } from "../line.ts";
import { sessionName } from "../order.ts";

type Matches = (event: SessionEvent) => boolean;
type Watch = { readonly matches: Matches; readonly found: () => void };

export class Client {
  readonly #host: SessionHost;
  readonly #seen: SessionEvent[] = [];
  #watches: Watch[] = [];

  constructor(host: SessionHost) {
    this.#host = host;
  }

  /** Says every event from `after` on, until the signal. */
  async follow(after: string, signal: AbortSignal): Promise<void> {
    for await (const delivered of this.#host.events(sessionName, { after, signal })) {
      if (!("seq" in delivered)) continue;
      const { seq, event } = delivered;
      say({ say: "event", seq, event: event.type === "message.closed" ? { ...event, message: null } : event });
      this.#seen.push(event);
      for (const watch of this.#watches) if (watch.matches(event)) watch.found();
    }
  }

  /** Resolves with the first event like this, past or future. */
  async until(matches: Matches): Promise<void> {
    if (this.#seen.some(matches)) return;
    await new Promise<void>((found) => this.#watches.push({ matches, found }));
  }

  /** The text names the input, so that it is recognized wherever it turns up. */
  async submit(id: string, script: string, more: Pick<NewInput, "delivery"> = {}): Promise<void> {
    const { inputId, disposition } = await this.#host.submit(sessionName, { id, text: `${script}\n${id}`, ...more });
    say({ say: "ack", inputId, disposition });
  }

  /** Allows the first open question. */
  async allow(): Promise<void> {
    const [question] = await this.#host.approvals({ open: true });
    if (question) await this.#host.answer(question.id, { decision: "allow" });
  }

  /** Resolves when the input has ended. */
  ended(id: string): Promise<void> {
    const ends = ["answered", "unanswered", "cancelled"];
    return this.until((e) => e.type === "input.changed" && e.inputId === id && ends.includes(e.state ?? ""));
  }
}

/** A client that sees everything from now on, until the signal. */
export async function follow(host: SessionHost, signal = never): Promise<Client> {
  const client = new Client(host);
  const after = await host.cursor(sessionName);
  client.follow(after, signal).catch((cause: unknown) => {
    console.error(cause);
    process.exit(1);
  });
  return client;
}
const never = new AbortController().signal;

/** A chunk of this type. */
export const isChunk =
  (type: string): Matches =>
  (event) =>
    event.type === "chunk" && event.chunk.type === type;
