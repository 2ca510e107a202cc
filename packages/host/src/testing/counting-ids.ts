/** Ids that repeat from run to run: each kind counts from one, and a UUID is its ordinal in valid version 4 form. */
import type { IdKind, Ids } from "../ports/ids.ts";

export function countingIds(): Ids {
  const made = new Map<IdKind | "uuid", number>();
  const next = (kind: IdKind | "uuid"): number => {
    const ordinal = (made.get(kind) ?? 0) + 1;
    made.set(kind, ordinal);
    return ordinal;
  };
  return {
    make: (kind) => `${kind}_${String(next(kind)).padStart(4, "0")}`,
    uuid: () => `00000000-0000-4000-8000-${next("uuid").toString(16).padStart(12, "0")}`,
  };
}
