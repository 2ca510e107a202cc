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
export type OpenTurn = TurnIds & { readonly no: number; readonly epoch: number };

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
): Promise<readonly OpenTurn[]> {
  return Promise.all(Array.from({ length: count }, () => seedOpenTurn(store, chunks)));
}

async function seedOpenTurn(store: BenchStore, chunks: readonly UIMessageChunk[]): Promise<OpenTurn> {
  const sessionId = systemIds.make("ses");
  const no = await store.create(sessionRow(sessionId));
  const epoch = await store.claim(no);
  const { ids, writes } = beginning(sessionId, 1, null);
  await store.write(no, epoch, [...writes, ...chunks.map((chunk) => chunkEvent(ids, chunk)), leafAt(ids.messageId)]);
  return { ...ids, no, epoch };
}

/** Sessions at rest, each with `turns` finished turns that said `chunks`. Their numbers and ids. */
export async function seedIdleSessions(
  store: BenchStore,
  count: number,
  { turns, chunks, journal }: { turns: number; chunks: readonly UIMessageChunk[]; journal: boolean },
): Promise<readonly { readonly no: number; readonly id: string }[]> {
  const fold = startFold("");
  for (const chunk of chunks) foldChunk(fold, chunk);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const id = systemIds.make("ses");
      const no = await store.create(sessionRow(id));
      const epoch = await store.claim(no);
      let parent: string | null = null;
      for (let turn = 1; turn <= turns; turn++) {
        const said = journal ? chunks : [];
        const { writes, leaf } = finishedTurn(id, turn, parent, said, fold);
        await store.write(no, epoch, writes);
        parent = leaf;
      }
      return { no, id };
    }),
  );
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
