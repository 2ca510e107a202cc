/**
 * The driver contract's events in the core's words. Invariants: nothing a driver says makes this throw; what it does
 * not understand becomes `unknown`, which the core counts as a violation of the contract; every text in it is well-formed.
 */
import type { AgentRuntimeEvent } from "../../ports/driver.ts";
import type { AgentEvent, AgentNote, ApprovalRequest } from "../../protocol/agent-events.ts";
import { carriable } from "../../protocol/carriable.ts";
import type { ConnectionNo, Generation, TurnId } from "../../protocol/ids.ts";
import { cutTitle } from "../calls/title.ts";

type Of<T extends AgentRuntimeEvent["type"]> = Extract<AgentRuntimeEvent, { type: T }>;
export type Stamp = {
  readonly connection: ConnectionNo;
  generationOf(turn: TurnId): Generation;
  /** Takes secrets out of text that people will read. */
  clean(text: string): string;
};
type Table = {
  readonly [T in AgentRuntimeEvent["type"]]: {
    /** Keys that must be there, with the type they must have. */
    readonly needs: Readonly<Record<string, "string" | "number" | "boolean" | "object" | "list">>;
    readonly say: (event: Of<T>, stamp: Stamp) => AgentEvent;
  };
};
const ofTurn = (event: { readonly turnId: TurnId }, stamp: Stamp) => ({
  connection: stamp.connection,
  generation: stamp.generationOf(event.turnId),
});
const note = (value: AgentNote, { connection }: Stamp): AgentEvent => ({ type: "note", connection, note: value });

const table: Table = {
  chunk: {
    needs: { turnId: "string", chunk: "object" },
    say: (e, s) => ({ type: "chunk", ...ofTurn(e, s), chunk: e.chunk }),
  },
  "steer-boundary": {
    needs: { turnId: "string", taken: "list" },
    say: (e, s) => ({ type: "steer-boundary", ...ofTurn(e, s), taken: e.taken }),
  },
  "steer-undelivered": {
    needs: { turnId: "string", inputs: "list" },
    say: (e, s) => ({ type: "steer-undelivered", ...ofTurn(e, s), inputs: e.inputs }),
  },
  "turn-complete": {
    needs: { turnId: "string", outcome: "string", answered: "list" },
    say: (e, s) => ({
      type: "turn-complete",
      ...ofTurn(e, s),
      outcome: e.outcome,
      answered: e.answered,
      anchor: e.anchor ?? null,
    }),
  },
  error: {
    needs: { turnId: "string", code: "string", message: "string" },
    say: (e, s) => ({ type: "agent-error", ...ofTurn(e, s), code: e.code, message: s.clean(e.message) }),
  },
  "part-abandoned": {
    needs: { turnId: "string", part: "string", reason: "string" },
    say: (e, s) => ({ type: "part-abandoned", ...ofTurn(e, s), part: e.part, reason: e.reason }),
  },
  "autonomous-turn-state": {
    needs: { turnId: "string", state: "string", origin: "string" },
    say: (e, s) =>
      e.state === "started"
        ? { type: "autonomous-started", ...ofTurn(e, s), origin: e.origin, input: e.inputId ?? null }
        : { type: "autonomous-finished", ...ofTurn(e, s) },
  },
  "tool-approval-request": {
    needs: { approvalId: "string", toolCallId: "string", toolName: "string", durable: "boolean" },
    say: (e, s) => {
      const request = requestOf(e);
      if (e.turnId === undefined) return { type: "loose-approval-request", connection: s.connection, request };
      return { type: "approval-request", ...ofTurn({ turnId: e.turnId }, s), request };
    },
  },
  "approval-withdrawn": {
    needs: { approvalId: "string", reason: "string" },
    say: (e, { connection }) => ({
      type: "approval-withdrawn",
      connection,
      approval: e.approvalId,
      reason: e.reason,
    }),
  },
  "resume-token": {
    needs: { token: "string" },
    say: (e, { connection }) => ({ type: "resume-token", connection, token: e.token }),
  },
  usage: {
    needs: { usage: "object" },
    say: (e, s) =>
      e.turnId === undefined
        ? { type: "loose-usage", connection: s.connection, usage: e.usage }
        : { type: "usage", ...ofTurn({ turnId: e.turnId }, s), usage: e.usage },
  },
  "tool-timing": {
    needs: { toolCallId: "string", durationMs: "number" },
    say: (e, s) => note({ kind: "tool-timing", toolCallId: e.toolCallId, durationMs: e.durationMs }, s),
  },
  "context-usage": { needs: { usage: "object" }, say: (e, s) => note({ kind: "context", usage: e.usage }, s) },
  "compaction-start": {
    needs: { trigger: "string" },
    say: (e, { connection }) => ({ type: "compaction-start", connection, trigger: e.trigger }),
  },
  "compaction-complete": {
    needs: {},
    say: (e, { connection }) => ({ type: "compaction-complete", connection, done: e.done ?? null }),
  },
  "compaction-error": {
    needs: { message: "string" },
    say: (e, s) => ({ type: "compaction-error", connection: s.connection, message: s.clean(e.message) }),
  },
  "api-retry": {
    needs: { attempt: "number", maxAttempts: "number", delayMs: "number", message: "string" },
    say: ({ attempt, maxAttempts, delayMs, status, message }, s) =>
      note({ kind: "retry", attempt, maxAttempts, delayMs, status: status ?? null, message: s.clean(message) }, s),
  },
  "supported-commands": { needs: {}, say: (e, s) => note({ kind: "commands", commands: e.commands }, s) },
  "background-tasks": { needs: {}, say: (e, s) => note({ kind: "background", data: { tasks: e.tasks } }, s) },
  "background-work-state": {
    needs: { active: "boolean" },
    say: (e, { connection }) => ({
      type: "background-work",
      connection,
      active: e.active,
      awaitingReply: e.awaitingReply ?? e.active,
    }),
  },
  "background-task-event": {
    needs: { taskId: "string" },
    say: (e, s) => note({ kind: "background", data: { taskId: e.taskId, event: e.data } }, s),
  },
  "background-flow-chunk": {
    needs: { rootToolCallId: "string", chunk: "object" },
    say: (e, { connection }) => ({ type: "flow-chunk", connection, root: e.rootToolCallId, chunk: e.chunk }),
  },
  "config-changed": {
    needs: {},
    say: (e, s) => note({ kind: "config", model: e.model ?? null, permissionMode: e.permissionMode ?? null }, s),
  },
  title: { needs: { title: "string" }, say: (e, s) => note({ kind: "title", title: cutTitle(e.title) }, s) },
  notice: {
    needs: { level: "string", code: "string", text: "string" },
    say: ({ level, code, text }, s) => note({ kind: "notice", level, code, text: s.clean(text) }, s),
  },
};
const requestOf = (e: Of<"tool-approval-request">): ApprovalRequest => ({
  approval: e.approvalId,
  toolCallId: e.toolCallId,
  toolName: e.toolName,
  input: e.input,
  durable: e.durable,
});

export function toAgentEvent(event: AgentRuntimeEvent, stamp: Stamp): AgentEvent {
  const unknown = (name: string): AgentEvent => ({ type: "unknown", connection: stamp.connection, name });
  try {
    const type: unknown = event.type;
    if (typeof type !== "string" || !Object.hasOwn(table, type)) return unknown(String(type).slice(0, 100));
    const row = table[event.type];
    if (!fits(event, row.needs)) return unknown(`malformed:${type}`);
    // Each row takes just the events of its own key, which tsc cannot follow through the lookup.
    return (row.say as (event: AgentRuntimeEvent, stamp: Stamp) => AgentEvent)(carriable(event), stamp);
  } catch {
    return unknown("malformed");
  }
}
function fits(event: AgentRuntimeEvent, needs: Readonly<Record<string, string>>): boolean {
  const fields: Readonly<Record<string, unknown>> = event;
  for (const key in needs) {
    const value = fields[key];
    if (needs[key] === "list") {
      if (!Array.isArray(value)) return false;
    } else if (value === null || typeof value !== needs[key]) return false;
  }
  return needs["chunk"] === undefined || isChunk(fields["chunk"]);
}
const isChunk = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
