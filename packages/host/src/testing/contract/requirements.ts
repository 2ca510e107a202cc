/** Every requirement of the driver contract (DESIGN section 6), by its id. */
import { livingRequirements } from "./requirements/living.ts";
import { openingRequirements } from "./requirements/opening.ts";
import { permissionRequirements } from "./requirements/permission.ts";
import { steeringRequirements } from "./requirements/steering.ts";
import { turnRequirements } from "./requirements/turns.ts";
import { wireRequirements } from "./requirements/wire.ts";

export const requirements = {
  ...openingRequirements,
  ...turnRequirements,
  ...steeringRequirements,
  ...permissionRequirements,
  ...livingRequirements,
  ...wireRequirements,
};
export type RequirementId = keyof typeof requirements;
export const requirementIds = Object.keys(requirements) as readonly RequirementId[];
