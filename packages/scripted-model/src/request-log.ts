/**
 * Keeps and passes on what was asked of the model. Invariants: entries are numbered from 1 without gaps; memory is
 * bounded (the oldest entries are dropped), so a model can live as long as its host.
 */
import type { Message } from "./conversation.ts";

export interface LoggedRequest {
  /** Number of the request, from 1. */
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `http` is anything that is not a model request. */
  readonly protocol: "ai-sdk" | "anthropic" | "openai" | "http";
  readonly model: string;
  readonly system: string;
  readonly prompt: readonly Message[];
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  /** What was played; for `http`, `kind` is the method and path. */
  readonly step: {
    readonly source: "script" | "demo" | "summary" | "none";
    readonly index: number;
    /** A verb, a demo job, `summary`, `status 529`, `count_tokens`, or the method and path. */
    readonly kind: string;
  };
}

const kept = 1000;

export class RequestLog {
  readonly #entries: LoggedRequest[] = [];
  readonly #now: () => number;
  readonly #sink: (entry: LoggedRequest) => void;
  #count = 0;

  constructor(now: () => number, sink: (entry: LoggedRequest) => void = () => {}) {
    this.#now = now;
    this.#sink = sink;
  }

  /** The last 1000 requests, oldest first; a live view. */
  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  add(entry: Omit<LoggedRequest, "n" | "at">): void {
    const logged = { n: ++this.#count, at: this.#now(), ...entry };
    this.#entries.push(logged);
    if (this.#entries.length > kept) this.#entries.shift();
    this.#sink(logged);
  }
}
