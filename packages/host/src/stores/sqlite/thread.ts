/**
 * The host's end of the store's thread. Requests of one tick travel together. Invariants: every request settles, also
 * when the thread dies; the process stays alive while one is unanswered, and not for the thread alone.
 */
import { Worker } from "node:worker_threads";
import { MooringError, messageOf, StoreRefused } from "../../protocol/errors.ts";
import type { JobReply, Reply, Request, StoreJob } from "./jobs.ts";
import type { Reads } from "./reads.ts";
import type { WorkerData } from "./worker.ts";

type Pending = { readonly resolve: (reply: Reply) => void; readonly reject: (cause: MooringError) => void };
type Unnumbered = Request extends infer R ? (R extends Request ? Omit<R, "id"> : never) : never;

export class StoreThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #outbox: Request[] = [];
  #lastId = 0;
  /** Set once nothing more is taken. */
  #closed: StoreRefused | null = null;

  private constructor(data: WorkerData) {
    // Beside this file, in source and in the build alike.
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    this.#worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), { workerData: data });
    this.#worker.on("message", (replies: readonly Reply[]) => {
      for (const reply of replies) this.#settle(reply);
    });
    this.#worker.on("error", (cause) => this.#end(`The store's thread failed: ${messageOf(cause)}`));
    this.#worker.on("exit", () => this.#end("The store is closed."));
  }

  /** Resolves when the database is open. */
  static async start(data: WorkerData): Promise<StoreThread> {
    const thread = new StoreThread(data);
    await new Promise<Reply>((resolve, reject) => thread.#pending.set(0, { resolve, reject }));
    return thread;
  }

  async flush(jobs: readonly StoreJob[]): Promise<readonly JobReply[]> {
    const reply = await this.#ask({ do: "flush", jobs });
    return "jobs" in reply ? reply.jobs : [];
  }

  async read<Name extends keyof Reads>(name: Name, ...args: Parameters<Reads[Name]>): Promise<ReturnType<Reads[Name]>> {
    const reply = await this.#ask({ do: "read", name, args });
    return JSON.parse("text" in reply ? reply.text : "null") as ReturnType<Reads[Name]>;
  }

  async backup(path: string): Promise<void> {
    await this.#ask({ do: "backup", path });
  }

  /** Closes the database after all that was asked for before, and ends the thread. Call once. */
  async close(): Promise<void> {
    if (this.#closed) return;
    const exited = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()));
    const done = this.#ask({ do: "close" });
    this.#closed = new StoreRefused("closed", "The store is closed.");
    await done;
    this.#worker.ref();
    await exited;
  }

  #ask(request: Unnumbered): Promise<Reply> {
    if (this.#closed) return Promise.reject(this.#closed);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#pending.size === 0) this.#worker.ref();
      this.#pending.set(id, { resolve, reject });
      if (this.#outbox.length === 0) queueMicrotask(() => this.#post());
      this.#outbox.push({ ...request, id });
    });
  }

  #post(): void {
    this.#worker.postMessage(this.#outbox);
    this.#outbox = [];
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ("refused" in reply) pending?.reject(new StoreRefused(reply.refused, reply.why));
    else if ("failed" in reply) pending?.reject(new MooringError(reply.failed, reply.why));
    else pending?.resolve(reply);
  }

  #end(why: string): void {
    this.#closed ??= new StoreRefused("closed", why);
    for (const { reject } of this.#pending.values()) reject(this.#closed);
    this.#pending.clear();
  }
}
