/**
 * Work that outlives a turn. A command in the background keeps the process, a sub-agent also the reply, because the
 * agent speaks again by itself when it is done. Invariant: `awaitingReply` ends only when the agent is at rest and no
 * sub-agent works, which is after it spoke.
 */
import type { AgentRuntimeEvent } from "@mooring/host/driver";
import { type Frame, listOf, textIn } from "./frames.ts";

export class BackgroundWatch {
  #tasks = 0;
  #agents = 0;
  #owes = false;
  #told = { active: false, awaitingReply: false };
  /** Tasks that the turn waits for. */
  readonly #inTurn = new Set<string>();

  get isActive(): boolean {
    return this.#tasks > 0 || this.#owes;
  }

  changed(frame: Frame): AgentRuntimeEvent[] {
    const tasks = listOf(frame["tasks"]);
    this.#tasks = tasks.length;
    this.#agents = tasks.filter((task) => textIn(task, "task_type") === "local_agent").length;
    this.#owes ||= this.#agents > 0;
    return [{ type: "background-tasks", tasks }, ...this.#tell()];
  }

  /** The agent is at rest: what it owed, it said. */
  idle(): AgentRuntimeEvent[] {
    this.#owes = this.#agents > 0;
    return this.#tell();
  }

  #tell(): AgentRuntimeEvent[] {
    const now = { active: this.isActive, awaitingReply: this.#owes };
    if (now.active === this.#told.active && now.awaitingReply === this.#told.awaitingReply) return [];
    this.#told = now;
    return [{ type: "background-work-state", ...now }];
  }

  /** Life of one task. What runs inside a turn is told by its tool part. */
  task(frame: Frame): AgentRuntimeEvent[] {
    const taskId = textIn(frame, "task_id");
    if (taskId === null) return [];
    if (frame["is_backgrounded"] === false) this.#inTurn.add(taskId);
    const isOver = frame["subtype"] === "task_notification";
    if (this.#inTurn.has(taskId)) {
      if (isOver) this.#inTurn.delete(taskId);
      return [];
    }
    const { uuid: _uuid, session_id: _session, type: _type, ...data } = frame;
    return [{ type: "background-task-event", taskId, data }];
  }
}
