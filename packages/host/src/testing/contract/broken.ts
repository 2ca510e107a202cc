/** How a case fails: with the requirement that is broken and what was seen. */
import { MooringError } from "../../protocol/errors.ts";
import type { RequirementId } from "./requirements.ts";

/** One thing a driver did that the contract forbids. */
export type Finding = { readonly requirement: RequirementId; readonly text: string };

export class ContractBroken extends MooringError {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super("contract-broken", findings.map(({ requirement, text }) => `[${requirement}] ${text}`).join("\n"));
    this.findings = findings;
  }
}
