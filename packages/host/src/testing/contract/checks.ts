/** The check of every requirement, by the id it cites. */
import type { Check } from "./check.ts";
import { approvalChecks } from "./checks/approvals.ts";
import { livingChecks } from "./checks/living.ts";
import { openingChecks } from "./checks/opening.ts";
import { ownToolChecks } from "./checks/own-tools.ts";
import { partChecks } from "./checks/parts.ts";
import { reconcileChecks } from "./checks/reconciles.ts";
import { steerChecks } from "./checks/steers.ts";
import { stopChecks } from "./checks/stops.ts";
import { surroundingChecks } from "./checks/surroundings.ts";
import { turnChecks } from "./checks/turns.ts";
import { wireChecks } from "./checks/wire.ts";
import type { RequirementId } from "./requirements.ts";

export const checks: Readonly<Record<RequirementId, Check>> = {
  ...openingChecks,
  ...surroundingChecks,
  ...turnChecks,
  ...partChecks,
  ...steerChecks,
  ...stopChecks,
  ...approvalChecks,
  ...ownToolChecks,
  ...reconcileChecks,
  ...livingChecks,
  ...wireChecks,
};

/** Requirements no check cites, and citations of no requirement. */
export function uncited(requirements: readonly string[], cited: readonly string[]): readonly string[] {
  const without = requirements.filter((id) => !cited.includes(id)).map((id) => `${id} is cited by no check`);
  const unknown = cited.filter((id) => !requirements.includes(id)).map((id) => `${id} is cited and no requirement`);
  return [...without, ...unknown];
}
