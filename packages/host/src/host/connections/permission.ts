/**
 * Whether a tool call may run, asked at call time, every call, for every driver. Invariants: a disabled tool and a path
 * outside workspace and agent data are refused in every mode; a turn never gets more than the mode it started with, and
 * never more than the mode of now; only a person lifts `ask`.
 */
import type { PolicyDecision, ToolCall } from "../../ports/driver.ts";
import { type PermissionMode, permissionModes } from "../../protocol/permission.ts";
import { firstOutside } from "./containment.ts";

/** What a decision needs to know of the session at this moment. */
export type Grants = {
  /** Of the session now. */
  readonly mode: PermissionMode;
  /** When the call's turn started; null: the call belongs to no turn of a person. */
  readonly turnMode: PermissionMode | null;
  readonly disabledTools: readonly string[];
  /** Directories a call may touch: the workspace and the agent's own data. */
  readonly directories: readonly string[];
};
/** The embedder's word on a call: it may tighten, never loosen. */
export type ToolHook = (call: ToolCall) => Promise<"pass" | "ask" | { readonly deny: string }>;

type Rule = "allow" | "ask" | "deny";
type Category = ToolCall["category"];
const table: { readonly [Mode in PermissionMode]: { readonly [C in Category]: Rule } } = {
  plan: { read: "allow", write: "deny", shell: "deny", network: "ask", other: "deny" },
  default: { read: "allow", write: "ask", shell: "ask", network: "ask", other: "ask" },
  acceptEdits: { read: "allow", write: "allow", shell: "ask", network: "ask", other: "ask" },
  bypassPermissions: { read: "allow", write: "allow", shell: "allow", network: "allow", other: "allow" },
};

export const stricter = (a: PermissionMode, b: PermissionMode): PermissionMode =>
  permissionModes.indexOf(a) <= permissionModes.indexOf(b) ? a : b;

export async function decide(call: ToolCall, grants: () => Grants, hook: ToolHook | null): Promise<PolicyDecision> {
  const refusal = await refusalOf(call, grants());
  if (refusal !== null) return { deny: refusal };
  const said = hook === null ? "pass" : await hook(call);
  if (typeof said === "object") return said;
  return judge(call, grants(), said); // the mode may have moved while the hook thought
}
async function refusalOf(call: ToolCall, now: Grants): Promise<string | null> {
  if (now.disabledTools.includes(call.toolName)) return `The tool "${call.toolName}" is disabled for this agent.`;
  const outside = await firstOutside(call.paths, now.directories);
  return outside === null ? null : `"${outside}" is outside the workspace.`;
}
function judge(call: ToolCall, now: Grants, said: "pass" | "ask"): PolicyDecision {
  if (now.disabledTools.includes(call.toolName))
    return { deny: `The tool "${call.toolName}" is disabled for this agent.` };
  const mode = now.turnMode === null ? now.mode : stricter(now.turnMode, now.mode);
  const rule = table[mode][call.category];
  if (rule === "deny") return { deny: `The session is in mode "${mode}", which changes nothing. Propose it instead.` };
  return said === "ask" ? "ask" : rule;
}
