/** Everything a driver is given when it connects, gathered at that moment. Disks are read here, and nowhere later. */
import type { ConnectInput, HistoryEntry, Policy, ToolCall } from "../../ports/driver.ts";
import type { SessionNo, TurnId } from "../../protocol/ids.ts";
import type { Effect } from "../../session/events.ts";
import type { ToolHookAnswer } from "../api.ts";
import { givenHistory, type Takes, takesOf } from "../files/given-parts.ts";
import type { HostContext } from "../host-context.ts";
import type { CallRecords } from "../permission/call-records.ts";
import { judgeCall, type ToolHook } from "../permission/judge-call.ts";
import { decisionOn } from "../permission/policy-decision.ts";
import { transcriptOf } from "../prompt/transcript.ts";
import { readWorkspaceText } from "../prompt/workspace-text.ts";
import type { Scribe } from "../sessions/scribe.ts";
import { childEnvironment, makeHome, remakeOwnWorkspace } from "./agent-home.ts";
import { within } from "./deadline.ts";
import { readHistory } from "./history.ts";
import type { NativeRewind } from "./native-rewind.ts";
import { ownToolsOf } from "./own-tools.ts";
import { driverOf, type SessionConfig } from "./session-config.ts";

export type ConnectOrder = Extract<Effect, { type: "connect" }>;
type ConnectFacts = {
  readonly context: HostContext;
  readonly session: SessionNo;
  readonly config: SessionConfig;
  readonly records: CallRecords;
  readonly rewind: NativeRewind;
  /** Of the incarnation that is loaded when it is asked. */
  scribe(): Scribe;
  /** False once the connection is closed or killed: then nothing is allowed any more. */
  alive(): boolean;
};

export async function connectInput(
  facts: ConnectFacts,
  order: ConnectOrder,
  waitingTurn: TurnId | null,
): Promise<ConnectInput> {
  const { context, config } = facts;
  const home = await makeHome(context.dataDir, config.row.agentId);
  await remakeOwnWorkspace(context.dataDir, config.row);
  const resumeToken = order.how === "token" ? await facts.rewind.token(facts, order) : null;
  const history = (): Promise<readonly HistoryEntry[]> => historyOf(facts, waitingTurn);
  config.tell({
    transcript: isTold(facts, order.how, resumeToken) ? transcriptOf(await history()) : null,
    workspace: loadsWorkspaceText(facts) ? [] : await readWorkspaceText(config.row.workspace),
  });
  const session = config.facts();
  const target = config.target();
  return {
    session,
    workspace: session.workspace,
    model: target.model,
    effort: target.effort,
    prompt: target.prompt,
    disabledTools: target.disabledTools,
    mcpServers: target.mcpServers,
    permissionMode: target.permissionMode,
    policy: policyOf(facts),
    credentials: session.credentials,
    resumeToken,
    history: async () => givenHistory(context.files, historyTakes(facts), await history()),
    waiting: waitingOf(order, waitingTurn),
    hooks: { beforeCompaction: () => askBeforeCompaction(facts) },
    steeringMode: () => context.hooks.steeringMode?.({ sessionId: config.row.id }) ?? "all",
    ownTools: () => (facts.alive() ? ownToolsOf(context, config.row) : []),
    env: childEnvironment(context.env, home),
    home,
  };
}
/**
 * Asked for; or a native session begins without any before it: what was said all the same was said elsewhere (a fork, an
 * import) or to an agent that never named its session.
 */
function isTold({ context, config }: ConnectFacts, how: ConnectOrder["how"], token: string | null): boolean {
  if (how !== "token") return how === "fresh-with-transcript";
  return token === null && driverOf(context, config.row.driver).capabilities.history === "native";
}
/** It reads the workspace's text itself: it is not told twice. */
const loadsWorkspaceText = ({ context, config }: ConnectFacts): boolean =>
  driverOf(context, config.row.driver).capabilities.workspaceText === true;
const historyTakes = ({ context, config: { row } }: ConnectFacts): Takes =>
  takesOf(context, row, driverOf(context, row.driver).capabilities.images);

function waitingOf(order: ConnectOrder, turnId: TurnId | null): ConnectInput["waiting"] {
  if (order.waiting === null || turnId === null) return null;
  const approvals = order.waiting.approvals.map(({ approval, toolCallId, toolName, input }) => ({
    approvalId: approval,
    toolCallId,
    toolName,
    input,
  }));
  return { turnId, approvals };
}
function historyOf({ context, session, scribe }: ConnectFacts, waitingTurn: TurnId | null) {
  const now = scribe();
  return readHistory({
    store: context.store,
    session,
    without: now.openTurns().filter((id) => id !== waitingTurn),
    openMessage: (id) => now.message(id),
  });
}

// --- what the driver may ask the host -----------------------------------------------------------------------------

function policyOf(facts: ConnectFacts): Policy {
  const hook = toolHook(facts);
  return {
    decide: async (call) => {
      if (!facts.alive()) return { deny: "The connection that asked is over." };
      const judgement = await judgeCall(call, () => facts.config.bounds(call.turnId), hook);
      if (!facts.alive()) return { deny: "The connection that asked is over." };
      return decisionOn(facts.records, call, judgement);
    },
  };
}
function toolHook({ context, config }: ConnectFacts): ToolHook | null {
  const { hooks, clock, log, limits } = context;
  if (!hooks.toolCall) return null;
  const late = { deny: "No decision was made in time." } as const;
  const patience = { clock, log, ms: limits.toolCallHookMs, what: "toolCall", otherwise: late };
  return ({ turnId, toolCallId, toolName, input }: ToolCall) =>
    within<ToolHookAnswer>(patience, async () => {
      return (await hooks.toolCall?.({ sessionId: config.row.id, turnId, toolCallId, toolName, input })) ?? "pass";
    });
}
async function askBeforeCompaction({ context, config }: ConnectFacts): Promise<"go" | "cancel"> {
  const { hooks, clock, log, limits } = context;
  if (!hooks.beforeCompaction) return "go";
  const patience = { clock, log, ms: limits.hookMs, what: "beforeCompaction", otherwise: "go" } as const;
  return within<"go" | "cancel">(patience, async () => {
    return (await hooks.beforeCompaction?.({ sessionId: config.row.id })) ?? "go";
  });
}
