/** What a write may do, and what happens to it and its neighbours when it may not. */
import { describe, expect, test } from "vitest";
import type { Write } from "../../ports/store.ts";
import {
  agentRow as agentNamed,
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
  usageRow,
} from "./fixtures.ts";

export function writeRules(open: OpenStore): void {
  describe("creating and owning a session", () => owning(open));
  describe("a refused write", () => {
    refusing(open);
    sparing(open);
  });
  describe("what is over stays as it is", () => ending(open));
  describe("what is not there cannot be written to", () => missing(open));
  describe("rows", () => rows(open));
}

function owning(open: OpenStore): void {
  test("it is nobody's until it is claimed, and then its newest claimer's", async () => {
    const store = await open();
    const no = await store.create(sessionRow("ses_1"));
    expect((await store.load(no)).epoch).toBe(0);
    expect([await store.claim(no), await store.claim(no)]).toEqual([1, 2]);
    expect(await codes([store.write(no, 1, []), store.write(no, 2, [])])).toEqual(["lease-lost", null]);
  });

  test("the first rows come with it or not at all", async () => {
    const store = await open();
    const rows = [message(messageRow("msg_1")), { write: "session", set: { leaf: "msg_1" } } as const];
    const no = await store.create(sessionRow("ses_1"), rows);
    expect((await store.load(no)).session.leaf).toBe("msg_1");
    const twice = [message(messageRow("msg_1")), message(messageRow("msg_1"))];
    expect(await codes([store.create(sessionRow("ses_2"), twice)])).toEqual(["constraint"]);
    expect(await store.query.session("ses_2")).toBeNull();
  });

  test("ids and external ids are unique", async () => {
    const store = await open();
    await store.create(sessionRow("ses_1", { externalId: "chat" }));
    const again = [store.create(sessionRow("ses_1")), store.create(sessionRow("ses_2", { externalId: "chat" }))];
    expect(await codes(again)).toEqual(["constraint", "constraint"]);
  });

  test("a number is never given twice", async () => {
    const store = await open();
    const no = await store.create(sessionRow("ses_1"));
    await store.change([{ write: "session-remove", id: "ses_1" }]);
    expect(await store.create(sessionRow("ses_1"))).toBeGreaterThan(no);
  });

  test("a removed session is gone with all it had, and its owner has lost it", async () => {
    const store = await open();
    const owner = await newOwner(store, "ses_1");
    const all: Write[] = [
      { write: "input", row: inputRow("inp_1") },
      { write: "turn", row: turnRow("trn_1", 1) },
      message(messageRow("msg_1")),
      { write: "approval", row: approvalRow("apr_1", "ses_1") },
      { write: "usage", row: usageRow("u1", "ses_1") },
      owner.notice("hello"),
    ];
    await owner.write(...all);
    const late = [store.change([{ write: "session-remove", id: "ses_1" }]), owner.write(owner.notice("late"))];
    expect(await codes(late)).toEqual([null, "lease-lost"]);
    expect(await store.query.approval("apr_1")).toBeNull();
    expect(await codes([store.load(owner.no), store.events(owner.no, 0, 10), store.bounds(owner.no)])).toEqual([
      "not-found",
      "not-found",
      "not-found",
    ]);
    const other = await newOwner(store, "ses_1");
    expect(await codes([other.write(...all)])).toEqual([null]);
  });
}

function refusing(open: OpenStore): void {
  test("stores nothing of itself", async () => {
    const owner = await newOwner(await open(), "ses_1");
    const refused = owner.write({ write: "turn", row: turnRow("trn_1", 1) }, owner.notice("no"), closeMessage("msg_1"));
    expect(await codes([refused])).toEqual(["constraint"]);
    expect(await owner.store.query.turn(owner.no, "trn_1")).toBeNull();
    expect(await owner.journal()).toEqual([]);
  });

  test("does not leave its message to be added to", async () => {
    const owner = await newOwner(await open(), "ses_1");
    const delta = owner.delta("msg_1", "x");
    expect(await codes([owner.write(message(messageRow("msg_1")), delta, closeMessage("msg_9"))])).toEqual([
      "constraint",
    ]);
    expect(await codes([owner.write(delta)])).toEqual(["constraint"]);
  });

  test("leaves what was asked for before it, and takes what its owner asked for after it", async () => {
    const owner = await newOwner(await open(), "ses_1");
    const writes = [
      owner.write(owner.notice("before")),
      owner.write({ write: "message-drop", id: "msg_none" }),
      owner.write(owner.notice("after")),
      owner.write(),
    ];
    expect(await codes(writes)).toEqual([null, "constraint", "constraint", "constraint"]);
    expect(await codes([owner.write(owner.notice("later"))])).toEqual([null]);
    const texts = (await owner.journal()).map(({ seq, event }) => [seq, event.type === "notice" && event.text]);
    expect(texts).toEqual([
      [1, "before"],
      [2, "later"],
    ]);
  });

  test("does not let the owner write on before it has heard of it", async () => {
    const owner = await newOwner(await open(), "ses_1");
    const first = owner.write(owner.notice("first"));
    const second = owner.write({ write: "message-drop", id: "msg_none" });
    const early = first.then(() => owner.write(owner.notice("early")));
    const late = second.catch(() => owner.write(owner.notice("late")));
    expect(await codes([first, second, early, late])).toEqual([null, "constraint", "constraint", null]);
  });
}

function sparing(open: OpenStore): void {
  test("does not touch other sessions", async () => {
    const store = await open();
    const [a, b] = [await newOwner(store, "ses_a"), await newOwner(store, "ses_b")];
    const flushes = store.flushes;
    const writes = [
      a.write(a.notice("1")),
      b.write({ write: "message-drop", id: "msg_none" }),
      a.write(a.notice("2")),
      b.write(b.notice("1")),
    ];
    expect(await codes(writes)).toEqual([null, "constraint", null, "constraint"]);
    expect(store.flushes).toBe(flushes + 1);
    expect([(await a.journal()).length, (await b.journal()).length]).toEqual([2, 0]);
  });

  test("of an old owner does not touch the new one", async () => {
    const store = await open();
    const old = await newOwner(store, "ses_1");
    const epoch = await store.claim(old.no);
    const writes = [
      old.write(old.notice("old")),
      store.write(old.no, epoch, [old.notice("new")]),
      old.write(old.notice("old again")),
    ];
    expect(await codes(writes)).toEqual(["lease-lost", null, "lease-lost"]);
    expect(await old.journal()).toHaveLength(1);
  });

  test("of a closed store says so, as often as asked", async () => {
    const store = await open();
    const owner = await newOwner(store, "ses_1");
    const last = owner.write(owner.notice("last"));
    await Promise.all([store.close(), store.close()]);
    expect(await codes([last, owner.write(), store.create(sessionRow("ses_2"))])).toEqual([null, "closed", "closed"]);
  });
}

/** One write after which the thing is over, and writes that would change it. */
type Case = readonly [
  name: string,
  over: (owner: Owner) => readonly Write[],
  changes: (owner: Owner) => readonly Write[],
];
const overs: readonly Case[] = [
  [
    "a closed message",
    (owner) => [message(messageRow("msg_1")), owner.delta("msg_1", "some"), closeMessage("msg_1")],
    (owner) => [owner.delta("msg_1", "more"), closeMessage("msg_1", "again"), { write: "message-drop", id: "msg_1" }],
  ],
  [
    "a dropped message",
    (owner) => [message(messageRow("msg_1")), owner.delta("msg_1", "some"), { write: "message-drop", id: "msg_1" }],
    (owner) => [
      owner.delta("msg_1", "more"),
      closeMessage("msg_1"),
      { write: "message-drop", id: "msg_1" },
      owner.closed("msg_1"),
      message(messageRow("msg_1")),
      message(messageRow("msg_2", { parentId: "msg_1" })),
    ],
  ],
  [
    "an ended input",
    () => [
      { write: "input", row: inputRow("inp_1") },
      { write: "input-set", id: "inp_1", set: { state: "cancelled" } },
    ],
    () => [
      { write: "input-set", id: "inp_1", set: { state: "queued" } },
      { write: "input-set", id: "inp_1", set: {} },
      { write: "order", ids: ["inp_1"] },
    ],
  ],
  [
    "a settled turn",
    () => [
      { write: "turn", row: turnRow("trn_1", 1) },
      { write: "turn-set", id: "trn_1", set: { status: "failed" } },
    ],
    () => [{ write: "turn-set", id: "trn_1", set: { status: "open" } }],
  ],
  [
    "a closed approval",
    (owner) => [
      { write: "approval", row: approvalRow("apr_1", owner.id) },
      { write: "approval-close", id: "apr_1", set: { how: "deny", answer: null, closedAt: 2_000 } },
    ],
    () => [{ write: "approval-close", id: "apr_1", set: { how: "allow", answer: null, closedAt: 3_000 } }],
  ],
];

function ending(open: OpenStore): void {
  test.each(overs)("%s", async (_, over, changes) => {
    const owner = await newOwner(await open(), "ses_1");
    await owner.write(...over(owner));
    const before = await everything(owner);
    for (const change of changes(owner)) expect(await codes([owner.write(change)])).toEqual(["constraint"]);
    expect(await everything(owner)).toEqual(before);
  });
}

async function everything({ store, no }: Owner): Promise<unknown> {
  const { query } = store;
  return [
    await store.load(no),
    await query.message(no, "msg_1"),
    await query.input(no, "inp_1"),
    await query.turn(no, "trn_1"),
    await query.approval("apr_1"),
    await store.events(no, 0, 100),
  ];
}

const strays: readonly (readonly [string, (owner: Owner) => Write])[] = [
  ["an input", () => ({ write: "input-set", id: "inp_1", set: { state: "held" } })],
  ["an input to order", () => ({ write: "order", ids: ["inp_1"] })],
  ["a turn", () => ({ write: "turn-set", id: "trn_1", set: { status: "failed" } })],
  ["a message to close", () => closeMessage("msg_1")],
  ["a message to drop", () => ({ write: "message-drop", id: "msg_1" })],
  ["a message to add to", (owner) => owner.delta("msg_1", "x")],
  ["a message to announce", (owner) => owner.closed("msg_1")],
  ["a parent", () => message(messageRow("msg_2", { parentId: "msg_1" }))],
  ["an approval", () => ({ write: "approval-close", id: "apr_1", set: { how: "allow", answer: null, closedAt: 1 } })],
];

function missing(open: OpenStore): void {
  test.each(strays)("%s", async (_, stray) => {
    const store = await open();
    const [owner, other] = [await newOwner(store, "ses_1"), await newOwner(store, "ses_2")];
    await other.write(...elsewhere(other));
    expect(await codes([owner.write(stray(owner))])).toEqual(["constraint"]);
    expect(await owner.journal()).toEqual([]);
  });

  test("a session", async () => {
    const store = await open();
    const asked = [store.write(99, 0, []), store.claim(99), store.load(99), store.snapshot(99)];
    expect(await codes(asked)).toEqual(["lease-lost", "constraint", "not-found", "not-found"]);
    expect(await codes([store.messages(99, { limit: 1 })])).toEqual(["not-found"]);
  });

  test("a message that is open cannot be announced as closed", async () => {
    const owner = await newOwner(await open(), "ses_1");
    expect(await codes([owner.write(message(messageRow("msg_1")), owner.closed("msg_1"))])).toEqual(["constraint"]);
  });
}

/** The same things in another session do not count. */
const elsewhere = (other: Owner): Write[] => [
  { write: "input", row: inputRow("inp_1") },
  { write: "turn", row: turnRow("trn_1", 1) },
  message(messageRow("msg_1")),
  { write: "approval", row: approvalRow("apr_1", other.id) },
];

function rows(open: OpenStore): void {
  test.each<readonly [string, (owner: Owner) => Write]>([
    ["an input", () => ({ write: "input", row: inputRow("inp_1") })],
    ["a turn", () => ({ write: "turn", row: turnRow("trn_1", 2) })],
    ["a turn's number", () => ({ write: "turn", row: turnRow("trn_2", 1) })],
    ["a message", () => message(messageRow("msg_1"))],
    ["an approval", (owner) => ({ write: "approval", row: approvalRow("apr_1", owner.id) })],
  ])("%s is there once", async (_, again) => {
    const owner = await newOwner(await open(), "ses_1");
    await owner.write(...elsewhere(owner));
    expect(await codes([owner.write(again(owner))])).toEqual(["constraint"]);
  });

  test("usage is counted once, wherever it is reported again", async () => {
    const store: OpenedStore = await open();
    const [a, b] = [await newOwner(store, "ses_a"), await newOwner(store, "ses_b")];
    await a.write({ write: "usage", row: usageRow("u1", "ses_a") }, { write: "usage", row: usageRow("u1", "ses_a") });
    await b.write({ write: "usage", row: usageRow("u1", "ses_b") });
    expect([(await store.query.usage(a.no)).requests, (await store.query.usage(b.no)).requests]).toEqual([1, 0]);
  });

  test("a list of changes outside sessions is stored whole or not at all", async () => {
    const store = await open();
    const agent = (id: string, name: string): Parameters<typeof store.change>[0][number] => ({
      write: "agent",
      row: { ...agentNamed(id), name },
    });
    const refused = store.change([agent("agt_1", "a"), { write: "setting", key: "k", value: 1 }, agent("agt_2", "a")]);
    expect(await codes([refused])).toEqual(["constraint"]);
    expect([await store.query.agents(), await store.query.setting("k")]).toEqual([[], null]);
  });
}
