/** Reading a session whole, creating one with its contents, and what all sessions together used. */
import { describe, expect, test } from "vitest";
import type { SessionRows, Write } from "../../ports/store.ts";
import type { UsageRow } from "../../protocol/rows.ts";
import {
  approvalRow,
  codes,
  inputRow,
  message,
  messageRow,
  newOwner,
  type OpenedStore,
  type OpenStore,
  sessionRow,
  turnRow,
  usageRow,
} from "./fixtures.ts";

export function copyRules(open: OpenStore): void {
  describe("rows of a session", () => reading(open));
  describe("a session created with contents", () => creating(open));
  describe("usage of all sessions", () => totalling(open));
}

async function all<Kind extends keyof SessionRows>(
  store: OpenedStore,
  no: number,
  kind: Kind,
): Promise<SessionRows[Kind][]> {
  const rows: SessionRows[Kind][] = [];
  for await (const page of store.query.rows(no, kind)) rows.push(...page);
  return rows;
}

function reading(open: OpenStore): void {
  test("come as they were stored, of every kind and of no other session", async () => {
    const store = await open();
    const [one, two] = [await newOwner(store, "ses_1"), await newOwner(store, "ses_2")];
    const rows = {
      input: [inputRow("i2", { position: 1 }), inputRow("i1", { state: "answered" })],
      turn: [turnRow("t2", 2), turnRow("t1", 1, { status: "failed", reason: "r", message: "why", endedAt: 5 })],
      message: [
        messageRow("m1", {
          status: "completed",
          originId: "msg_x",
          metadata: { a: 1 },
          parts: [{ type: "step-start" }],
        }),
        messageRow("f1", { kind: "flow", label: "call", ordinal: 1 }),
        messageRow("e1", { kind: "entry", role: "system", label: "x", parentId: "m1", status: "completed" }),
      ],
      approval: [approvalRow("a2", "ses_1"), approvalRow("a1", "ses_1", { how: "deny", input: null })],
      usage: [usageRow("u2", "ses_1", { turnId: null, messageId: "m1" }), usageRow("u1", "ses_1", free)],
    };
    for (const owner of [one, two]) await owner.write({ write: "turn", row: turnRow("t0", 9) });
    await two.write({ write: "approval", row: approvalRow("a0", "ses_2") }, usage("u0", "ses_2"));
    await one.write(
      ...rows.input.map((row): Write => ({ write: "input", row })),
      ...rows.turn.map((row): Write => ({ write: "turn", row })),
      ...rows.message.map(message),
      ...rows.approval.map((row): Write => ({ write: "approval", row })),
      ...rows.usage.map((row): Write => ({ write: "usage", row })),
    );
    expect(await all(store, one.no, "input")).toEqual(rows.input);
    expect(await all(store, one.no, "turn")).toEqual([turnRow("t0", 9), ...rows.turn]);
    expect(await all(store, one.no, "message")).toEqual(rows.message);
    expect(await all(store, one.no, "approval")).toEqual(rows.approval);
    expect(await all(store, one.no, "usage")).toEqual(rows.usage);
  });

  test("leave out what was dropped, and are none where there is no session", async () => {
    const owner = await newOwner(await open(), "ses_1");
    await owner.write(message(messageRow("m1")), message(messageRow("m2")), { write: "message-drop", id: "m1" });
    expect((await all(owner.store, owner.no, "message")).map(({ id }) => id)).toEqual(["m2"]);
    expect(await all(owner.store, owner.no + 1, "message")).toEqual([]);
  });

  test("are all there, each once, when there are many", async () => {
    const owner = await newOwner(await open(), "ses_1");
    const ids = Array.from({ length: 1_001 }, (_, n) => `m${n}`);
    await owner.write(...ids.map((id) => message(messageRow(id))));
    expect((await all(owner.store, owner.no, "message")).map(({ id }) => id)).toEqual(ids);
  });
}

function creating(open: OpenStore): void {
  const row = sessionRow("ses_1", { leaf: "m2", parentId: "ses_0" });
  const rows = [
    messageRow("m1", { status: "completed", originId: "m0" }),
    messageRow("m2", { status: "completed", parentId: "m1" }),
  ];

  test("has its branch, its journal and nothing that needs recovery", async () => {
    const store = await open();
    const notice = { type: "notice", sessionId: "ses_1", level: "info", code: "forked", text: "hello" } as const;
    const no = await store.create(row, [...rows.map(message), { write: "event", at: 5, event: notice }]);
    expect(await store.query.branch(no)).toEqual(rows);
    expect(await store.events(no, 0, 10)).toEqual([{ seq: 1, at: 5, event: notice }]);
    expect(await store.bounds(no)).toEqual({ horizon: 0, last: 1 });
    expect((await store.load(no)).session).toEqual(row);
    for await (const needing of store.open()) expect(needing).toBeUndefined();
  });

  test("goes on from there", async () => {
    const store = await open();
    const no = await store.create(row, rows.map(message));
    const epoch = await store.claim(no);
    const next = messageRow("m3", { status: "completed", parentId: "m2" });
    await store.write(no, epoch, [message(next), { write: "session", set: { leaf: "m3" } }]);
    expect((await store.query.branch(no)).map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);
  });

  test("is not there at all when one of its rows is refused", async () => {
    const store = await open();
    const notice = { type: "notice", sessionId: "ses_1", level: "info", code: "c", text: "t" } as const;
    const writes: Write[] = [usage("u1", "ses_1"), { write: "event", at: 5, event: notice }, ...rows.map(message)];
    const refused = store.create(row, [...writes, message(messageRow("m9", { parentId: "m8" }))]);
    expect(await codes([refused])).toEqual(["constraint"]);
    expect([await store.query.session("ses_1"), await store.query.usageTotals({ by: "model" })]).toEqual([null, []]);
    expect(await codes([store.create(row, rows.map(message))])).toEqual([null]);
  });
}

const day = Date.UTC(2026, 0, 31);
const free = { report: { ...usageRow("u1", "ses_1").report, cost: null } } satisfies Partial<UsageRow>;
const usage = (id: string, session: string, over: Partial<UsageRow> & { readonly model?: string } = {}): Write => {
  const { model = "m", ...rest } = over;
  const row = usageRow(id, session, rest);
  return { write: "usage", row: { ...row, report: { ...row.report, model } } };
};

function totalling(open: OpenStore): void {
  const tokens = (n: number) => ({ input: n, output: 2 * n, reasoning: 3 * n, cacheRead: 4 * n, cacheWrite: 5 * n });
  const usd = (amount: number) => [{ currency: "USD", amount }];

  async function used(): Promise<OpenedStore> {
    const store = await open();
    const euros = { ...usageRow("u4", "ses_2").report, cost: { amount: 2, currency: "EUR" } };
    const one = await newOwner(store, "ses_1", { agentId: "agt_b" });
    const two = await newOwner(store, "ses_2", { agentId: "agt_a" });
    await one.write(usage("u1", "ses_1", { at: day }), usage("u2", "ses_1", { at: day + 86_399_999, model: "n" }));
    await two.write(usage("u3", "ses_2", { at: day + 86_400_000 }));
    await two.write({ write: "usage", row: usageRow("u4", "ses_2", { at: day, report: euros }) });
    await two.write({ write: "usage", row: usageRow("u5", "ses_2", { at: day - 1, ...free }) }); // u1 is known
    return store;
  }

  test("is summed by day, agent, session and model, cost by currency", async () => {
    const { query } = await used();
    expect(await query.usageTotals({ by: "day" })).toEqual([
      {
        key: "2026-01-31",
        total: tokens(3),
        requests: 3,
        modelMs: 0,
        cost: [{ currency: "EUR", amount: 2 }, ...usd(0.5)],
      },
      { key: "2026-02-01", total: tokens(1), requests: 1, modelMs: 0, cost: usd(0.25) },
    ]);
    expect(await query.usageTotals({ by: "agent" })).toEqual([
      { key: "agt_a", total: tokens(2), requests: 2, modelMs: 0, cost: [{ currency: "EUR", amount: 2 }, ...usd(0.25)] },
      { key: "agt_b", total: tokens(2), requests: 2, modelMs: 0, cost: usd(0.5) },
    ]);
    const sessions = await query.usageTotals({ by: "session", from: day + 1 });
    expect(sessions.map(({ key, requests }) => [key, requests])).toEqual([
      ["ses_1", 1],
      ["ses_2", 1],
    ]);
    expect((await query.usageTotals({ by: "model" })).map(({ key, requests }) => [key, requests])).toEqual([
      ["m", 3],
      ["n", 1],
    ]);
  });

  test("counts from `from` on and before `to`", async () => {
    const { query } = await used();
    const requests = async (q: { readonly from?: number; readonly to?: number }): Promise<number[]> =>
      (await query.usageTotals({ by: "day", ...q })).map((group) => group.requests);
    expect(await requests({ from: day, to: day })).toEqual([]);
    expect(await requests({ from: day, to: day + 1 })).toEqual([2]);
    expect(await requests({ from: day + 1 })).toEqual([1, 1]);
    expect(await requests({ to: day + 86_400_000 })).toEqual([3]);
  });

  test("of a removed session counts no more", async () => {
    const store = await used();
    await store.change([{ write: "session-remove", id: "ses_2" }]);
    expect((await store.query.usageTotals({ by: "agent" })).map(({ key }) => key)).toEqual(["agt_b"]);
  });
}
