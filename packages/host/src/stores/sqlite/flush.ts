/**
 * The writer: one flush is one transaction over all sessions.
 *
 * Invariants: a write is stored whole or not at all, and only while its epoch is its session's. A refused write takes
 * later writes of the same owner in the flush with it, and nobody else's. When the transaction fails, nothing of the
 * flush is stored and nothing of it is remembered.
 */
import type { Epoch, SessionNo } from "../../protocol/ids.ts";
import type { StoreLimits } from "../limits.ts";
import { applyOps, changesRows } from "./apply-ops.ts";
import type { SqlValue } from "./columns.ts";
import { insertSession } from "./encode-write.ts";
import { asRefused } from "./failure.ts";
import type { HostOp, JobReply, Op, Refusal, StoreJob } from "./jobs.ts";
import { addSegment, countFresh, isFull, settleFresh } from "./journal.ts";
import { OpenSession, openSession, refusalOf } from "./open-session.ts";
import { removeSession } from "./remove-session.ts";
import { foldJournals } from "./retention.ts";
import { segmentJson } from "./segment.ts";
import type { Sql } from "./sql.ts";

export class Flusher {
  readonly #sql: Sql;
  readonly #limit: number;
  /** Right as long as nobody else writes the file: `#notice` checks it in every transaction. */
  readonly #sessions = new Map<SessionNo, OpenSession>();
  readonly #touched = new Set<OpenSession>();
  #version: unknown = null;
  /** Segments not settled; null: not counted. */
  #fresh: number | null = null;

  constructor(sql: Sql, limits: Pick<StoreLimits, "rememberedSessions">) {
    this.#sql = sql;
    this.#limit = limits.rememberedSessions;
  }

  /** Answers each job. Throws when the transaction failed. */
  flush(jobs: readonly StoreJob[]): JobReply[] {
    const { db } = this.#sql;
    db.exec("BEGIN IMMEDIATE");
    try {
      this.#notice();
      const replies = jobs.map((job) => this.#apply(job));
      this.#store();
      db.exec("COMMIT");
      for (const session of this.#touched) session.settle();
      return replies;
    } catch (cause) {
      this.#forgetAll();
      // A full disk may have ended the transaction already.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw cause;
    } finally {
      this.#touched.clear();
      if (this.#sessions.size > this.#limit) this.#sessions.clear();
    }
  }

  /** Forgets everything when another connection has written: an epoch may have risen. */
  #notice(): void {
    const version = this.#sql.get<{ data_version: number }>("PRAGMA data_version")?.data_version;
    if (version !== this.#version) this.#forgetAll();
    this.#version = version;
  }

  #forgetAll(): void {
    this.#sessions.clear();
    this.#fresh = null;
  }

  #apply(job: StoreJob): JobReply {
    switch (job[0]) {
      case "write":
        return this.#write(job[1], job[2], job[3]);
      case "create":
        return this.#alone(() => this.#create(job[1], job[2]));
      case "change":
        return this.#alone(() => this.#change(job[1]));
      case "claim":
        return this.#claim(job[1]);
      case "fold":
        this.#fresh = null;
        return foldJournals(this.#sql, job[1], job[2]);
    }
  }

  #write(no: SessionNo, epoch: Epoch, ops: readonly Op[]): JobReply {
    const session = this.#session(no);
    if (!session) return leaseLost(`Session ${no} is gone.`);
    const earlier = session.refused.get(epoch);
    if (earlier) return earlier;
    const reply =
      session.epoch === epoch
        ? this.#alone(() => this.#take(session, ops), ops.some(changesRows))
        : leaseLost(`Session ${no} has another owner: its epoch is ${session.epoch}, not ${epoch}.`);
    if (isRefusal(reply)) {
      session.refused.set(epoch, reply);
      session.messages.clear();
    }
    return reply;
  }

  #take(session: OpenSession, ops: readonly Op[]): JobReply {
    const { events, closed } = applyOps(this.#sql, session, ops);
    for (const [item, delta] of events) session.events.add(item, delta, (before, body) => ({ ...before, body }));
    return closed.length > 0 ? { value: session.last, closed } : session.last;
  }

  #create(row: readonly SqlValue[], ops: readonly Op[]): JobReply {
    const session = new OpenSession(this.#sql.run(insertSession, ...row).key, 0, 0);
    this.#take(session, ops);
    this.#sessions.set(session.no, session);
    this.#touched.add(session);
    return session.no;
  }

  #change(ops: readonly HostOp[]): JobReply {
    for (const op of ops) {
      if (op[0] === "run") this.#sql.run(op[1], ...op[2]);
      else this.#forget(removeSession(this.#sql, op[1]));
    }
    return 0;
  }

  #forget(no: SessionNo | null): void {
    const session = no === null ? undefined : this.#sessions.get(no);
    if (!session) return;
    this.#sessions.delete(session.no);
    this.#touched.delete(session);
  }

  #claim(no: SessionNo): JobReply {
    const session = this.#session(no);
    if (!session) return { refused: "constraint", why: `There is no session ${no}.` };
    this.#sql.run("UPDATE sessions SET epoch = epoch + 1 WHERE no = ?", no);
    session.epoch += 1;
    return session.epoch;
  }

  #session(no: SessionNo): OpenSession | null {
    const session = this.#sessions.get(no) ?? openSession(this.#sql, no);
    if (!session) return null;
    this.#sessions.set(no, session);
    this.#touched.add(session);
    return session;
  }

  /** Refused alone when it breaks a rule; what went wrong with the disk ends the whole flush. */
  #alone(work: () => JobReply, savepoint = true): JobReply {
    const { db } = this.#sql;
    if (savepoint) db.exec("SAVEPOINT job");
    try {
      const reply = work();
      if (savepoint) db.exec("RELEASE job");
      return reply;
    } catch (cause) {
      const refused = asRefused(cause);
      if (refused.code !== "constraint") throw cause;
      if (savepoint) db.exec("ROLLBACK TO job; RELEASE job");
      return refusalOf(refused);
    }
  }

  /** The flush's events, one segment a session. */
  #store(): void {
    let fresh = this.#fresh ?? countFresh(this.#sql);
    for (const { no, last, events } of this.#touched) {
      const { items } = events;
      const at = items.at(-1)?.at;
      if (at === undefined) continue;
      addSegment(this.#sql, no, { first: last + 1, last: last + items.length, at, data: segmentJson(items, at) });
      fresh += 1;
    }
    if (isFull(fresh)) {
      settleFresh(this.#sql);
      fresh = 0;
    }
    this.#fresh = fresh;
  }
}

const isRefusal = (reply: JobReply): reply is Refusal => typeof reply === "object" && "refused" in reply;
const leaseLost = (why: string): Refusal => ({ refused: "lease-lost", why });
