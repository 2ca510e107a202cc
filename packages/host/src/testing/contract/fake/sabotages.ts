/** For every requirement that needs no process: a driver that breaks it, and nothing else on purpose. */
import type { RequirementId } from "../requirements.ts";
import type { Sabotage } from "./sabotage.ts";
import { livingSabotages } from "./sabotages/living.ts";
import { openingSabotages } from "./sabotages/opening.ts";
import { permissionSabotages } from "./sabotages/permission.ts";
import { steeringSabotages } from "./sabotages/steering.ts";
import { turnSabotages } from "./sabotages/turns.ts";

export type UnwiredId = Exclude<RequirementId, `${"wire" | "child"}/${string}`>;

export const sabotages: Readonly<Record<UnwiredId, Sabotage>> = {
  ...openingSabotages,
  ...turnSabotages,
  ...steeringSabotages,
  ...permissionSabotages,
  ...livingSabotages,
};
export const sabotageIds = Object.keys(sabotages) as readonly UnwiredId[];
