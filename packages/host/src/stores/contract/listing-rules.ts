/** Queries: single rows come back as they were stored, listings in their order and in pages. */
import { expect, test } from "vitest";
import type { SessionQuery, Store, Write } from "../../ports/store.ts";
import {
  agentRow,
  approvalRow,
  codes,
  fileRow,
  inputRow,
  message,
  messageRow,
  newOwner,
  type OpenStore,
  sessionRow,
  turnRow,
  usageRow,
} from "./fixtures.ts";

export function listingRules(open: OpenStore): void {
  rowRules(open);
  keyedRules(open);
  sessionRules(open);
  usageRules(open);
}

function rowRules(open: OpenStore): void {
  test("rows come back as they were stored", async () => {
    const { store, no, id, ...owner } = await owned(open);
    const rows = {
      input: inputRow("i", { state: "held", reason: "failed", position: 0, turnId: "t", messageId: "m" }),
      turn: turnRow("t", 3, { origin: "steer", reason: "r", message: "why", model: "x", endedAt: 5, status: "failed" }),
      message: messageRow("m", {
        role: "user",
        status: "completed",
        parts: [{ type: "text", text: "ü\u0000\n" }],
        author: "me",
      }),
      approval: approvalRow("a", id, { input: null, answer: { decision: "allow", input: 1, reason: null, by: "me" } }),
    };
    await store.write(no, owner.epoch, [
      { write: "input", row: rows.input },
      { write: "turn", row: rows.turn },
      message(rows.message),
      { write: "approval", row: rows.approval },
    ]);
    const { query } = store;
    expect(await query.input(no, "i")).toEqual(rows.input);
    expect(await query.turn(no, "t")).toEqual(rows.turn);
    expect(await query.message(no, "m")).toEqual(rows.message);
    expect(await query.approval("a")).toEqual(rows.approval);
    const none = [query.input(no, "x"), query.turn(no, "x"), query.message(no, "x"), query.approval("x")];
    expect(await Promise.all(none)).toEqual([null, null, null, null]);
  });
}

function keyedRules(open: OpenStore): void {
  test("agents, settings and processes are replaced by key and removed", async () => {
    const store = await open();
    const child = { pid: 7, startTime: "1", purpose: "p", sessionId: null, hostPid: 1, startedAt: 1 };
    await store.change([
      { write: "agent", row: agentRow("agt_1", { createdAt: 2 }) },
      { write: "agent", row: agentRow("agt_2", { createdAt: 1 }) },
      { write: "agent", row: agentRow("agt_1", { createdAt: 2, revision: 2 }) },
      { write: "setting", key: "k", value: { deep: [1] } },
      { write: "process", row: child },
      { write: "process", row: { ...child, startTime: "2", purpose: "q", startedAt: 2 } },
    ]);
    expect((await store.query.agents()).map(({ id, revision }) => [id, revision])).toEqual([
      ["agt_2", 1],
      ["agt_1", 2],
    ]);
    expect((await store.query.agents())[0]).toEqual(agentRow("agt_2", { createdAt: 1 }));
    expect(await store.query.setting("k")).toEqual({ deep: [1] });
    expect((await store.query.processes()).map(({ purpose }) => purpose)).toEqual(["p", "q"]);
    await store.change([
      { write: "agent-remove", id: "agt_1" },
      { write: "setting", key: "k", value: undefined },
      { write: "process-remove", pid: 7, startTime: "1" },
    ]);
    expect((await store.query.agents()).map(({ id }) => id)).toEqual(["agt_2"]);
    expect(await store.query.setting("k")).toBeNull();
    expect((await store.query.processes()).map(({ purpose }) => purpose)).toEqual(["q"]);
  });

  test("a file is stored once under its id, and several may have the same bytes", async () => {
    const store = await open();
    const rows = [fileRow("fil_1"), fileRow("fil_2", { name: null, mediaType: "text/plain", size: 0 })];
    await store.change(rows.map((row) => ({ write: "file", row })));
    expect(await Promise.all(rows.map(({ id }) => store.query.file(id)))).toEqual(rows);
    expect(await store.query.file("fil_3")).toBeNull();
    const again = fileRow("fil_1", { name: "other.png" });
    expect(await codes([store.change([{ write: "file", row: again }])])).toEqual(["constraint"]);
    expect(await store.query.file("fil_1")).toEqual(rows[0]);
  });

  test("files are listed by age and removed; others with the same bytes are found", async () => {
    const store = await open();
    const rows = [3, 1, 2].map((n) => fileRow(`fil_${n}`, { createdAt: n, hash: n === 3 ? "other" : "same" }));
    await store.change(rows.map((row) => ({ write: "file", row })));
    const listed = async (q: { before: number; after?: string; limit: number }) =>
      (await store.query.files(q)).map(({ id }) => id);
    expect(await listed({ before: 9, limit: 2 })).toEqual(["fil_1", "fil_2"]);
    expect(await listed({ before: 9, after: "fil_2", limit: 2 })).toEqual(["fil_3"]);
    expect(await listed({ before: 2, limit: 9 })).toEqual(["fil_1"]);
    expect(await store.query.sameBytes({ hash: "same", id: "fil_1" })).toMatchObject({ id: "fil_2" });
    await store.change([{ write: "file-remove", id: "fil_2" }]);
    expect(await store.query.sameBytes({ hash: "same", id: "fil_1" })).toBeNull();
    expect(await store.query.file("fil_2")).toBeNull();
  });

  test("whatever names a file is found, wherever it stands", async () => {
    const { store, no, id, epoch } = await owned(open);
    const names = (n: string) => `mooring:file/fil_${n}`;
    await store.write(no, epoch, [
      { write: "message", row: messageRow("m1", { parts: [{ type: "text", text: `see ${names("part-1")}.` }] }) },
      { write: "message", row: messageRow("m2", { status: "open", closedAt: null }) },
      {
        write: "event",
        at: 1,
        event: {
          type: "chunk",
          sessionId: id,
          messageId: "m2",
          chunk: { type: "file", url: names("chunk"), mediaType: "a/b" },
        },
      },
      { write: "approval", row: approvalRow("a1", id, { input: { path: names("asked") } }) },
      {
        write: "input",
        row: inputRow("i1", { input: { ...inputRow("i1").input, parts: [{ type: "text", text: names("input") }] } }),
      },
    ]);
    const found = new Set<string>();
    for await (const ids of store.query.namedFiles()) for (const one of ids) found.add(one);
    expect([...found].sort()).toEqual(["fil_asked", "fil_chunk", "fil_input", "fil_part-1"]);
  });

  test("turns are found with what each used, oldest first", async () => {
    const { store, no, id, epoch } = await owned(open);
    const used = (requestId: string, turnId: string): Write => ({
      write: "usage",
      row: usageRow(requestId, id, { turnId }),
    });
    await store.write(no, epoch, [
      { write: "turn", row: turnRow("t1", 1, { status: "completed" }) },
      { write: "turn", row: turnRow("t2", 2) },
      { write: "turn", row: turnRow("t3", 3) },
      used("r1", "t1"),
      used("r2", "t1"),
      used("r3", "t3"),
    ]);
    const reports = await store.query.turnReports(no, ["t2", "t1", "t9"]);
    expect(reports.map((turn) => [turn.id, turn.status, turn.used.requests])).toEqual([
      ["t1", "completed", 2],
      ["t2", "open", 0],
    ]);
    const { total } = await store.query.usage(no); // of three requests that are alike
    expect((reports[0]?.used.total.output ?? 0) * 3).toBe(total.output * 2);
    expect(reports[1]?.used).toEqual({
      total: { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
      requests: 0,
      modelMs: 0,
      cost: [],
    });
    expect(await store.query.turnReports(no + 1, ["t1"])).toEqual([]);
  });

  test("turns and approvals are listed newest first", async () => {
    const { store, no, id, epoch } = await owned(open);
    await store.write(no, epoch, [
      ...[1, 2, 3].map((n) => ({ write: "turn", row: turnRow(`t${n}`, n) }) as const),
      ...[1, 2, 3].map((n) => ({ write: "approval", row: approvalRow(`a${n}`, id, { createdAt: n }) }) as const),
      { write: "approval-close", id: "a2", set: { how: "deny", answer: null, closedAt: 9 } },
    ]);
    expect((await store.query.turns(no, { limit: 2 })).map((turn) => turn.id)).toEqual(["t3", "t2"]);
    const ids = async (q: Parameters<Store["query"]["approvals"]>[0]): Promise<string[]> =>
      (await store.query.approvals(q)).map((approval) => approval.id);
    expect(await ids({})).toEqual(["a3", "a2", "a1"]);
    expect(await ids({ open: true, sessionId: id, limit: 1 })).toEqual(["a3"]);
    expect(await ids({ open: false })).toEqual(["a2"]);
    expect(await ids({ sessionId: "ses_other" })).toEqual([]);
  });
}

const owned = (open: OpenStore): ReturnType<typeof newOwner> => open().then((store) => newOwner(store, "ses_1"));

function sessionRules(open: OpenStore): void {
  test("a session is found by id and by external id", async () => {
    const store = await open();
    const row = sessionRow("ses_1", { externalId: "chat", managed: true, permissionMode: "plan", title: "T" });
    const no = await store.create(row);
    expect(await store.query.session("ses_1")).toEqual({ row, no });
    expect(await store.query.session("chat")).toEqual({ row, no });
    expect(await store.query.session("ses_2")).toBeNull();
  });

  test("sessions are listed newest first, in pages, by agent, text and removal", async () => {
    const store = await open();
    await store.create(sessionRow("ses_1", { title: "Fix 100% of it", agentId: "agt_2" }));
    await store.create(sessionRow("ses_2", { workspace: "/home/fix" }));
    await store.create(sessionRow("ses_3", { removedAt: 5, title: "fix" }));
    await store.create(sessionRow("ses_4", { externalId: "x_y" }));
    const ids = async (q: SessionQuery): Promise<string[]> => (await store.query.sessions(q)).items.map(({ id }) => id);
    const first = await store.query.sessions({ limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(["ses_4", "ses_2"]);
    const rest = await store.query.sessions({ limit: 2, ...(first.next === null ? {} : { after: first.next }) });
    expect([rest.items.map(({ id }) => id), rest.next]).toEqual([["ses_1"], null]);
    expect(await ids({ agentId: "agt_2" })).toEqual(["ses_1"]);
    expect(await ids({ text: "FIX" })).toEqual(["ses_2", "ses_1"]);
    expect([await ids({ text: "100%" }), await ids({ text: "x_" }), await ids({ text: "x%" })]).toEqual([
      ["ses_1"],
      ["ses_4"],
      [],
    ]);
    expect(await ids({ removed: true })).toEqual(["ses_3"]);
    expect(await ids({ ids: ["ses_1", "ses_3", "ses_4", "ses_9"] })).toEqual(["ses_4", "ses_1"]);
    expect(await ids({ ids: [] })).toEqual([]);
  });

  test("sessions are listed by what they do now", async () => {
    const { store, no, epoch } = await owned(open);
    const states = ["busy", "waiting", "held", "idle"] as const;
    const listed = async () =>
      (await Promise.all(states.map((state) => store.query.sessions({ state })))).map(({ items }) => items.length);
    expect(await listed()).toEqual([0, 0, 0, 1]);
    await store.write(no, epoch, [{ write: "input", row: inputRow("i1", { state: "started" }) }]);
    expect(await listed()).toEqual([0, 0, 0, 1]);
    await store.write(no, epoch, [{ write: "input", row: inputRow("i2", { state: "held" }) }]);
    expect(await listed()).toEqual([0, 0, 1, 0]);
    await store.write(no, epoch, [{ write: "turn", row: turnRow("t1", 1) }]);
    expect(await listed()).toEqual([1, 0, 0, 0]);
    await store.write(no, epoch, [{ write: "turn", row: turnRow("t2", 2, { status: "waiting" }) }]);
    expect(await listed()).toEqual([0, 1, 0, 0]);
  });

  test("a listed session shows its turn and what waits", async () => {
    const { store, no, id, epoch } = await owned(open);
    const shown = async (): Promise<unknown> => {
      const { turn, lastOutcome, waitingInputs, openApprovals } = (await store.query.sessions({})).items[0] ?? {};
      return [turn, lastOutcome, waitingInputs, openApprovals];
    };
    expect(await shown()).toEqual([null, null, 0, 0]);
    await store.write(no, epoch, [
      { write: "turn", row: turnRow("t1", 1) },
      { write: "turn", row: turnRow("t2", 2, { status: "waiting" }) },
      { write: "input", row: inputRow("i1") },
      { write: "input", row: inputRow("i2", { state: "held" }) },
      { write: "input", row: inputRow("i3", { state: "started" }) },
      { write: "approval", row: approvalRow("a1", id) },
    ]);
    expect(await shown()).toEqual(["waiting", null, 2, 1]);
    await store.write(no, epoch, [{ write: "turn-set", id: "t1", set: { status: "completed" } }]);
    await store.write(no, epoch, [{ write: "turn-set", id: "t2", set: { status: "failed" } }]);
    expect(await shown()).toEqual([null, "failed", 2, 1]);
  });

  test("a session's changes show", async () => {
    const { store, no, epoch } = await owned(open);
    const set = { title: "New", permissionMode: "plan", resumeToken: "tok", removedAt: 9, updatedAt: 8 } as const;
    await store.write(no, epoch, [
      { write: "session", set },
      { write: "session", set: {} },
    ]);
    expect((await store.query.session("ses_1"))?.row).toEqual(sessionRow("ses_1", set));
    await store.write(no, epoch, [{ write: "session", set: { removedAt: null } }]);
    expect((await store.query.session("ses_1"))?.row.removedAt).toBeNull();
  });
}

function usageRules(open: OpenStore): void {
  test("usage is summed by session and by turn, cost by currency", async () => {
    const { store, no, id, epoch } = await owned(open);
    const priced = usageRow("u3", id, { turnId: "trn_2" });
    const euros = { ...priced, report: { ...priced.report, cost: { amount: 2, currency: "EUR" } } };
    const timing = { firstTokenMs: 5, totalMs: 40 };
    const free = { ...priced, report: { ...priced.report, requestId: "u4", cost: null, timing } };
    await store.write(no, epoch, [
      { write: "usage", row: usageRow("u1", id) },
      { write: "usage", row: usageRow("u2", id) },
      { write: "usage", row: euros },
      { write: "usage", row: free },
    ]);
    expect(await store.query.usage(no)).toEqual({
      total: { input: 4, output: 8, reasoning: 12, cacheRead: 16, cacheWrite: 20 },
      requests: 4,
      modelMs: 40,
      cost: [
        { currency: "EUR", amount: 2 },
        { currency: "USD", amount: 0.5 },
      ],
    });
    const nothing = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
    expect(await store.query.turnUsage(no, "trn_2")).toEqual({
      input: 2,
      output: 4,
      reasoning: 6,
      cacheRead: 8,
      cacheWrite: 10,
    });
    expect(await store.query.turnUsage(no, "trn_9")).toEqual(nothing);
  });
}
