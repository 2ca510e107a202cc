/** Rows and writes with everything a test does not care about filled in. */
import type { Store, Write } from "../../ports/store.ts";
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import type { SessionEvent, StoredEvent } from "../../protocol/events.ts";
import type { Epoch, SessionId, SessionNo } from "../../protocol/ids.ts";
import type { RuleRow } from "../../protocol/permission.ts";
import type {
  AgentRow,
  ApprovalRow,
  FileRow,
  InputRow,
  MessageRow,
  SessionRow,
  TurnRow,
  UsageRow,
} from "../../protocol/rows.ts";

/** A store under test. `flushes`: transactions begun. */
export type OpenedStore = Store & { readonly flushes: number };
export type OpenStore = () => Promise<OpenedStore>;

export const sessionRow = (id: SessionId, over: Partial<SessionRow> = {}): SessionRow => ({
  id,
  agentId: "agt_1",
  workspace: "/work",
  managed: false,
  title: null,
  externalId: null,
  permissionMode: null,
  parentId: null,
  leaf: null,
  driver: "fake",
  resumeToken: null,
  compacting: false,
  createdAt: 1_000,
  updatedAt: 1_000,
  removedAt: null,
  ...over,
});
export const agentRow = (id: string, over: Partial<AgentRow> = {}): AgentRow => ({
  id,
  name: id,
  driver: "fake",
  model: null,
  effort: null,
  instructions: null,
  permissionMode: "default",
  provider: {},
  mcpServers: {},
  disabledTools: [],
  rules: [{ effect: "allow", tool: "bash", pattern: "git *" }],
  alwaysAsk: ["mcp__*"],
  unattended: "deny",
  defaultDelivery: "steer",
  queueAfter: "hold",
  onInterrupted: "wait",
  onResumeFailed: "ask",
  driverOptions: { nested: [1, "two", null] },
  revision: 1,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...over,
});
export const inputRow = (id: string, over: Partial<InputRow> = {}): InputRow => ({
  id,
  input: {
    id,
    agentKey: "00000000-0000-4000-8000-000000000001",
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
  position: null,
  bodyHash: "h",
  createdAt: 1_000,
  updatedAt: 1_000,
  ...over,
});
export const turnRow = (id: string, no: number, over: Partial<TurnRow> = {}): TurnRow => ({
  id,
  no,
  origin: "user",
  inputId: null,
  status: "open",
  reason: null,
  message: null,
  model: null,
  startedAt: 1_000,
  endedAt: null,
  ...over,
});
export const messageRow = (id: string, over: Partial<MessageRow> = {}): MessageRow => ({
  id,
  parentId: null,
  kind: "message",
  role: "assistant",
  status: "open",
  ordinal: 1,
  turnId: "trn_1",
  inputId: null,
  parts: [],
  metadata: null,
  model: null,
  author: null,
  resumeToken: null,
  anchor: null,
  originId: null,
  label: null,
  timing: null,
  createdAt: 1_000,
  closedAt: null,
  ...over,
});
export const approvalRow = (id: string, sessionId: SessionId, over: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id,
  sessionId,
  turnId: "trn_1",
  messageId: null,
  toolCallId: "call_1",
  toolName: "shell",
  input: { command: "ls" },
  durable: true,
  asked: { because: "The mode asks.", category: "shell", paths: [], rule: { tool: "shell", pattern: "ls" } },
  how: null,
  answer: null,
  createdAt: 1_000,
  closedAt: null,
  ...over,
});
export const ruleRow = (id: string, over: Partial<RuleRow> = {}): RuleRow => ({
  id,
  scope: "host",
  sessionId: null,
  agentId: null,
  effect: "allow",
  tool: "bash",
  pattern: "git status",
  approvalId: null,
  createdAt: 1_000,
  by: "me",
  ...over,
});
export const fileRow = (id: string, over: Partial<FileRow> = {}): FileRow => ({
  id,
  hash: "a".repeat(64),
  name: "photo.png",
  mediaType: "image/png",
  size: 3,
  createdAt: 1_000,
  ...over,
});
export const usageRow = (requestId: string, sessionId: SessionId, over: Partial<UsageRow> = {}): UsageRow => ({
  sessionId,
  turnId: "trn_1",
  messageId: null,
  report: {
    requestId,
    model: "m",
    tokens: { input: 1, output: 2, reasoning: 3, cacheRead: 4, cacheWrite: 5 },
    timing: { firstTokenMs: 1.5, totalMs: null },
    cost: { amount: 0.25, currency: "USD" },
  },
  at: 1_000,
  ...over,
});

export const message = (row: MessageRow): Write => ({ write: "message", row });
export const closeMessage = (id: string, text = "done"): Write => ({
  write: "message-close",
  id,
  set: {
    status: "completed",
    parts: [{ type: "text", text }],
    metadata: { seen: true },
    resumeToken: "token",
    anchor: null,
    timing: { ms: 3 },
    closedAt: 2_000,
  },
});

/** One session and its owner, with shorthands for what happens in it. */
export class Owner {
  readonly store: OpenedStore;
  readonly id: SessionId;
  readonly no: SessionNo;
  readonly epoch: Epoch;

  constructor(store: OpenedStore, id: SessionId, no: SessionNo, epoch: Epoch) {
    this.store = store;
    this.id = id;
    this.no = no;
    this.epoch = epoch;
  }

  write(...writes: readonly Write[]): ReturnType<Store["write"]> {
    return this.store.write(this.no, this.epoch, writes);
  }

  event(event: { readonly type: SessionEvent["type"] } & Readonly<Record<string, unknown>>, at = 1_000): Write {
    return { write: "event", at, event: { sessionId: this.id, ...event } as SessionEvent };
  }

  notice(text: string, at = 1_000): Write {
    return this.event({ type: "notice", level: "info", code: "test", text }, at);
  }

  chunk(messageId: string, chunk: UIMessageChunk, at = 1_000): Write {
    return this.event({ type: "chunk", messageId, turnId: "trn_1", chunk }, at);
  }

  delta(messageId: string, delta: string, part = "0"): Write {
    return this.chunk(messageId, { type: "text-delta", id: part, delta });
  }

  opened(messageId: string, at = 1_000): Write {
    return this.event({ type: "message.opened", messageId, turnId: "trn_1", role: "assistant", parentId: null }, at);
  }

  closed(messageId: string, at = 1_000): Write {
    return this.event({ type: "message.closed", messageId, turnId: "trn_1", message: null }, at);
  }

  /** The whole journal. */
  journal(): Promise<readonly StoredEvent[]> {
    return this.store.events(this.no, 0, 1_000_000);
  }
}

export async function newOwner(store: OpenedStore, id: SessionId, over: Partial<SessionRow> = {}): Promise<Owner> {
  const no = await store.create(sessionRow(id, over));
  return new Owner(store, id, no, await store.claim(no));
}

/** Settles all; gives the code of each refusal and null for each success. */
export async function codes(promises: readonly Promise<unknown>[]): Promise<(string | null)[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((one) => (one.status === "fulfilled" ? null : codeOf(one.reason)));
}
const codeOf = (reason: unknown): string =>
  typeof reason === "object" && reason !== null && "code" in reason ? String(reason.code) : String(reason);
