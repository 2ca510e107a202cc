/**
 * Words of permission: modes, rules and what was decided about a call. Types and constants only; the engine that
 * decides is `host/permission`, the user's guide `docs/permissions.md`.
 */
import type { AgentId, ApprovalId, Millis, RuleId, SessionId } from "./ids.ts";

/** The order of trust. A move down binds the next tool call, a move up the next turn. */
export type PermissionMode = "plan" | "default" | "acceptEdits" | "bypassPermissions";
export const permissionModes: readonly PermissionMode[] = ["plan", "default", "acceptEdits", "bypassPermissions"];

/** What a tool does, as its driver says. */
export type ToolCategory = "read" | "write" | "shell" | "network" | "other";
export const toolCategories: readonly ToolCategory[] = ["read", "write", "shell", "network", "other"];

export type RuleEffect = "allow" | "ask" | "deny";
/** Where a rule holds: in one session, in every session of one agent, in every session of the host. */
export type RuleScope = "session" | "agent" | "host";
/** What an answer decides beside its call: nothing more (`once`), or the same call from now on. */
export type AnswerScope = "once" | RuleScope;

/** Which calls a rule is about; written `tool(pattern)`, or `tool` alone for every call. */
export type RuleTarget = {
  /** A tool's name, in any case of letters; `*` in it stands for anything. `@write`: every tool of that category. */
  readonly tool: string;
  /**
   * Null: every call. Else of a shell tool the command, of one that names files the path relative to the workspace, of
   * one with a `url` that, of any other its input as JSON. `*` stands for anything (in a path: inside one segment, `**`
   * for any segments), `\*` for a star, `\\` for a backslash.
   */
  readonly pattern: string | null;
};
/** A rule of an agent's configuration. */
export type AgentRule = { readonly effect: RuleEffect; readonly tool: string; readonly pattern?: string | null };
/** A stored rule. A session's goes with its session, an agent's with its agent. */
export type RuleRow = RuleTarget & {
  readonly id: RuleId;
  readonly scope: RuleScope;
  readonly sessionId: SessionId | null; // of scope `session`
  readonly agentId: AgentId | null; // of scope `agent`
  readonly effect: RuleEffect;
  /** The question whose answer made it; null: it was added by itself. */
  readonly approvalId: ApprovalId | null;
  readonly createdAt: Millis;
  readonly by: string; // who made it
};

/** Why a person was asked, and what is known of the call. */
export type Asked = {
  /** For people: which rule or mode asked. */
  readonly because: string;
  readonly category: ToolCategory;
  /** Absolute, links resolved: what the call would touch, as far as its driver knows. */
  readonly paths: readonly string[];
  /** What an answer with a scope makes a rule of: this call and no other. Null: it can be answered once only. */
  readonly rule: RuleTarget | null;
  /** The tool is a question in itself: no mode and no rule answers it. */
  readonly needsPerson?: boolean;
};
