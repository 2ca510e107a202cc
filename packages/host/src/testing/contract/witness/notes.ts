/** What the parts of a witness write their findings to; each text is kept once. */
import type { AgentRuntimeEvent } from "../../../ports/driver.ts";
import type { Finding } from "../broken.ts";
import type { RequirementId } from "../requirements.ts";

export type Named<T extends AgentRuntimeEvent["type"]> = Extract<AgentRuntimeEvent, { type: T }>;

/** A driver that does nothing right must not fill the memory with it. */
const maxFindings = 50;

export class Notes {
  readonly findings: Finding[] = [];

  report(requirement: RequirementId, text: string): void {
    if (this.findings.length >= maxFindings) return;
    if (this.findings.some((found) => found.requirement === requirement && found.text === text)) return;
    this.findings.push({ requirement, text });
  }
}
