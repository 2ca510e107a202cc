/**
 * What a Claude Code process is started with. Invariants: everything the SDK would fill in by itself is said, so that a
 * new version changes nothing in silence; the agent's own permission modes decide nothing, because the gate does.
 */
import type { ConnectInput, PermissionMode, SessionTarget } from "@mooring/host/driver";
import { MooringError } from "@mooring/host/driver";
import { limits } from "../limits.ts";
import type { DriverOptions } from "../sdk/driver-options.ts";
import { agentEnvironment } from "../sdk/environment.ts";
import type { SdkOptions } from "../sdk/sdk.ts";
import { isOfServer, toolNames } from "../translate/tool-table.ts";
import type { Place } from "./session-token.ts";

const efforts: readonly string[] = ["low", "medium", "high", "xhigh", "max"];

/** Null passes: the model's own. Throws `invalid-option`. */
export function effortOf(effort: string | null): string | null {
  if (effort === null || efforts.includes(effort)) return effort;
  throw new MooringError("invalid-option", `The effort must be one of: ${efforts.join(", ")}.`);
}

/** Only planning changes what the agent is told; who may do what is decided by the host. */
export const agentMode = (mode: PermissionMode): string => (mode === "plan" ? "plan" : "default");

export type SettingsFacts = {
  readonly input: ConnectInput;
  readonly target: SessionTarget;
  readonly options: DriverOptions;
  /** `isKnown`: the agent has a transcript of it. */
  readonly place: Place & { readonly isKnown: boolean };
  /** The tool of the call that the process is to take up; null: there is none. */
  readonly takesUp: string | null;
};
/** Callbacks are beside it. */
type Settings = Omit<SdkOptions, "spawnClaudeCodeProcess" | "canUseTool" | "hooks">;

export function settingsFor(facts: SettingsFacts): Settings {
  const { input, target, options, place, takesUp } = facts;
  const effort = effortOf(target.effort);
  return {
    cwd: input.workspace,
    model: target.model,
    env: agentEnvironment(input, options, isOfServer(takesUp)),
    permissionMode: agentMode(target.permissionMode),
    settingSources: options.settingSources,
    settings: { cleanupPeriodDays: limits.transcriptDays },
    systemPrompt: systemPrompt(target.prompt),
    tools: [...toolNames, ...options.extraTools].filter((name) => !target.disabledTools.includes(name)),
    disallowedTools: target.disabledTools,
    mcpServers: target.mcpServers,
    mcpServersDelivery: "initialize",
    strictMcpConfig: true,
    includePartialMessages: true,
    forwardSubagentText: true,
    ...(effort === null ? {} : { effort }),
    ...conversation(place),
  };
}

/** A base of the host's own replaces Claude Code's prompt. */
function systemPrompt({ base, append }: SessionTarget["prompt"]): unknown {
  if (base !== null) return [base, append].filter((text) => text.trim() !== "").join("\n\n");
  return { type: "preset", preset: "claude_code", ...(append.trim() === "" ? {} : { append }) };
}

function conversation({ session, fork, isKnown }: SettingsFacts["place"]): Partial<SdkOptions> {
  if (isKnown) return { resume: session };
  if (fork === null) return { sessionId: session };
  return { resume: fork.from, forkSession: true, sessionId: session, resumeSessionAt: fork.anchor };
}
