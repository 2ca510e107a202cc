/**
 * What the model requests of one turn used, said once each: as soon as a tool of the step runs or asks, because that
 * may take days and outlive the connection, else when the step ends. Invariant: a request is reported after the
 * boundary of its own step and before that of the next, so it counts for the message it wrote.
 */
import type { TurnId, UsageReport } from "@mooring/host/driver";
import type { ModelRequest } from "../models/retrying-model.ts";
import type { SessionContext } from "./session-context.ts";

type Entry = { readonly request: ModelRequest; state: "sent" | "shown" | "reported" };

export class RequestReports {
  readonly #context: SessionContext;
  readonly #turnId: TurnId;
  /** Of the steps that are not over, oldest first. */
  #entries: Entry[] = [];

  constructor(context: SessionContext, turnId: TurnId) {
    this.#context = context;
    this.#turnId = turnId;
  }

  answering(request: ModelRequest): void {
    this.#entries.push({ request, state: "sent" });
  }

  stepBegan(): void {
    const next = this.#entries.find(({ state }) => state === "sent");
    if (next !== undefined) next.state = "shown";
  }

  /** Reports what is complete and not reported yet. */
  flush(): void {
    const [entry] = this.#entries;
    if (entry?.state !== "shown" || entry.request.tokens === null) return;
    entry.state = "reported";
    reportUsage(this.#context, this.#turnId, entry.request);
    this.#context.events.push({ type: "context-usage", usage: this.#context.meter.usageOf(entry.request.tokens) });
  }

  stepEnded(): void {
    this.flush();
    this.#entries.shift();
  }

  /** The run is over, however it ended. */
  runEnded(): void {
    this.flush();
    this.#entries = [];
  }
}

/** `turnId` null: a request outside any turn. */
export function reportUsage({ events, ports }: SessionContext, turnId: TurnId | null, request: ModelRequest): void {
  const { model, tokens, firstTokenMs, totalMs } = request;
  if (tokens === null) return;
  const requestId = `loop:${ports.ids.make("req")}`;
  const usage: UsageReport = { requestId, model, tokens, timing: { firstTokenMs, totalMs }, cost: null };
  events.push({ type: "usage", ...(turnId === null ? {} : { turnId }), usage });
}
