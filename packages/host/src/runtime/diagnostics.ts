/** What creation noticed and did not fail for: the program decides whether to show it, stop, or go on. */

export type AgentSessionRuntimeDiagnostic = {
  readonly type: "info" | "warning" | "error";
  readonly message: string;
};

/** Collects diagnostics, and says which were not handed out yet. */
export class Diagnostics {
  readonly #all: AgentSessionRuntimeDiagnostic[] = [];
  #reported = 0;

  get all(): readonly AgentSessionRuntimeDiagnostic[] {
    return this.#all;
  }
  add(type: AgentSessionRuntimeDiagnostic["type"], message: string): void {
    this.#all.push({ type, message });
  }
  /** Those added since the last call. */
  takeUnreported(): readonly AgentSessionRuntimeDiagnostic[] {
    const fresh = this.#all.slice(this.#reported);
    this.#reported = this.#all.length;
    return fresh;
  }
}
