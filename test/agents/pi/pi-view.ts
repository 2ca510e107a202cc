/** What a session file means to the real package: compared before and after it was here. */
import type { Json, PiEntry, PiManager } from "./pi-package.ts";

export type PiView = {
  readonly header: Json | null;
  readonly leaf: string | null;
  readonly name: string | null;
  readonly entries: readonly PiEntry[];
  /** Ids, oldest first. */
  readonly branch: readonly string[];
  /** What the model is told, with which model and thinking level. */
  readonly context: Json;
  /** Rows of id and label. */
  readonly labels: readonly (readonly [string, string])[];
};

export function viewOf(manager: PiManager): PiView {
  const entries = manager.getEntries();
  return {
    header: manager.getHeader(),
    leaf: manager.getLeafId(),
    name: manager.getSessionName() ?? null,
    entries,
    branch: manager.getBranch().map(({ id }) => id),
    context: manager.buildSessionContext(),
    labels: entries.flatMap(({ id }) => {
      const label = manager.getLabel(id);
      return label === undefined ? [] : [[id, label] as const];
    }),
  };
}

/** Version 1 has no ids, each reader gives its own: they are named by their place, wherever they are named. */
export function named(view: PiView): PiView {
  const places = new Map(view.entries.map(({ id }, index) => [id, `#${index}`]));
  const swap = (value: unknown): unknown => {
    if (typeof value === "string") return places.get(value) ?? value;
    if (Array.isArray(value)) return value.map(swap);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, swap(inner)]));
  };
  return swap(view) as PiView;
}
