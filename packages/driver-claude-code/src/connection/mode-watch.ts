/**
 * The agent's own permission mode, which is only ever planning or not. What the host set is no news; that the agent left
 * or entered planning is.
 */
import type { AgentRuntimeEvent, PermissionMode } from "@mooring/host/driver";

export class ModeWatch {
  #isPlanning: boolean;

  constructor(mode: PermissionMode) {
    this.#isPlanning = mode === "plan";
  }

  /** Call before the agent is told. */
  set(mode: PermissionMode): void {
    this.#isPlanning = mode === "plan";
  }

  isNews(event: AgentRuntimeEvent): boolean {
    if (event.type !== "config-changed" || event.permissionMode === undefined) return true;
    const isPlanning = event.permissionMode === "plan";
    if (isPlanning === this.#isPlanning) return false;
    this.#isPlanning = isPlanning;
    return true;
  }
}
