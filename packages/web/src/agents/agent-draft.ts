/**
 * An agent as a person edits it: text in every field. Invariants: an agent that is read and written without a change
 * stays as it is; what is wrong is said by its field, and nothing is sent. Pure.
 */
import type { AgentRow, NewAgent } from "../api/types.ts";
import { rulesOf, ruleText } from "./rule-lines.ts";

export type AgentDraft = {
  readonly name: string;
  readonly driver: string;
  readonly model: string;
  readonly effort: string;
  readonly instructions: string;
  readonly mode: AgentRow["permissionMode"];
  readonly rules: string;
  readonly alwaysAsk: string;
  readonly disabledTools: string;
  readonly unattended: AgentRow["unattended"];
  readonly provider: string;
  readonly baseUrl: string;
  readonly keyVariable: string;
  readonly mcpServers: string;
  readonly defaultDelivery: AgentRow["defaultDelivery"];
  readonly queueAfter: AgentRow["queueAfter"];
  readonly onInterrupted: AgentRow["onInterrupted"];
  readonly onResumeFailed: AgentRow["onResumeFailed"];
  readonly driverOptions: string;
};
export type Body = { readonly agent: NewAgent } | { readonly wrong: string };

const jsonText = (value: Readonly<Record<string, unknown>> | undefined): string =>
  value === undefined || Object.keys(value).length === 0 ? "" : JSON.stringify(value, null, 2);

export const draftOf = (agent: AgentRow | null, drivers: readonly string[]): AgentDraft => ({
  name: agent?.name ?? "",
  driver: agent?.driver ?? drivers[0] ?? "loop",
  model: agent?.model ?? "",
  effort: agent?.effort ?? "",
  instructions: agent?.instructions ?? "",
  mode: agent?.permissionMode ?? "default",
  rules: (agent?.rules ?? []).map(ruleText).join("\n"),
  alwaysAsk: (agent?.alwaysAsk ?? ["mcp__*"]).join(", "),
  disabledTools: (agent?.disabledTools ?? []).join(", "),
  unattended: agent?.unattended ?? "deny",
  provider: agent?.provider.kind ?? "",
  baseUrl: agent?.provider.baseUrl ?? "",
  keyVariable: agent?.provider.apiKeyEnv ?? "",
  mcpServers: jsonText(agent?.mcpServers),
  defaultDelivery: agent?.defaultDelivery ?? "steer",
  queueAfter: agent?.queueAfter ?? "hold",
  onInterrupted: agent?.onInterrupted ?? "wait",
  onResumeFailed: agent?.onResumeFailed ?? "ask",
  driverOptions: jsonText(agent?.driverOptions),
});

export function bodyOf(draft: AgentDraft): Body {
  const rules = rulesOf(draft.rules);
  if (rules === null) return { wrong: "A rule is a line like: allow bash(git status*)" };
  const mcpServers = objectOf(draft.mcpServers);
  if (mcpServers === null) return { wrong: 'MCP servers are a JSON object by name: {"files": {"command": "…"}}' };
  const driverOptions = objectOf(draft.driverOptions);
  if (driverOptions === null) return { wrong: "The driver's options are a JSON object." };
  const { name, driver, instructions, mode: permissionMode, unattended } = draft;
  const { defaultDelivery, queueAfter, onInterrupted, onResumeFailed } = draft;
  const named = {
    ...(draft.model.trim() === "" ? {} : { model: draft.model.trim() }),
    ...(draft.effort.trim() === "" ? {} : { effort: draft.effort.trim() }),
  };
  const asked = { rules, alwaysAsk: namesOf(draft.alwaysAsk), disabledTools: namesOf(draft.disabledTools), unattended };
  const queue = { defaultDelivery, queueAfter, onInterrupted, onResumeFailed };
  const provider = providerOf(draft);
  const made = { name, driver, instructions, permissionMode, provider, mcpServers, driverOptions };
  return { agent: { ...made, ...named, ...asked, ...queue } };
}
function providerOf({ provider, baseUrl, keyVariable }: AgentDraft): NonNullable<NewAgent["provider"]> {
  return {
    ...(provider === "" ? {} : { kind: provider }),
    ...(baseUrl === "" ? {} : { baseUrl }),
    ...(keyVariable === "" ? {} : { apiKeyEnv: keyVariable }),
  };
}
const namesOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
/** Null: it is none. Empty text is an empty object. */
function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
