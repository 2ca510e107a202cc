/** The store port over the thread: writes go through the commit queue, reads straight to the thread. */
import { basename, join, resolve } from "node:path";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { HostWrite, MessagePage, Queries, Store, Write, Written } from "../../ports/store.ts";
import { MooringError, messageOf, StoreRefused } from "../../protocol/errors.ts";
import type { StoredEvent } from "../../protocol/events.ts";
import type { Epoch, MessageId, Millis, Seq, SessionNo } from "../../protocol/ids.ts";
import type { SessionRow, StoredSession } from "../../protocol/rows.ts";
import { CommitQueue, laneOf } from "../commit-queue.ts";
import { openPageRows, type StoreLimits } from "../limits.ts";
import { type Answer, publish, type Result } from "../publish.ts";
import type { JobReply } from "./jobs.ts";
import { eventsOf } from "./segment.ts";
import { sqliteQueries } from "./sqlite-queries.ts";
import type { StoreThread } from "./thread.ts";
import { changeJob, claimJob, createJob, foldJob, type SqliteJob, storedMessage, writeJob } from "./write-job.ts";

type Options = {
  readonly id: string;
  readonly path: string;
  readonly thread: StoreThread;
  readonly limits: StoreLimits;
  readonly clock: Clock;
  readonly log: Log;
};

export class SqliteStore implements Store {
  readonly id: string;
  readonly query: Queries;
  readonly #options: Options;
  readonly #thread: StoreThread;
  readonly #queue: CommitQueue<SqliteJob, Result>;
  #closing: Promise<void> | null = null;

  constructor(options: Options) {
    this.id = options.id;
    this.#options = options;
    this.#thread = options.thread;
    this.query = sqliteQueries(options.thread);
    this.#queue = new CommitQueue((jobs) => this.#flush(jobs), options.limits);
  }

  get flushes(): number {
    return this.#queue.flushes;
  }

  create(row: SessionRow, writes: readonly Write[] = []): Promise<SessionNo> {
    return this.#add(
      null,
      () => createJob(row, writes),
      (result) => result.value,
    );
  }

  change(writes: readonly HostWrite[]): Promise<void> {
    return this.#add(
      null,
      () => changeJob(writes),
      () => undefined,
    );
  }

  write(session: SessionNo, epoch: Epoch, writes: readonly Write[]): Promise<Written> {
    return this.#add(
      laneOf(session, epoch),
      () => writeJob(session, epoch, writes),
      (result) => result.written,
    );
  }

  fold(before: Millis, limit: number): Promise<number> {
    return this.#add(
      null,
      () => foldJob(before, limit),
      (result) => result.value,
    );
  }

  claim(session: SessionNo): Promise<Epoch> {
    return this.#add(
      null,
      () => claimJob(session),
      (result) => result.value,
    );
  }

  async load(session: SessionNo): Promise<StoredSession> {
    return found(await this.#thread.read("load", session), session);
  }

  async *open(): AsyncIterable<SessionNo> {
    let after = 0;
    for (let page = await this.#openAfter(0); page.length > 0; page = await this.#openAfter(after)) {
      yield* page;
      after = page.at(-1) ?? after;
    }
  }

  async events(session: SessionNo, after: Seq, limit: number): Promise<readonly StoredEvent[]> {
    return eventsOf(found(await this.#thread.read("stretch", session, after, limit), session), after, limit);
  }

  async bounds(session: SessionNo): Promise<{ readonly horizon: Seq; readonly last: Seq }> {
    return found(await this.#thread.read("bounds", session), session);
  }

  async messages(
    session: SessionNo,
    { before, limit }: { readonly before?: MessageId; readonly limit: number },
  ): Promise<MessagePage> {
    const page = await this.#thread.read("page", session, before ?? null, limit);
    return found(page, session, before);
  }

  async snapshot(session: SessionNo): ReturnType<Store["snapshot"]> {
    return found(await this.#thread.read("snapshot", session), session);
  }

  async backup(directory: string): Promise<void> {
    const target = join(resolve(directory), basename(this.#options.path));
    if (target === this.#options.path)
      throw new MooringError("backup-failed", `${target} is the database itself. Name another place for the backup.`);
    await this.#thread.backup(target);
  }

  close(): Promise<void> {
    this.#closing ??= this.#queue.close().then(() => this.#thread.close());
    return this.#closing;
  }

  #openAfter(after: SessionNo): Promise<SessionNo[]> {
    return this.#thread.read("open", after, openPageRows);
  }

  #add<T>(lane: string | null, make: () => SqliteJob, pick: (result: Result) => T): Promise<T> {
    let job: SqliteJob;
    try {
      job = make();
    } catch (cause) {
      const why = `It cannot be stored as JSON: ${messageOf(cause)}`;
      return this.#queue.refuse(lane, new StoreRefused("constraint", why, cause));
    }
    return this.#queue.add(job, pick);
  }

  async #flush(jobs: readonly SqliteJob[]): Promise<(Result | StoreRefused)[]> {
    const { clock, limits, log } = this.#options;
    const began = clock.monotonic();
    const replies = await this.#thread.flush(jobs.map((job) => job.payload));
    const took = clock.monotonic() - began;
    if (took > limits.slowFlushMs) log.warn("store.slow-flush", { ms: Math.round(took), writes: jobs.length });
    return publish(
      jobs,
      jobs.map((job, index) => answerOf(job, replies[index])),
    );
  }
}

function answerOf({ contents }: SqliteJob, reply: JobReply | undefined): Answer | StoreRefused | undefined {
  if (reply === undefined) return undefined;
  if (typeof reply === "number") return { value: reply };
  if ("refused" in reply) return new StoreRefused(reply.refused, reply.why);
  const closed = new Map(reply.closed.map((row) => [row.id, storedMessage(row, contents.get(row.id))]));
  return { value: reply.value, closed };
}

function found<T>(value: T | null, session: SessionNo, message?: MessageId): T {
  if (value !== null) return value;
  if (message === undefined) throw new MooringError("not-found", `There is no session ${session}.`);
  throw new MooringError("no-such-message", `There is no message "${message}" in this session.`);
}
