/**
 * One session as a viewer sees it: a value, made from a page of messages and the session's events in their order.
 * Invariants: what is shown is what was heard; an event applied again changes nothing that a later one has not changed
 * back; lists of notes are bounded.
 */
import type {
  ApprovalId,
  ApprovalRow,
  InputId,
  InputRow,
  MessageId,
  Millis,
  Outcome,
  Part,
  SessionRow,
  StoredMessage,
  TokenUsage,
  TurnId,
} from "@mooring/host/protocol";

/** A turn that runs or waits for a person. */
export type LiveTurn = { readonly id: TurnId; readonly status: "open" | "waiting"; readonly startedAt: Millis };
export type SettledTurn = {
  readonly outcome: Outcome;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly usage: TokenUsage;
  /** Null: not read yet. */
  readonly cost: readonly { readonly currency: string; readonly amount: number }[] | null;
  readonly durationMs: number;
};
/** An input that has not ended. `place`: in the waiting list; null: the agent has it. */
export type LiveInput = {
  readonly id: InputId;
  readonly parts: readonly Part[];
  readonly state: InputRow["state"];
  readonly reason: InputRow["reason"];
};
/** Something the host or the agent said beside the conversation. */
export type Note = {
  readonly key: string;
  readonly turnId: TurnId | null;
  readonly kind: "notice" | "retry" | "compaction";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
};

export type SessionView = {
  readonly session: SessionRow | null;
  /** The branch shown, oldest first; the open message is the last one, as far as it was heard. */
  readonly messages: readonly StoredMessage[];
  /** Before the first message there are more: pass it as `before`. */
  readonly older: MessageId | null;
  /** What works under a tool call, by the call. */
  readonly flows: ReadonlyMap<string, readonly StoredMessage[]>;
  readonly turn: LiveTurn | null;
  readonly turns: ReadonlyMap<TurnId, SettledTurn>;
  readonly inputs: ReadonlyMap<InputId, LiveInput>;
  /** The waiting list, first to last. */
  readonly order: readonly InputId[];
  readonly approvals: ReadonlyMap<ApprovalId, ApprovalRow>;
  readonly notes: readonly Note[];
  readonly context: { readonly used: number; readonly window: number } | null;
};

/** Notes kept of one session. */
export const mostNotes = 50;
/** Settled turns kept: those of the messages a person scrolls through. */
export const mostTurns = 2_000;

export const emptyView: SessionView = {
  session: null,
  messages: [],
  older: null,
  flows: new Map(),
  turn: null,
  turns: new Map(),
  inputs: new Map(),
  order: [],
  approvals: new Map(),
  notes: [],
  context: null,
};

export const isBusy = (view: SessionView): boolean => view.turn !== null;
/** Inputs that wait for their turn, first to last. */
export const waitingInputs = (view: SessionView): readonly LiveInput[] =>
  view.order.flatMap((id) => {
    const input = view.inputs.get(id);
    return input && (input.state === "queued" || input.state === "held") ? [input] : [];
  });
/** Steers the agent was offered and has not taken. */
export const offeredInputs = (view: SessionView): readonly LiveInput[] =>
  [...view.inputs.values()].filter(({ state }) => state === "offered");

export function put<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  value: Value,
  most = Number.POSITIVE_INFINITY,
): ReadonlyMap<Key, Value> {
  const next = new Map(map).set(key, value);
  for (const oldest of next.keys()) {
    if (next.size <= most) break;
    next.delete(oldest);
  }
  return next;
}
export function drop<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): ReadonlyMap<Key, Value> {
  if (!map.has(key)) return map;
  const next = new Map(map);
  next.delete(key);
  return next;
}
