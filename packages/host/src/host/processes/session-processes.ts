/**
 * The door to child processes as drivers see it: every child is remembered by the session it works for until it is
 * over, so that a killed connection leaves none behind.
 */
import type { ChildHandle, Processes, SpawnOptions } from "../../ports/processes.ts";
import type { SessionId } from "../../protocol/ids.ts";

export class SessionProcesses implements Processes {
  readonly #processes: Processes;
  readonly #children = new Map<SessionId, Set<ChildHandle>>();

  constructor(processes: Processes) {
    this.#processes = processes;
  }

  async spawn(options: SpawnOptions): Promise<ChildHandle> {
    const child = await this.#processes.spawn(options);
    if (options.session !== undefined) this.#keep(options.session, child);
    return child;
  }

  list(): ReturnType<Processes["list"]> {
    return this.#processes.list();
  }

  /** Ends what the session has running now; a child started later is not touched. Never rejects. */
  async endOf(session: SessionId): Promise<void> {
    const children = [...(this.#children.get(session) ?? [])];
    await Promise.allSettled(children.map((child) => child.end()));
  }

  #keep(session: SessionId, child: ChildHandle): void {
    const children = this.#children.get(session) ?? new Set();
    this.#children.set(session, children.add(child));
    child.exited.then(
      () => this.#forget(session, child),
      () => this.#forget(session, child),
    );
  }

  #forget(session: SessionId, child: ChildHandle): void {
    const children = this.#children.get(session);
    children?.delete(child);
    if (children?.size === 0) this.#children.delete(session);
  }
}
