import { expect, test } from "vitest";
import type { Write } from "../../ports/store.ts";
import type { Input } from "../../protocol/input.ts";
import type { Op } from "../../protocol/ops.ts";
import { countingIds } from "../../testing/counting-ids.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { Scribe } from "./scribe.ts";
import type { ScribeSeed } from "./scribe-seed.ts";

const input = (id: string): Input => ({
  id,
  agentKey: "k",
  delivery: "queue",
  parts: [{ type: "text", text: id }],
  model: null,
  effort: null,
  headless: false,
  branch: null,
  author: "me",
  origin: "user",
});
function scribe(seed: Partial<ScribeSeed> = {}) {
  const clock = new VirtualClock(1_000);
  const changes: unknown[] = [];
  const made = new Scribe(
    {
      sessionId: "ses_1",
      ids: countingIds(),
      clock,
      model: () => "m1",
      agentName: () => "agent",
      bodyHash: () => "hash",
      asked: () => null,
      parentOf: () => null,
      turnOpened: () => {},
      turnSettled: () => {},
      changed: (set) => changes.push(set),
    },
    { leaf: null, lastPosition: -1, inputs: [], waiting: [], turns: [], flows: [], approvals: [], ...seed },
  );
  return { clock, changes, scribe: made, write: (...ops: Op[]) => made.transcribe(ops) };
}
const opened = (turn: number, id: string): Op[] => [
  { op: "accepted", input: input(id) },
  { op: "turn-opened", turn, origin: "user", input: id, source: null },
  { op: "input", id, state: "started", reason: null, turn },
  { op: "user-message", turn, input: id },
  { op: "message-opened", turn, message: 1 },
];
const text = (turn: number, delta: string): Op => ({
  op: "chunk",
  to: { turn, message: 1 },
  chunk: { type: "text-delta", id: "p", delta },
});
const begin = (turn: number): Op => ({ op: "chunk", to: { turn, message: 1 }, chunk: { type: "text-start", id: "p" } });
const closed = (turn: number): Op => ({
  op: "message-closed",
  turn,
  message: 1,
  status: "completed",
  token: "tok",
  anchor: "anc",
});
const settled = (turn: number): Op => ({
  op: "turn-settled",
  turn,
  end: { outcome: "completed", reason: "", message: "" },
});
const of = <W extends Write["write"]>(writes: readonly Write[], kind: W) =>
  writes.filter((write): write is Extract<Write, { write: W }> => write.write === kind);
const events = (writes: readonly Write[]) => of(writes, "event").map((write) => write.event);

test("the rows of a turn stand in the tree one behind the other, and the last is the leaf", () => {
  const { write, scribe: s } = scribe();
  const rows = of(write(...opened(1, "inp_1")), "message").map(({ row }) => [
    row.id,
    row.parentId,
    row.role,
    row.status,
  ]);
  expect(rows).toEqual([
    ["msg_0001", null, "user", "completed"],
    ["msg_0002", "msg_0001", "assistant", "open"],
  ]);
  expect(s.turnNo("trn_0001")).toBe(1);
  const ends = write(begin(1), text(1, "hi"), closed(1), settled(1));
  expect(of(ends, "message-close")[0]).toMatchObject({
    id: "msg_0002",
    set: { parts: [{ type: "text", text: "hi" }], resumeToken: "tok", anchor: "anc", status: "completed" },
  });
  expect(s.turnNo("trn_0001")).toBeUndefined();
});

test("a session row is written once per save, with what changed", () => {
  const { write, changes } = scribe();
  const session = of(write(...opened(1, "inp_1"), { op: "token", token: "tok" }), "session");
  expect(session).toEqual([{ write: "session", set: { updatedAt: 1_000, resumeToken: "tok", leaf: "msg_0002" } }]);
  expect(changes).toEqual([{ resumeToken: "tok", leaf: "msg_0002" }]);
  expect(of(write(begin(1)), "session")).toEqual([]);
});

test("an empty message that is dropped leaves the branch", () => {
  const { write } = scribe();
  write(...opened(1, "inp_1"));
  const dropped = write({ op: "message-dropped", turn: 1, message: 1 }, { op: "message-opened", turn: 1, message: 2 });
  expect(of(dropped, "message-drop")).toMatchObject([{ id: "msg_0002" }]);
  expect(of(dropped, "message")[0]?.row).toMatchObject({ id: "msg_0003", parentId: "msg_0001", ordinal: 2 });
});

test("a compaction inside a turn stands behind the message that was open then", () => {
  const { write } = scribe();
  write(...opened(1, "inp_1"), begin(1));
  const done = { trigger: "auto", summary: "short", covers: "msg_0001", data: null };
  const during = write({ op: "compaction", state: "completed", done, detail: "auto" });
  expect(of(during, "message")).toEqual([]);
  expect(events(during)).toMatchObject([{ type: "compaction", state: "completed" }]);
  const after = write(
    closed(1),
    { op: "accepted", input: input("inp_2") },
    { op: "user-message", turn: 1, input: "inp_2" },
  );
  expect(of(after, "message").map(({ row }) => [row.kind, row.label, row.id, row.parentId])).toEqual([
    ["entry", "compaction", "msg_0003", "msg_0002"],
    ["message", null, "msg_0004", "msg_0003"],
  ]);
  expect(of(after, "message")[0]?.row).toMatchObject({ metadata: done, parts: [{ type: "text", text: "short" }] });
});

test("a flow is a message outside the branch with its own fold", () => {
  const { write } = scribe();
  write(...opened(1, "inp_1"));
  const chunk = { type: "text-start", id: "f" } as const;
  const flow = write({ op: "flow-opened", flow: 1, root: "c1", turn: 1 }, { op: "chunk", to: { flow: 1 }, chunk });
  expect(of(flow, "message")[0]?.row).toMatchObject({ kind: "flow", label: "c1", parentId: null, ordinal: 1 });
  expect(of(flow, "session")).toEqual([]);
  const over = write({ op: "flow-closed", flow: 1, status: "completed" });
  expect(of(over, "message-close")[0]).toMatchObject({ set: { parts: [{ type: "text" }] } });
});

test("usage counts once per request, is bound to its message, and is summed at the end", () => {
  const { write } = scribe();
  write(...opened(1, "inp_1"));
  const tokens = { input: 3, output: 2, reasoning: 0, cacheRead: 1, cacheWrite: 0 };
  const usage = { requestId: "r1", model: "m1", tokens, timing: { firstTokenMs: null, totalMs: null }, cost: null };
  const op: Op = { op: "usage", usage, turn: 1, message: 1 };
  expect(of(write(op, op), "usage")[0]?.row).toMatchObject({ turnId: "trn_0001", messageId: "msg_0002" });
  expect(events(write(settled(1))).at(-1)).toMatchObject({ type: "turn.settled", usage: tokens });
});

test("positions grow at the end, are replaced by an order, and go when an input stops waiting", () => {
  const { write } = scribe({ lastPosition: 4 });
  const rows = of(write({ op: "accepted", input: input("a") }, { op: "accepted", input: input("b") }), "input");
  expect(rows.map(({ row }) => row.position)).toEqual([5, 6]);
  const set = (...ops: Op[]) => of(write(...ops), "input-set")[0]?.set;
  expect(set({ op: "input", id: "a", state: "held", reason: "failed", turn: null })).not.toHaveProperty("position");
  expect(set({ op: "input", id: "a", state: "offered", reason: null, turn: null })).toMatchObject({ position: null });
  expect(set({ op: "input", id: "a", state: "queued", reason: null, turn: null })).toMatchObject({ position: 7 });
  expect(of(write({ op: "order", ids: ["a", "b"] }), "order")).toEqual([{ write: "order", ids: ["a", "b"] }]);
  expect(of(write({ op: "accepted", input: input("c") }), "input")[0]?.row.position).toBe(2);
});

test("an agent's names for its own turns cannot be taken for ours, and come back as they were", () => {
  const { write, scribe: s } = scribe();
  write(...opened(1, "inp_1"));
  expect(s.generationOf("trn_0001")).toBe("t1");
  expect(s.driverTurn("t1")).toBe("trn_0001");
  for (const own of ["t1", "t99", "own:x", "wake-1", ""]) {
    expect(s.generationOf(own)).not.toMatch(/^t\d+$/);
    expect(s.driverTurn(s.generationOf(own))).toBe(own);
  }
});

test("tool times stand in the timing of the message they ran in", () => {
  const { write, clock } = scribe();
  write(...opened(1, "inp_1"));
  clock.advance(10);
  write(begin(1), { op: "note", note: { kind: "tool-timing", toolCallId: "c1", durationMs: 7 }, turn: 1 });
  clock.advance(10);
  expect(of(write(closed(1)), "message-close")[0]?.set.timing).toEqual({
    firstChunkMs: 10,
    totalMs: 20,
    tools: { c1: 7 },
  });
});
