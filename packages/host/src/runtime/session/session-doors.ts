/**
 * The host's hook points as handlers of one session. Invariants: a session that is closed lets no tool call pass and adds
 * nothing; the gate of a tool call fails closed; a run's last handlers are called when all of it was told.
 */
import { isDeepStrictEqual } from "node:util";
import { messageOf, type Part, type ToolHookAnswer } from "../../index.ts";
import type { ExtensionRunner } from "../extensions/extension-runner.ts";
import type { SessionDoors } from "../hosting/hook-router.ts";
import type { Admissions } from "./admissions.ts";
import type { CompactionTeller } from "./compaction-teller.ts";
import type { LoopTeller } from "./loop-teller.ts";
import type { QueueModes } from "./queue-modes.ts";
import type { TurnGates } from "./turn-gates.ts";
import { customParts, textOf } from "./user-parts.ts";

/** What the doors lead to. */
type Room = {
  readonly closed: boolean;
  readonly hasQueued: boolean;
  readonly parts: { readonly runner: ExtensionRunner; readonly queueModes: QueueModes };
  readonly admissions: Admissions;
  readonly gates: TurnGates;
  readonly loop: LoopTeller;
  readonly compaction: CompactionTeller;
  caughtUp(): Promise<void>;
  inOrder(work: () => Promise<void>): Promise<void>;
};

export function sessionDoors(room: Room): SessionDoors {
  return {
    admit: async (call) => (room.closed ? { do: "pass" } : room.admissions.door(call)),
    beforeTurn: (call) => beforeTurn(room, call),
    toolCall: (call) => toolCall(room, call),
    beforeSettle: ({ turnId }) => beforeSettle(room, turnId),
    beforeCompaction: () => beforeCompaction(room),
    steeringMode: () => room.parts.queueModes.steering,
    ownTools: () => (room.closed ? [] : room.parts.runner.tools),
  };
}
type Call<Name extends keyof SessionDoors> = Parameters<SessionDoors[Name]>[0];

async function beforeTurn(room: Room, { turnId, parts }: Call<"beforeTurn">) {
  const { runner } = room.parts;
  const context: Part[] = [];
  try {
    if (!room.closed && runner.has("before_agent_start"))
      await runner.ask("before_agent_start", { type: "before_agent_start", prompt: textOf(parts) }, ({ message }) => {
        if (message) context.push(...customParts(message));
        return false;
      });
  } finally {
    room.gates.open(turnId);
  }
  return context.length === 0 ? undefined : { context };
}
/** The handlers get a copy of the input, which they may change: the call goes on with what is left of it. */
async function toolCall(room: Room, call: Call<"toolCall">): Promise<ToolHookAnswer> {
  const { runner } = room.parts;
  if (room.closed) return { deny: "The session is closed." };
  if (!runner.has("tool_call")) return "pass";
  const { toolName, toolCallId, input } = call;
  const event = { type: "tool_call", toolName, toolCallId, input: fields(structuredClone(input)) } as const;
  let deny: string | null = null;
  try {
    const take = ({ block, reason }: { readonly block?: boolean; readonly reason?: string }): boolean => {
      if (block === true) deny = reason ?? "Blocked by an extension.";
      return block === true;
    };
    await runner.ask("tool_call", event, take, "throw");
    // Through JSON, as it is stored and told.
    if (deny === null && !isDeepStrictEqual(event.input, input)) return { input: asJson(event.input) };
  } catch (cause) {
    deny = messageOf(cause);
    runner.report("<tool_call>", "tool_call", cause);
  }
  return deny === null ? "pass" : { deny };
}
const fields = (input: unknown): Record<string, unknown> =>
  typeof input === "object" && input !== null ? { ...input } : {};
const asJson = (input: unknown): unknown => JSON.parse(JSON.stringify(input));
async function beforeSettle(room: Room, turnId: string) {
  const { runner } = room.parts;
  if (room.closed) return undefined;
  await room.caughtUp();
  await room.inOrder(() => room.loop.end(turnId, null));
  if (room.closed || room.hasQueued || !runner.has("agent_before_settle")) return undefined;
  const continueWith: Part[] = [];
  await runner.ask("agent_before_settle", { type: "agent_before_settle" }, (result) => {
    if (result.continue === true) continueWith.push(...(result.entries ?? []).flatMap(customParts));
    return false;
  });
  return continueWith.length === 0 ? undefined : { continueWith };
}
async function beforeCompaction(room: Room): Promise<"go" | "cancel"> {
  const { runner } = room.parts;
  let cancelled = false;
  if (!room.closed && runner.has("session_before_compact"))
    await runner.ask("session_before_compact", { type: "session_before_compact" }, ({ cancel }) => {
      cancelled = cancel === true;
      return cancelled;
    });
  if (!cancelled) return "go";
  room.compaction.cancel();
  return "cancel";
}
