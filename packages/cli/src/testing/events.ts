/** Events and snapshots as a session delivers them, short to write. */
import type { ApprovalRow, DeliveredEvent, InputRow, SessionEvent, Snapshot, TurnRow } from "@mooring/host";

type Shared = "sessionId";
type Bare<E> = E extends SessionEvent ? Omit<E, Shared> : never;
type Chunk = Extract<SessionEvent, { type: "chunk" }>["chunk"];

export const usage = { input: 1_200, output: 34, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

/** `at`: ms since the epoch. */
export function delivered(event: Bare<SessionEvent>, at = 0): DeliveredEvent {
  // Every member of the union has the session's id.
  return { cursor: "c", seq: 1, at, event: { ...event, sessionId: "ses_1" } as SessionEvent };
}
export const chunk = (content: Chunk, at = 0, messageId = "msg_1"): DeliveredEvent =>
  delivered({ type: "chunk", messageId, chunk: content }, at);

export function snapshot(over: Partial<Snapshot> = {}): Snapshot {
  return {
    type: "snapshot",
    sessionId: "ses_1",
    cursor: "c",
    session: {
      id: "ses_1",
      agentId: "agt_1",
      workspace: "/w",
      managed: false,
      title: null,
      externalId: null,
      permissionMode: null,
      parentId: null,
      leaf: null,
      driver: "loop",
      resumeToken: null,
      compacting: false,
      createdAt: 0,
      updatedAt: 0,
      removedAt: null,
    },
    turn: null,
    open: [],
    inputs: [],
    approvals: [],
    older: null,
    replay: null,
    ...over,
  };
}

export const turnRow = (over: Partial<TurnRow> = {}): TurnRow => ({
  id: "trn_1",
  no: 1,
  origin: "user",
  inputId: "inp_1",
  status: "open",
  reason: null,
  message: null,
  model: null,
  startedAt: 0,
  endedAt: null,
  ...over,
});

export const approvalRow = (over: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id: "apr_1",
  sessionId: "ses_1",
  turnId: "trn_1",
  messageId: "msg_1",
  toolCallId: "call_1",
  toolName: "bash",
  input: { command: "ls" },
  durable: true,
  asked: null,
  how: null,
  answer: null,
  createdAt: 0,
  closedAt: null,
  ...over,
});

export const inputRow = (over: Partial<InputRow> = {}): InputRow => ({
  id: "inp_1",
  input: {
    id: "inp_1",
    agentKey: "k",
    delivery: "queue",
    parts: [{ type: "text", text: "do it" }],
    model: null,
    effort: null,
    headless: false,
    branch: null,
    author: null,
    origin: "user",
  },
  state: "queued",
  reason: null,
  turnId: null,
  messageId: null,
  position: 0,
  bodyHash: "h",
  createdAt: 0,
  updatedAt: 0,
  ...over,
});
