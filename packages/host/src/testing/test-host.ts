/** A host for tests: memory store, virtual clock, fake driver, a data directory of its own; and readers of its events. */
import { AssertionError } from "node:assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DeliveredEvent, HostHooks, NewAgent, SessionHost } from "../host/api.ts";
import { createHost } from "../host/create-host.ts";
import { defaultLimits, type HostLimits } from "../host/limits.ts";
import { silentLog } from "../host/silent-log.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import type { SessionEvent, StoredMessage } from "../protocol/events.ts";
import { createMemoryStore } from "../stores/memory.ts";
import { countingIds } from "./counting-ids.ts";
import { createFakeDriver, type FakeDriver, type FakeDriverOptions } from "./fake-driver.ts";
import { VirtualClock } from "./virtual-clock.ts";

export type TestHostOptions = {
  readonly driver?: FakeDriverOptions;
  readonly agent?: Partial<NewAgent>;
  readonly hooks?: HostHooks;
  readonly limits?: Partial<HostLimits>;
  readonly log?: Log;
  readonly roots?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The store as the host sees it. */
  readonly store?: (store: Store) => Store;
};
export type TestHost = {
  host: SessionHost;
  readonly driver: FakeDriver;
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly dataDir: string;
  /** A new session with the default agent. */
  session(): Promise<string>;
  /** Another host over the same store and directory, as after a crash of this one: nothing of it is closed. */
  restart(): Promise<SessionHost>;
  /** Lets time pass in steps, so that what is repeated is repeated. */
  pass(ms: number, steps: number): Promise<void>;
  /** Time and processes are the test's own, so a host may simply be left. */
  end(): Promise<void>;
};

export async function testHost(options: TestHostOptions = {}): Promise<TestHost> {
  const dataDir = await mkdtemp(join(tmpdir(), "mooring-host-"));
  const clock = new VirtualClock();
  const ids = countingIds();
  const store = createMemoryStore({ ids, clock });
  const driver = createFakeDriver(options.driver);
  const start = (): Promise<SessionHost> =>
    createHost({
      store: options.store?.(store) ?? store,
      drivers: [driver.factory],
      dataDir,
      roots: options.roots ?? [],
      env: options.env ?? {},
      clock,
      ids,
      log: options.log ?? silentLog,
      hooks: options.hooks ?? {},
      limits: { ...defaultLimits, ...options.limits },
    });
  const host = await start();
  await host.agents.add({ name: "agent", driver: "fake", model: "m1", ...options.agent });
  const made: TestHost = {
    host,
    driver,
    clock,
    store,
    dataDir,
    session: async () => (await made.host.create({})).id,
    restart: async () => {
      made.host = await start();
      return made.host;
    },
    pass: async (ms, steps) => {
      for (let i = 0; i < steps; i++) {
        clock.advance(ms);
        await store.change([]);
        await store.change([]);
      }
    },
    end: () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }),
  };
  return made;
}

/** Reads a session's events in the background. */
export class Reader {
  readonly seen: DeliveredEvent[] = [];
  readonly done: Promise<unknown>;
  readonly #stop = new AbortController();
  #over = false;
  #waiting: (() => void)[] = [];

  constructor(host: Pick<SessionHost, "events">, id: string, after?: string | null) {
    const from = after === undefined ? {} : { after };
    this.done = this.#read(host.events(id, { ...from, signal: this.#stop.signal })).catch((cause: unknown) => cause);
  }
  async #read(events: AsyncIterable<DeliveredEvent>): Promise<void> {
    try {
      for await (const event of events) {
        this.seen.push(event);
        this.#wake();
      }
    } finally {
      this.#over = true;
      this.#wake();
    }
  }
  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
  get events(): SessionEvent[] {
    return this.seen.flatMap(({ event }) => (event.type === "snapshot" ? [] : [event]));
  }
  of<T extends SessionEvent["type"]>(type: T): Extract<SessionEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
  }
  /** The `count`th event of a type. Throws once it cannot come any more: the reader was cut, failed or stopped. */
  async until<T extends SessionEvent["type"]>(type: T, count = 1): Promise<Extract<SessionEvent, { type: T }>> {
    for (;;) {
      const found = this.of(type)[count - 1];
      if (found) return found;
      if (this.#over) throw new AssertionError({ message: `The events ended before ${type} ${count}.` });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.done;
  }
}

/** Who said what: `U:` and `A:` with the text of each message, an open one marked. */
export const script = (messages: readonly StoredMessage[]): string[] =>
  messages.map(({ role, parts, status }) => {
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    return `${role === "user" ? "U" : "A"}:${text}${status === "completed" ? "" : ` (${status})`}`;
  });
