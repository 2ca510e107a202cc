/** What a judgement rests on, and what it says. */
import type { LoggedRequest } from "@mooring/scripted-model";
import type { Line } from "../line.ts";
import type { Stored } from "./stored.ts";

export type Evidence = {
  readonly stored: Stored;
  /** What the client said, before the kill and after it: its acknowledgements, and what it saw. */
  readonly lines: readonly Line[];
  /** Lines of `side.log`, to which the tools append. */
  readonly side: readonly string[];
  /** Every request the model got. */
  readonly requests: readonly LoggedRequest[];
};
export type Finding = { readonly rule: string; readonly what: string };
export type Rule = (evidence: Evidence) => readonly Finding[];

/** A finding for each thing that breaks the rule. */
export const found = (rule: string, broken: readonly string[]): readonly Finding[] =>
  broken.map((what) => ({ rule, what }));

/** More often than once, each named once. */
export const repeated = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, at) => names.indexOf(name) !== at)),
];

export const said = <S extends Line["say"]>(lines: readonly Line[], what: S): Extract<Line, { say: S }>[] =>
  lines.filter((line): line is Extract<Line, { say: S }> => line.say === what);

/** Turns that may be open: they wait for a person, with questions that outlive any process. */
export function waitingTurns({ turns, approvals }: Stored): ReadonlySet<string> {
  const asks = (id: string): boolean => approvals.some((a) => a.turnId === id && a.how === null && a.durable);
  return new Set(turns.filter(({ status, id }) => status === "waiting" && asks(id)).map(({ id }) => id));
}
