/**
 * The driver's door to processes during one case: the host's own supervisor, with a record of what was started and a
 * place to put a fault between an agent and its driver.
 */
import { createSupervisor, type Supervisor } from "../../host/processes/supervisor.ts";
import { silentLog } from "../../host/silent-log.ts";
import { systemClock } from "../../host/system-clock.ts";
import type { ChildHandle, Processes, SpawnOptions } from "../../ports/processes.ts";
import { Records } from "../records.ts";

export type Started = { readonly options: SpawnOptions; readonly child: ChildHandle };

export class WatchedProcesses implements Processes {
  readonly started = new Records<Started>();
  /** Set before a child starts: the driver gets what this makes of it. */
  tamper: (child: ChildHandle) => ChildHandle = (child) => child;
  readonly #supervisor: Supervisor;

  constructor() {
    const record = { started: async () => {}, ended: async () => {} };
    this.#supervisor = createSupervisor({ clock: systemClock, log: silentLog, record });
  }

  async spawn(options: SpawnOptions): Promise<ChildHandle> {
    const child = await this.#supervisor.spawn(options);
    this.started.add({ options, child });
    return this.tamper(child);
  }
  list(): ReturnType<Processes["list"]> {
    return this.#supervisor.list();
  }
  /** Kills the newest child without a word to it. Resolves when it is gone. */
  async kill(): Promise<void> {
    await this.started.all.at(-1)?.child.end(0);
  }
  async end(): Promise<void> {
    await this.#supervisor.stop(0);
  }
}
