/** Messages and their tree, recovery, snapshots. */
import { describe, expect, test } from "vitest";
import type { Write } from "../../ports/store.ts";
import type { MessageId } from "../../protocol/ids.ts";
import type { MessageRow } from "../../protocol/rows.ts";
import {
  approvalRow,
  closeMessage,
  codes,
  inputRow,
  message,
  messageRow,
  newOwner,
  type OpenedStore,
  type OpenStore,
  type Owner,
  sessionRow,
  turnRow,
} from "./fixtures.ts";

export function readingRules(open: OpenStore): void {
  describe("pages of messages", () => paging(open));
  describe("the branch", () => branching(open));
  describe("recovery", () => {
    recovering(open);
    finding(open);
  });
  describe("a snapshot", () => snapshots(open));
}

const closedRow = (id: MessageId, parentId: MessageId | null, over: Partial<MessageRow> = {}): Write =>
  message(messageRow(id, { parentId, status: "completed", parts: [{ type: "text", text: id }], ...over }));
const leaf = (id: MessageId | null): Write => ({ write: "session", set: { leaf: id } });
const entry = (id: MessageId, parentId: MessageId, label: string): Write =>
  closedRow(id, parentId, { kind: "entry", role: "system", label });

/** `m1 … mN`, one under the other. */
async function chain(open: OpenStore, length: number): Promise<Owner> {
  const owner = await newOwner(await open(), "ses_1");
  const ids = Array.from({ length }, (_, n) => `m${n + 1}`);
  await owner.write(...ids.map((id, n) => closedRow(id, n === 0 ? null : `m${n}`)), leaf(`m${length}`));
  return owner;
}
async function pages(owner: Owner, limit: number): Promise<string[][]> {
  const found: string[][] = [];
  let before: MessageId | null | undefined;
  while (before !== null) {
    const page = await owner.store.messages(owner.no, { limit, ...(before === undefined ? {} : { before }) });
    found.push(page.messages.map(({ id }) => id));
    before = page.older;
  }
  return found;
}

function paging(open: OpenStore): void {
  test("run from the leaf back, each oldest first, to the beginning", async () => {
    const owner = await chain(open, 7);
    expect(await pages(owner, 3)).toEqual([["m5", "m6", "m7"], ["m2", "m3", "m4"], ["m1"]]);
    expect(await pages(owner, 7)).toEqual([["m1", "m2", "m3", "m4", "m5", "m6", "m7"]]);
  });

  test("are empty for a session without messages", async () => {
    const owner = await newOwner(await open(), "ses_1");
    expect(await owner.store.messages(owner.no, { limit: 3 })).toEqual({ messages: [], older: null });
  });

  test("hold no more than a reader can take at once, and one message at least", async () => {
    const owner = await chain(open, 1);
    const large = (id: string, parent: string): Write =>
      closedRow(id, parent, { parts: [{ type: "text", text: "x".repeat(3 * 1024 * 1024) }] });
    await owner.write(large("m2", "m1"), large("m3", "m2"), large("m4", "m3"), leaf("m4"));
    const vast = { parts: [{ type: "text" as const, text: "x".repeat(9 * 1024 * 1024) }] };
    await owner.write(closedRow("m5", "m4", vast), leaf("m5"));
    expect(await pages(owner, 10)).toEqual([["m5"], ["m3", "m4"], ["m1", "m2"]]);
  });

  test("follow the branch shown; one that was left stays readable from its own messages", async () => {
    const owner = await chain(open, 4);
    await owner.write(closedRow("n3", "m2"), closedRow("n4", "n3"), leaf("n4"));
    expect(await pages(owner, 10)).toEqual([["m1", "m2", "n3", "n4"]]);
    const old = await owner.store.messages(owner.no, { limit: 10, before: "m4" });
    expect(old.messages.map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);
  });

  test("leave out entries and flows, and pass over them", async () => {
    const owner = await chain(open, 2);
    const flow = closedRow("f1", "m2", { kind: "flow", label: "call_1" });
    await owner.write(entry("e1", "m2", "label"), flow, closedRow("m3", "e1"), leaf("m3"));
    expect(await pages(owner, 2)).toEqual([["m2", "m3"], ["m1"]]);
  });

  test("show an open message as far as it is stored", async () => {
    const owner = await chain(open, 1);
    const start = owner.chunk("m2", { type: "text-start", id: "0" });
    await owner.write(message(messageRow("m2", { parentId: "m1" })), leaf("m2"), start, owner.delta("m2", "so "));
    await owner.write(owner.delta("m2", "far"));
    const { messages } = await owner.store.messages(owner.no, { limit: 5 });
    expect(messages).toMatchObject([
      { id: "m1", status: "completed", parts: [{ text: "m1" }] },
      { id: "m2", status: "open", parts: [{ type: "text", text: "so far", state: "streaming" }], parentId: "m1" },
    ]);
  });

  test("from a message that is not there are refused", async () => {
    const owner = await chain(open, 1);
    expect(await codes([owner.store.messages(owner.no, { limit: 1, before: "m9" })])).toEqual(["no-such-message"]);
  });
}

function branching(open: OpenStore): void {
  const ids = async (owner: Owner, from?: MessageId): Promise<string[]> =>
    (await owner.store.query.branch(owner.no, from)).map(({ id }) => id);

  test("is the way from the beginning to the leaf, or to any message", async () => {
    const owner = await chain(open, 4);
    await owner.write(closedRow("n3", "m2"), leaf("n3"));
    expect([await ids(owner), await ids(owner, "m4")]).toEqual([
      ["m1", "m2", "n3"],
      ["m1", "m2", "m3", "m4"],
    ]);
  });

  test("begins at its last compaction", async () => {
    const owner = await chain(open, 3);
    await owner.write(entry("c1", "m3", "compaction"), closedRow("m4", "c1"), entry("c2", "m4", "compaction"));
    await owner.write(entry("e1", "c2", "label"), closedRow("m5", "e1"), leaf("m5"));
    expect([await ids(owner), await ids(owner, "m4")]).toEqual([
      ["c2", "e1", "m5"],
      ["c1", "m4"],
    ]);
  });

  test("keeps every column, and is whole when it is long", async () => {
    const owner = await chain(open, 1_001);
    const rows = await owner.store.query.branch(owner.no);
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 1_001 }, (_, n) => `m${n + 1}`));
    expect(rows[1]).toEqual(
      messageRow("m2", { parentId: "m1", status: "completed", parts: [{ type: "text", text: "m2" }] }),
    );
    expect(await ids(await newOwner(owner.store, "ses_2"))).toEqual([]);
  });
}

async function needing(store: OpenedStore): Promise<number[]> {
  const found: number[] = [];
  for await (const no of store.open()) found.push(no);
  return found;
}
const waiting = (id: string, position: number | null, over: object = {}): Write => ({
  write: "input",
  row: inputRow(id, { position, ...over }),
});

function recovering(open: OpenStore): void {
  test("gets what is not over, the waiting inputs in their order", async () => {
    const owner = await newOwner(await open(), "ses_1");
    await owner.write(
      waiting("i1", 0),
      waiting("i2", 1),
      waiting("i3", null, { state: "started" }),
      waiting("i4", null),
    );
    await owner.write(
      { write: "input-set", id: "i4", set: { state: "cancelled" } },
      { write: "order", ids: ["i2", "i1"] },
    );
    await owner.write(
      { write: "turn", row: turnRow("trn_1", 1, { status: "completed" }) },
      { write: "turn", row: turnRow("trn_2", 2, { status: "waiting" }) },
      { write: "approval", row: approvalRow("apr_1", owner.id) },
      { write: "approval", row: approvalRow("apr_2", owner.id, { how: "allow" }) },
      closedRow("f3", null, { kind: "flow", ordinal: 3 }),
      message(messageRow("m1")),
      owner.chunk("m1", { type: "text-start", id: "0" }),
      owner.delta("m1", "hello"),
    );
    const stored = await owner.store.load(owner.no);
    expect(stored.inputs.map(({ id, position }) => [id, position])).toEqual([
      ["i2", 0],
      ["i1", 1],
      ["i3", null],
    ]);
    expect(stored).toMatchObject({ epoch: 1, nextSeq: 3, horizon: 0, lastTurn: 2, lastFlow: 3 });
    expect(stored.openTurns).toEqual([turnRow("trn_2", 2, { status: "waiting" })]);
    expect(stored.openApprovals).toEqual([approvalRow("apr_1", owner.id)]);
    expect(stored.open).toEqual([{ row: messageRow("m1"), opened: 1 }]);
    const shown = await owner.store.snapshot(owner.no);
    expect(shown.open).toMatchObject([{ id: "m1", parts: [{ text: "hello" }] }]);
  });
}

function finding(open: OpenStore): void {
  test.each<readonly [string, (owner: Owner) => Write, (owner: Owner) => Write]>([
    [
      "a turn",
      () => ({ write: "turn", row: turnRow("t", 1) }),
      () => ({ write: "turn-set", id: "t", set: { status: "failed" } }),
    ],
    ["a message", () => message(messageRow("m")), () => closeMessage("m")],
    ["a dropped message", () => message(messageRow("m")), () => ({ write: "message-drop", id: "m" })],
    [
      "an input",
      () => waiting("i", 0),
      () => ({ write: "input-set", id: "i", set: { state: "answered", position: null } }),
    ],
    [
      "a compaction",
      () => ({ write: "session", set: { compacting: true } }),
      () => ({ write: "session", set: { compacting: false } }),
    ],
    [
      "an approval",
      (owner) => ({ write: "approval", row: approvalRow("a", owner.id) }),
      () => ({ write: "approval-close", id: "a", set: { how: "withdrawn", answer: null, closedAt: 5 } }),
    ],
  ])("needs a session only while %s is not over", async (_, begin, end) => {
    const store = await open();
    const [, owner] = [await newOwner(store, "ses_0"), await newOwner(store, "ses_1")];
    await owner.write(begin(owner));
    expect(await needing(store)).toEqual([owner.no]);
    await owner.write(end(owner));
    expect(await needing(store)).toEqual([]);
  });

  test("finds every session, however many there are", async () => {
    const store = await open();
    const row = { write: "turn", row: turnRow("t", 1) } as const;
    const many = await Promise.all(
      Array.from({ length: 2_100 }, (_, n) => store.create(sessionRow(`ses_${n}`), n % 2 === 0 ? [row] : [])),
    );
    expect(await needing(store)).toEqual(many.filter((_, n) => n % 2 === 0));
  });
}

function snapshots(open: OpenStore): void {
  test("is one state: its number, the open messages as of it, what waits and what is asked", async () => {
    const owner = await chain(open, 2);
    await owner.write(
      waiting("i1", 0),
      { write: "turn", row: turnRow("trn_1", 1) },
      { write: "approval", row: approvalRow("apr_1", owner.id) },
      message(messageRow("m3", { parentId: "m2" })),
      message(messageRow("f1", { kind: "flow", ordinal: 1, label: "call_1" })),
      leaf("m3"),
      owner.opened("m3"),
      owner.chunk("m3", { type: "text-start", id: "0" }),
      owner.delta("m3", "hello"),
    );
    const { seq, ...state } = await owner.store.snapshot(owner.no);
    expect(seq).toBe(3);
    expect(state).toMatchObject({
      session: { id: "ses_1", leaf: "m3" },
      turn: turnRow("trn_1", 1),
      open: [
        { id: "m3", status: "open", parts: [{ text: "hello" }] },
        { id: "f1", status: "open", parts: [], flow: { toolCallId: "call_1" } },
      ],
      inputs: [{ id: "i1" }],
      approvals: [approvalRow("apr_1", owner.id)],
      older: "m3",
      opened: 1,
    });
    expect((await owner.store.messages(owner.no, { limit: 9, before: "m3" })).messages).toHaveLength(2);
  });

  test("points nowhere when nothing of the branch is open, or nothing came before", async () => {
    const owner = await chain(open, 1);
    expect(await owner.store.snapshot(owner.no)).toMatchObject({
      seq: 0,
      turn: null,
      open: [],
      older: null,
      opened: null,
    });
    const fresh = await newOwner(owner.store, "ses_2");
    await fresh.write(message(messageRow("m1")), leaf("m1"));
    expect((await fresh.store.snapshot(fresh.no)).older).toBeNull();
  });

  test("and the events after its number are all there is", async () => {
    const owner = await newOwner(await open(), "ses_1");
    await owner.write(message(messageRow("m1")), leaf("m1"), owner.chunk("m1", { type: "text-start", id: "0" }));
    const writes = ["a", "b", "c", "d"].map((text) => owner.write(owner.delta("m1", text)));
    const { seq, open: messages } = await owner.store.snapshot(owner.no);
    await Promise.all(writes);
    const rest = await owner.store.events(owner.no, seq, 100);
    const texts = rest.map(({ event }) => (event.type === "chunk" && "delta" in event.chunk ? event.chunk.delta : ""));
    const part = messages[0]?.parts[0];
    expect((part?.type === "text" ? part.text : "") + texts.join("")).toBe("abcd");
  });
}
