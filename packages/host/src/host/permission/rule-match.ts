/**
 * Whether rules are about a call. What permits is read narrowly: an allow covers a call only if it covers every part of
 * it, character by character. What restricts is read widely: a deny or ask touches a call if it may be about any part of
 * it, in any case of letters and any composition of characters.
 */
import type { RuleTarget } from "../../protocol/permission.ts";
import { readCommand, textsOf } from "./command-readings.ts";
import { plainCommands } from "./plain-command.ts";
import type { JudgedCall, Subject } from "./subject.ts";
import { hasStar, literalOf, matchesPath, matchesText, matchesWide, wideCharacters } from "./wildcard.ts";

/** Of a command that rules are held against; beyond, nobody can say that a rule is not about it. */
const limits = { chars: 20_000, texts: 500 };

/** Names are the same in any case of letters. */
export function isAboutTool(
  { tool }: RuleTarget,
  { toolName, category }: Pick<JudgedCall, "toolName" | "category">,
): boolean {
  if (tool.startsWith("@")) return tool === `@${category}`;
  return matchesText(tool.toLowerCase(), toolName.toLowerCase(), "exact");
}
/** A restriction on the tool called `write` is one on every tool that writes: else it would be no restriction. */
export const restrictsTool = (rule: RuleTarget, call: Pick<JudgedCall, "toolName" | "category">): boolean =>
  isAboutTool(rule, call) || matchesText(rule.tool, call.toolName, "wide") || rule.tool.toLowerCase() === call.category;
/** It names this one tool. */
export const namesTool = ({ tool }: RuleTarget): boolean => !tool.startsWith("@") && !hasStar(tool);

// --- what permits -------------------------------------------------------------------------------------------------

/** The rules that together cover the call; null: part of it is covered by none. All are about its tool. */
export function coveredBy<Rule extends RuleTarget>(rules: readonly Rule[], subject: Subject): readonly Rule[] | null {
  const whole = rules.find(({ pattern }) => pattern === null);
  if (whole) return [whole];
  const first = (fits: (pattern: string) => boolean): Rule | null =>
    rules.find(({ pattern }) => pattern !== null && fits(pattern)) ?? null;
  if (subject.kind === "command") return commandCoveredBy(first, subject);
  if (subject.kind === "text") return every([first((pattern) => matchesText(pattern, subject.text, "exact"))]);
  const isOf = (pattern: string, { full, inside }: (typeof subject.paths)[number]): boolean =>
    isFull(pattern)
      ? matchesPath(pattern, full, "exact")
      : inside !== null && matchesPath(withoutDot(pattern), inside, "exact");
  return every(subject.paths.map((path) => first((pattern) => isOf(pattern, path))));
}
/** A rule without a star allows its very text, whatever it is; one with a star only simple commands. */
function commandCoveredBy<Rule>(
  first: (fits: (pattern: string) => boolean) => Rule | null,
  { text, others }: Extract<Subject, { kind: "command" }>,
): readonly Rule[] | null {
  if (text === null || others) return null;
  const exact = first((pattern) => literalOf(pattern) === text);
  if (exact !== null) return [exact];
  const parts = plainCommands(text);
  return parts === null ? null : every(parts.map((part) => first((pattern) => matchesText(pattern, part, "exact"))));
}
function every<Rule>(found: readonly (Rule | null)[]): readonly Rule[] | null {
  const rules = found.filter((rule) => rule !== null);
  return found.length > 0 && rules.length === found.length ? [...new Set(rules)] : null;
}
const withoutDot = (pattern: string): string => pattern.replace(/^(?:\.\/)+/, "");
const isFull = (pattern: string): boolean => pattern.startsWith("/") || /^[A-Za-z]:/.test(pattern);

// --- what restricts -----------------------------------------------------------------------------------------------

/** `unclear`: it may be about the call, and nobody can tell. */
export type Touch = "yes" | "no" | "unclear";
export type Toucher = (rule: RuleTarget) => Touch;

/** For rules about the call's tool. Reads the call once for all of them. */
export function toucherOf(subject: Subject): Toucher {
  const says =
    subject.kind === "command"
      ? commandTouch(subject.text)
      : subject.kind === "paths"
        ? pathTouch(subject)
        : textTouch(subject);
  return ({ pattern }) => (pattern === null ? "yes" : says(pattern));
}
function commandTouch(text: string | null): (pattern: string) => Touch {
  if (text === null || text.length > limits.chars) return () => "unclear";
  const texts = [text, ...(plainCommands(text) ?? []), ...readCommand(text).flatMap(textsOf)];
  const different = [...new Set(texts.map((each) => each.trim()))];
  const rest: Touch = different.length > limits.texts ? "unclear" : "no";
  const looked = different.slice(0, limits.texts).map(wideCharacters);
  return (pattern) => (looked.some((characters) => matchesWide(pattern, characters)) ? "yes" : rest);
}
/** Also when it is about a directory above, and, without a slash, about a name at any depth. */
function pathTouch({ paths }: Extract<Subject, { kind: "paths" }>): (pattern: string) => Touch {
  const touches = (pattern: string, path: string): boolean => {
    const segments = path.split("/");
    if (!pattern.includes("/")) return segments.some((segment) => matchesText(pattern, segment, "wide"));
    return segments.some((_, at) => matchesPath(pattern, segments.slice(0, at + 1).join("/"), "wide"));
  };
  return (pattern) => {
    const path = withoutDot(pattern);
    const isAny = paths.some(({ full, inside }) => touches(path, isFull(path) ? full : (inside ?? full)));
    return isAny ? "yes" : "no";
  };
}
const textTouch =
  ({ text, isVague }: Extract<Subject, { kind: "text" }>) =>
  (pattern: string): Touch =>
    isVague ? "unclear" : matchesText(pattern, text, "wide") ? "yes" : "no";
