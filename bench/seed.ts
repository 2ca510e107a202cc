/** Databases as hosts leave them, written through the store alone: making them through a host takes too long. */
import type { UIMessageChunk } from "@mooring/host/driver";
import { systemIds } from "../packages/host/src/host/system-ids.ts";
import { type Fold, foldChunk, snapshot, startFold } from "../packages/host/src/protocol/fold.ts";
import {
  agentRow,
  closeMessage,
  inputRow,
  message,
  messageRow,
  sessionRow,
  turnRow,
} from "../packages/host/src/stores/contract/fixtures.ts";
import type { BenchStore } from "./bench-host.ts";

type Write = Parameters<BenchStore["write"]>[2][number];
type EventWrite = Extract<Write, { write: "event" }>;
export type TurnIds = { readonly sessionId: string; readonly turnId: string; readonly messageId: string };

/** The agent of every session made here; its driver is the fake one. */
export const seedAgent = (store: BenchStore): Promise<void> =>
  store.change([{ write: "agent", row: agentRow("agt_1", { name: "bench", model: "m1" }) }]);

let part = 0;
/** One piece of text of the open message. Part ids alternate, so that two in a row are not merged. */
export const chunkWrite = (ids: TurnIds, delta: string): EventWrite =>
  chunkEvent(ids, { type: "text-delta", id: part++ % 2 === 0 ? "a" : "b", delta });

export const chunkEvent = (ids: TurnIds, chunk: UIMessageChunk): EventWrite => ({
  write: "event",
  at: Date.now(),
  event: { type: "chunk", ...ids, chunk },
});

/** Sessions in the middle of their first turn; `chunks`: what their agents have said. */
export async function seedOpenTurns(
  store: BenchStore,
  count: number,
  chunks: readonly UIMessageChunk[] = [],
): Promise<readonly TurnIds[]> {
  return Promise.all(Array.from({ length: count }, () => seedOpenTurn(store, chunks)));
}

async function seedOpenTurn(store: BenchStore, chunks: readonly UIMessageChunk[]): Promise<TurnIds> {
  const sessionId = systemIds.make("ses");
  const { ids, writes } = beginning(sessionId, 1, null);
  const said = chunks.map((chunk) => chunkEvent(ids, chunk));
  await store.create(sessionRow(sessionId), [...writes, ...said, leafAt(ids.messageId)]);
  return ids;
}

/** `journal`: the events of those turns have not been folded away. */
type Past = { readonly turns: number; readonly chunks: readonly UIMessageChunk[]; readonly journal: boolean };

/** Ids of sessions at rest, each with finished turns that said `chunks`. */
export async function seedIdleSessions(store: BenchStore, count: number, past: Past): Promise<readonly string[]> {
  const fold = startFold("");
  for (const chunk of past.chunks) foldChunk(fold, chunk);
  const seed = async (): Promise<string> => {
    const id = systemIds.make("ses");
    await store.create(sessionRow(id), pastOf(id, past, fold));
    return id;
  };
  return Promise.all(Array.from({ length: count }, seed));
}

function pastOf(sessionId: string, { turns, chunks, journal }: Past, fold: Fold): readonly Write[] {
  const all: Write[] = [];
  let parent: string | null = null;
  for (let turn = 1; turn <= turns; turn++) {
    const { writes, leaf } = finishedTurn(sessionId, turn, parent, journal ? chunks : [], fold);
    for (const write of writes) all.push(write);
    parent = leaf;
  }
  return all;
}

function finishedTurn(
  sessionId: string,
  no: number,
  parent: string | null,
  chunks: readonly UIMessageChunk[],
  fold: Fold,
): { readonly writes: readonly Write[]; readonly leaf: string } {
  const { ids, inputId, writes } = beginning(sessionId, no, parent);
  const { messageId, turnId } = ids;
  const closed = closeMessage(messageId);
  const { parts } = snapshot(fold);
  const ending: readonly Write[] = [
    closed.write === "message-close" ? { ...closed, set: { ...closed.set, parts } } : closed,
    event({ type: "message.closed", sessionId, messageId, turnId, message: null }),
    { write: "turn-set", id: turnId, set: { status: "completed", endedAt: Date.now() } },
    { write: "input-set", id: inputId, set: { state: "answered" } },
    leafAt(messageId),
  ];
  return { writes: [...writes, ...chunks.map((chunk) => chunkEvent(ids, chunk)), ...ending], leaf: messageId };
}

/** Rows and events up to the open assistant message. */
function beginning(
  sessionId: string,
  no: number,
  parent: string | null,
): { readonly ids: TurnIds; readonly inputId: string; readonly writes: readonly Write[] } {
  const [turnId, inputId] = [systemIds.make("trn"), systemIds.make("inp")];
  const [asked, messageId] = [systemIds.make("msg"), systemIds.make("msg")];
  const parts = [{ type: "text", text: "Please look at it and tell me what you think." } as const];
  const of = { turnId, inputId };
  const writes: readonly Write[] = [
    { write: "input", row: inputRow(inputId, { state: "started", turnId, messageId: asked }) },
    event({ type: "input.accepted", sessionId, inputId, parts, author: null }),
    { write: "turn", row: turnRow(turnId, no, { inputId, startedAt: Date.now() }) },
    event({ type: "turn.started", sessionId, turnId, origin: "user", inputId }),
    message(messageRow(asked, { ...of, parentId: parent, role: "user", status: "completed", ordinal: null, parts })),
    event({ type: "message.closed", sessionId, messageId: asked, turnId, message: null }),
    message(messageRow(messageId, { parentId: asked, turnId })),
    event({ type: "message.opened", sessionId, messageId, turnId, role: "assistant", parentId: asked }),
  ];
  return { ids: { sessionId, turnId, messageId }, inputId, writes };
}

const event = (said: EventWrite["event"]): EventWrite => ({ write: "event", at: Date.now(), event: said });
const leafAt = (leaf: string): Write => ({ write: "session", set: { leaf } });
