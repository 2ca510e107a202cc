/**
 * What the pattern of a rule is held against: one thing per call, chosen by what the call is, never by the rule. Also the
 * rule that says exactly this call. Invariant: `ruleFor` of a call matches it, and no call that would do something else.
 */
import { isAbsolute, relative, sep } from "node:path";
import type { RuleTarget, ToolCategory } from "../../protocol/permission.ts";
import { isInside } from "./containment.ts";
import { checkedTarget } from "./rule-notation.ts";
import { literalPattern } from "./wildcard.ts";

/** A path of a call. `real`: links resolved; null: it cannot be, so it is nowhere. */
export type CallPath = { readonly given: string; readonly real: string | null };
/** A call as the engine sees it: everything about the disk is known. */
export type JudgedCall = {
  readonly toolName: string;
  readonly category: ToolCategory;
  readonly input: unknown;
  readonly paths: readonly CallPath[];
  readonly needsPerson: boolean;
};
/** Directories, links resolved. */
export type Place = {
  readonly workspace: string;
  /** Of the agent. */
  readonly home: string;
  /** Of the host: database, secrets, homes, managed workspaces. */
  readonly dataDir: string;
  /** Of the person the host runs as. */
  readonly userHome: string;
};

export type Subject =
  /** `others`: the input says more than the command and how long it may take. Text null: nobody knows the command. */
  | { readonly kind: "command"; readonly text: string | null; readonly others: boolean }
  /** Absolute, `/` between segments, and relative to the workspace when inside. */
  | { readonly kind: "paths"; readonly paths: readonly { readonly full: string; readonly inside: string | null }[] }
  /** `isVague`: the tool reads or writes files, and does not say which. */
  | { readonly kind: "text"; readonly text: string; readonly isVague: boolean };

/** Fields of a shell tool's input that change nothing of what is run. */
const harmlessFields = new Set(["command", "timeout", "description", "run_in_background"]);

export function subjectOf(call: JudgedCall, { workspace }: Pick<Place, "workspace">): Subject {
  const fields: Readonly<Record<string, unknown>> = isRecord(call.input) ? call.input : {};
  if (call.category === "shell") {
    const text = typeof fields["command"] === "string" ? fields["command"] : null;
    return { kind: "command", text, others: Object.keys(fields).some((key) => !harmlessFields.has(key)) };
  }
  if (call.paths.length > 0)
    return { kind: "paths", paths: call.paths.map(({ given, real }) => pathNames(real ?? given, workspace)) };
  const url = typeof fields["url"] === "string" && URL.canParse(fields["url"]) ? new URL(fields["url"]).href : null;
  const isVague = call.category === "read" || call.category === "write";
  return { kind: "text", text: url ?? sortedJson(call.input), isVague };
}
function pathNames(path: string, workspace: string) {
  const inside = isAbsolute(path) && isInside(path, workspace) ? slashed(relative(workspace, path)) : null;
  return { full: slashed(path), inside };
}
const slashed = (path: string): string => (sep === "/" ? path : path.split(sep).join("/"));
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** JSON with the keys of every object in order: the same input is the same text. */
const sortedJson = (value: unknown): string => JSON.stringify(sorted(value)) ?? "null";
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

/** Exactly this call: its command, its one file, its input. Null when no pattern can say that. */
export function ruleFor(call: JudgedCall, place: Pick<Place, "workspace">): RuleTarget | null {
  const text = call.needsPerson ? null : exactText(subjectOf(call, place));
  if (text === null || text.trim() === "") return null;
  try {
    return checkedTarget(call.toolName, literalPattern(text));
  } catch {
    return null; // a name or a text that no rule can hold
  }
}
function exactText(subject: Subject): string | null {
  if (subject.kind === "command") return subject.others ? null : subject.text;
  if (subject.kind === "text") return subject.isVague ? null : subject.text;
  // the full path: a relative one would be another file in another session's workspace
  return subject.paths.length === 1 ? (subject.paths[0]?.full ?? null) : null;
}
