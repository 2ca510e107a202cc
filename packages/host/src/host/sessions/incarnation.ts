/**
 * Reads a session that is to be loaded: takes its lease, then what is stored and not over, in the core's words
 * (`StoredFacts`) and in the scribe's (`ScribeSeed`). Everything comes from one lease, so nothing older can write after.
 */
import type { Store } from "../../ports/store.ts";
import type { SessionEvent } from "../../protocol/events.ts";
import { type Fold, foldChunk, liveParts, startFold } from "../../protocol/fold.ts";
import type { Epoch, MessageId, SessionNo, TurnId } from "../../protocol/ids.ts";
import type { Input } from "../../protocol/input.ts";
import type { InputRow, MessageRow, SessionRow, StoredSession, TurnRow } from "../../protocol/rows.ts";
import type { StoredFacts, StoredInput } from "../../session/stored-facts.ts";
import { noTokens } from "./scribe-rows.ts";
import type { OpenMessage, OpenTurn, ScribeSeed } from "./scribe-seed.ts";

/** Events read at once when open messages are folded. */
const replayPage = 1_000;

export type Incarnation = {
  readonly row: SessionRow;
  readonly epoch: Epoch;
  readonly facts: StoredFacts;
  readonly seed: ScribeSeed;
  /** Parents of the messages that waiting inputs branch from. */
  readonly parents: ReadonlyMap<MessageId, MessageId | null>;
};

/** `continuation`: what `onInterrupted: continue` submits if a turn turns out to be interrupted. */
export async function readIncarnation(
  store: Store,
  session: SessionNo,
  continuation: (row: SessionRow) => Input | null,
): Promise<Incarnation> {
  const epoch = await store.claim(session);
  const stored = await store.load(session);
  const folds = await foldOpen(store, session, stored);
  const turns = await Promise.all(stored.openTurns.map((turn) => openTurn(store, session, stored, folds, turn)));
  return {
    row: stored.session,
    epoch,
    facts: factsOf(stored, folds, stored.openTurns.length === 0 ? null : continuation(stored.session)),
    seed: seedOf(stored, folds, turns),
    parents: await parentsOf(store, session, stored.inputs),
  };
}

// --- open messages ------------------------------------------------------------------------------------------------

/** Folded again from the journal: a fold knows the ids of the parts that are still open, a stored message does not. */
async function foldOpen(
  store: Store,
  session: SessionNo,
  stored: StoredSession,
): Promise<ReadonlyMap<MessageId, Fold>> {
  const folds = new Map(stored.open.map(({ row }) => [row.id, startFold(row.id)]));
  if (folds.size === 0) return folds;
  for (let after = Math.min(...stored.open.map(({ opened }) => opened)) - 1; ; ) {
    const page = await store.events(session, after, replayPage);
    for (const { event } of page) foldInto(folds, event);
    const last = page.at(-1);
    if (last === undefined || page.length < replayPage) return folds;
    after = last.seq;
  }
}
function foldInto(folds: ReadonlyMap<MessageId, Fold>, event: SessionEvent): void {
  if (event.type !== "chunk") return;
  const fold = folds.get(event.messageId);
  if (fold) foldChunk(fold, event.chunk);
}
const openMessage = (row: MessageRow, fold: Fold): OpenMessage => ({
  id: row.id,
  parentId: row.parentId,
  turnId: row.turnId,
  createdAt: row.createdAt,
  fold,
  firstChunkAt: null,
  toolMs: null,
});
async function openTurn(
  store: Store,
  session: SessionNo,
  stored: StoredSession,
  folds: ReadonlyMap<MessageId, Fold>,
  turn: TurnRow,
): Promise<OpenTurn> {
  const row = stored.open.find((open) => open.row.kind === "message" && open.row.turnId === turn.id)?.row;
  const fold = row && folds.get(row.id);
  return {
    id: turn.id,
    no: turn.no,
    startedAt: turn.startedAt,
    model: turn.model,
    input: stored.inputs.find((input) => input.id === turn.inputId)?.input ?? null,
    messages: new Map(row?.ordinal == null ? [] : [[row.ordinal, row.id]]),
    open: row && fold ? openMessage(row, fold) : null,
    tokens: (await store.query.turnUsage(session, turn.id)) ?? noTokens,
    requests: new Set(),
  };
}

// --- in the core's words ------------------------------------------------------------------------------------------

function factsOf(stored: StoredSession, folds: ReadonlyMap<MessageId, Fold>, continuation: Input | null): StoredFacts {
  const numbers = new Map(stored.openTurns.map((turn) => [turn.id, turn.no]));
  const noOf = (id: TurnId | null): number | null => (id === null ? null : (numbers.get(id) ?? null));
  return {
    inputs: stored.inputs.map((row) => storedInput(row, noOf(row.turnId))),
    openTurns: stored.openTurns.map(({ no, inputId, status }) => ({
      no,
      input: inputId,
      waiting: status === "waiting",
    })),
    openMessages: stored.open.flatMap(({ row }) => {
      const [turn, fold] = [noOf(row.turnId), folds.get(row.id)];
      if (row.kind !== "message" || turn === null || row.ordinal === null || !fold) return [];
      return [{ turn, message: row.ordinal, live: liveOf(fold), written: fold.message.parts.length > 0 }];
    }),
    openFlows: stored.open.flatMap(({ row }) => {
      const fold = folds.get(row.id);
      return row.kind === "flow" && row.ordinal !== null && fold ? [{ flow: row.ordinal, live: liveOf(fold) }] : [];
    }),
    openApprovals: stored.openApprovals.map((row) => ({
      request: {
        approval: row.id,
        toolCallId: row.toolCallId,
        toolName: row.toolName,
        input: row.input,
        durable: row.durable,
      },
      turn: noOf(row.turnId),
    })),
    lastTurn: stored.lastTurn,
    lastFlow: stored.lastFlow,
    compacting: stored.session.compacting,
    token: stored.session.resumeToken,
    continuation,
  };
}
const storedInput = (row: InputRow, turn: number | null): StoredInput => ({
  input: row.input,
  state: row.state,
  reason: row.reason,
  turn,
  told: row.messageId !== null,
});
function liveOf(fold: Fold): StoredFacts["openMessages"][number]["live"] {
  const { texts, tools } = liveParts(fold);
  return { texts, tools: tools.map((tool) => tool.toolCallId) };
}

// --- in the scribe's words ----------------------------------------------------------------------------------------

function seedOf(stored: StoredSession, folds: ReadonlyMap<MessageId, Fold>, turns: readonly OpenTurn[]): ScribeSeed {
  const waiting = stored.inputs.filter((row) => row.position !== null);
  return {
    leaf: stored.session.leaf,
    lastPosition: Math.max(-1, ...waiting.map((row) => row.position ?? -1)),
    inputs: stored.inputs.map((row) => row.input),
    waiting: waiting.map((row) => row.id),
    turns,
    flows: stored.open.flatMap(({ row }) => {
      const fold = folds.get(row.id);
      return row.kind === "flow" && row.ordinal !== null && fold
        ? [[row.ordinal, openMessage(row, fold)] as const]
        : [];
    }),
    approvals: stored.openApprovals.map((row) => [row.id, row.turnId] as const),
  };
}
async function parentsOf(
  store: Store,
  session: SessionNo,
  inputs: readonly InputRow[],
): Promise<ReadonlyMap<MessageId, MessageId | null>> {
  const named = inputs.flatMap(({ input }) => (input.branch === null ? [] : [input.branch.messageId]));
  const found = await Promise.all(named.map((id) => store.query.message(session, id)));
  return new Map(found.flatMap((row) => (row === null ? [] : [[row.id, row.parentId] as const])));
}
