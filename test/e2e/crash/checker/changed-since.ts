/** What was over before a restart is the same after it: closed messages, settled turns, ended inputs, the journal. */
import { isDeepStrictEqual } from "node:util";
import { type Finding, found } from "./evidence.ts";
import type { Stored } from "./stored.ts";

type Named = { readonly id: string };
const isOver = ({ status }: { readonly status: string }): boolean => !["open", "waiting", "dropped"].includes(status);
const ended: readonly string[] = ["answered", "unanswered", "cancelled"];

export function changedSince(before: Stored, after: Stored): readonly Finding[] {
  const messages = before.messages.filter(isOver);
  const inputs = before.inputs.filter(({ state }) => ended.includes(state));
  const others = before.inputs.filter(({ id }) => !after.inputs.some((input) => input.id === id));
  return [
    ...found("a closed message never changes", differing(messages, after.messages)),
    ...found("a settled turn never changes", differing(before.turns.filter(isOver), after.turns)),
    ...found("an ended input never changes", differing(inputs, after.inputs)),
    ...found(
      "an input is never forgotten",
      others.map(({ id }) => id),
    ),
    ...found("the journal only grows", rewritten(before, after)),
  ];
}

function differing<T extends Named>(before: readonly T[], after: readonly T[]): string[] {
  const now = new Map(after.map((row) => [row.id, row]));
  return before.filter((row) => !isDeepStrictEqual(row, now.get(row.id))).map(({ id }) => id);
}

/** Segments may go whole, below the horizon. */
function rewritten(before: Stored, after: Stored): string[] {
  const horizons = new Map(after.sessions.map(({ no, horizon }) => [no, horizon]));
  const now = new Map(after.segments.map((segment) => [`${segment.session} ${segment.first}`, segment]));
  return before.segments
    .filter(({ session, last }) => last > (horizons.get(session) ?? Number.POSITIVE_INFINITY))
    .filter((segment) => !isDeepStrictEqual(segment, now.get(`${segment.session} ${segment.first}`)))
    .map(({ session, first }) => `session ${session}, ${first}`);
}
