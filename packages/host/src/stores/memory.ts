/**
 * The store port in maps: for tests and for embeddings that need nothing after they end. It keeps every rule of the
 * SQLite store, through the same queue; only durability is missing.
 */
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { HostWrite, MessagePage, Queries, Store, Write, Written } from "../ports/store.ts";
import { MooringError } from "../protocol/errors.ts";
import type { StoredEvent } from "../protocol/events.ts";
import type { Epoch, MessageId, Millis, Seq, SessionNo } from "../protocol/ids.ts";
import type { SessionRow, StoredSession } from "../protocol/rows.ts";
import { CommitQueue, type Job, laneOf } from "./commit-queue.ts";
import { defaultStoreLimits, type StoreLimits } from "./limits.ts";
import { lastSeqOf, MemoryData, type MemorySession } from "./memory/data.ts";
import { MemoryFlush, type MemoryOrder } from "./memory/flush.ts";
import { memoryQueries } from "./memory/queries.ts";
import { eventsAfter, loaded, needsRecovery, pageOf, snapshotOf } from "./memory/views.ts";
import { type Publishable, pendingEvents, publish, type Result } from "./publish.ts";

type MemoryJob = Job<MemoryOrder> & Publishable;

/** The store, and how many flushes it has begun. */
export type MemoryStoreHandle = Store & { readonly flushes: number };

export function createMemoryStore(options: {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly limits?: Partial<StoreLimits>;
}): MemoryStoreHandle {
  const id = options.ids.uuid().replaceAll("-", "").slice(-12);
  return new MemoryStore(id, { ...defaultStoreLimits, ...options.limits });
}

class MemoryStore implements Store {
  readonly id: string;
  readonly query: Queries;
  readonly #data = new MemoryData();
  readonly #queue: CommitQueue<MemoryJob, Result>;

  constructor(id: string, limits: StoreLimits) {
    this.id = id;
    this.query = memoryQueries(this.#data);
    this.#queue = new CommitQueue(async (jobs) => {
      const answers = new MemoryFlush(this.#data).run(jobs.map((job) => job.payload));
      return publish(jobs, answers);
    }, limits);
  }

  get flushes(): number {
    return this.#queue.flushes;
  }

  create(row: SessionRow, writes: readonly Write[] = []): Promise<SessionNo> {
    return this.#queue.add(lone({ do: "create", row, writes }), (result) => result.value);
  }

  change(writes: readonly HostWrite[]): Promise<void> {
    return this.#queue.add(lone({ do: "change", writes }), () => undefined);
  }

  write(session: SessionNo, epoch: Epoch, writes: readonly Write[]): Promise<Written> {
    const job: MemoryJob = {
      payload: { do: "write", session, epoch, writes },
      bytes: 0,
      lane: laneOf(session, epoch),
      session,
      events: pendingEvents(writes),
    };
    return this.#queue.add(job, (result) => result.written);
  }

  fold(before: Millis, limit: number): Promise<number> {
    return this.#queue.add(lone({ do: "fold", before, limit }), (result) => result.value);
  }

  claim(session: SessionNo): Promise<Epoch> {
    return this.#queue.add(lone({ do: "claim", session }), (result) => result.value);
  }

  async load(session: SessionNo): Promise<StoredSession> {
    return loaded(this.#data, this.#session(session));
  }

  async *open(): AsyncIterable<SessionNo> {
    for (const session of [...this.#data.sessions.values()]) if (needsRecovery(this.#data, session)) yield session.no;
  }

  async events(session: SessionNo, after: Seq, limit: number): Promise<readonly StoredEvent[]> {
    return eventsAfter(this.#session(session), after, limit);
  }

  async bounds(session: SessionNo): Promise<{ readonly horizon: Seq; readonly last: Seq }> {
    const found = this.#session(session);
    return { horizon: found.horizon, last: lastSeqOf(found) };
  }

  async messages(
    session: SessionNo,
    { before, limit }: { readonly before?: MessageId; readonly limit: number },
  ): Promise<MessagePage> {
    const page = pageOf(this.#session(session), before, limit);
    if (page) return page;
    throw new MooringError("no-such-message", `There is no message "${before}" in this session.`);
  }

  async snapshot(session: SessionNo): ReturnType<Store["snapshot"]> {
    return snapshotOf(this.#data, this.#session(session));
  }

  async backup(): Promise<void> {
    throw new MooringError("backup-failed", "A store in memory has no backup. Use the SQLite store.");
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  #session(no: SessionNo): MemorySession {
    const found = this.#data.sessions.get(no);
    if (found) return found;
    throw new MooringError("not-found", `There is no session ${no}.`);
  }
}

const lone = (payload: MemoryOrder): MemoryJob => ({ payload, bytes: 0, lane: null, session: 0, events: [] });
