/** The order in which sums of what was used are listed. */
import type { UsageGroup, UsageQuery } from "../ports/store.ts";
import { usageSessions } from "./limits.ts";

const tokens = ({ total }: UsageGroup): number => total.input + total.output;

/** `groups`: in the order of their keys. */
export const listedGroups = (by: UsageQuery["by"], groups: readonly UsageGroup[]): readonly UsageGroup[] =>
  by === "session" ? [...groups].sort((a, b) => tokens(b) - tokens(a)).slice(0, usageSessions) : groups;
