/** A check plays one requirement on a scene and throws what breaks it; what its connections said is judged after it. */
import type { RequirementId } from "./requirements.ts";
import type { ContractScene } from "./scene.ts";

export type Check = (scene: ContractScene) => Promise<void>;

/** Checks of some requirements, by the id they cite. */
export const checksOf = <Id extends RequirementId>(
  table: { readonly [K in Id]: Check },
): {
  readonly [K in Id]: Check;
} => table;
