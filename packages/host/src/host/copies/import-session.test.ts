import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { MooringError } from "../../protocol/errors.ts";
import type { SessionDocument } from "../../protocol/export.ts";
import { openSqliteStore } from "../../stores/sqlite/index.ts";
import { createFakeDriver } from "../../testing/fake-driver.ts";
import { script, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";
import type { SessionHost } from "../api.ts";
import { createHost } from "../create-host.ts";
import { silentLog } from "../silent-log.ts";
import { systemClock } from "../system-clock.ts";
import { systemIds } from "../system-ids.ts";
import { storeSession } from "./test-session.ts";

let worlds: TestHost[] = [];
afterEach(async () => {
  await Promise.all(worlds.map((world) => world.end()));
  worlds = [];
});
async function newWorld(options: TestHostOptions = {}): Promise<TestHost> {
  const world = await testHost(options);
  worlds.push(world);
  return world;
}
/** The text of a document with something of everything. */
async function exported(): Promise<string> {
  const { host, store } = await newWorld();
  return host.export(await storeSession(store, (await host.agents.get("agent")).id), "json");
}
const changed = (text: string, change: (document: Changeable) => void): string => {
  const document = JSON.parse(text) as Changeable;
  change(document);
  return JSON.stringify(document);
};
type Changeable = {
  [Key in keyof SessionDocument]: SessionDocument[Key] extends readonly object[] ? Fields[] : Fields;
};
type Fields = Record<string, unknown>;

/** Sets what `messages[0].id` and the like name. */
function put(document: object, place: string, value: unknown): void {
  const steps = place.match(/[^.[\]]+/g) ?? [];
  const target = steps.slice(0, -1).reduce<unknown>((at, step) => Reflect.get(at as object, step), document);
  Reflect.set(target as object, steps.at(-1) ?? "", value);
}

/** The document of a copy with the ids of its origin, and without what belongs to its host. */
function normal(copy: string, origin: SessionDocument): SessionDocument {
  const document = JSON.parse(copy) as SessionDocument;
  const names = new Map<string, string>([[document.session.id, origin.session.id]]);
  for (const row of document.messages) names.set(row.id, row.originId ?? "");
  for (const list of ["inputs", "turns", "approvals"] as const)
    for (const [at, row] of document[list].entries()) names.set(row.id, origin[list][at]?.id ?? "");
  const named = (_: string, value: unknown): unknown =>
    typeof value === "string" ? (names.get(value) ?? value) : value;
  const { messages, session, ...rest } = JSON.parse(copy, named) as SessionDocument;
  const { agentId, workspace, managed, permissionMode, createdAt, updatedAt } = origin.session;
  const own = { agentId, workspace, managed, permissionMode, createdAt, updatedAt };
  return { ...rest, session: { ...session, ...own }, messages: messages.map((row) => ({ ...row, originId: null })) };
}

async function sqliteHost(): Promise<SessionHost> {
  const dataDir = await mkdtemp(join(tmpdir(), "mooring-import-"));
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
  const host = await createHost({ store, drivers: [createFakeDriver().factory], dataDir, roots: [] });
  onTestFinished(async () => {
    await host.shutdown({ graceMs: 0 });
    await rm(dataDir, { recursive: true, force: true });
  });
  await host.agents.add({ name: "agent", driver: "fake", model: "m1" });
  return host;
}

describe("what was exported", () => {
  test.each([
    ["the memory store", async () => (await newWorld()).host],
    ["SQLite", sqliteHost],
  ])("is the same again after an import, in %s", async (_, open) => {
    const text = await exported();
    const origin = JSON.parse(text) as SessionDocument;
    const host = await open();
    const copy = await host.import({ document: text });
    expect(normal(await host.export(copy.id, "json"), origin)).toEqual(origin);
    expect(copy).toMatchObject({ parentId: null, permissionMode: null, managed: true, title: "Looking *around*" });
    expect(await host.usage(copy.id)).toMatchObject({ requests: 1 });
  });

  test("twice is two sessions, and what was paid for once is counted once", async () => {
    const { host } = await newWorld();
    const text = await exported();
    const first = await host.import({ document: text, id: "chat", title: "Mine" });
    const second = await host.import({ document: text });
    expect(first).toMatchObject({ externalId: "chat", title: "Mine" });
    expect(second.id).not.toBe(first.id);
    expect(await host.usageTotals({ by: "model" })).toMatchObject([{ key: "m", requests: 1 }]);
    await expect(host.import({ document: text, id: "chat" })).rejects.toMatchObject({ code: "session-exists" });
  });

  test("goes on: the agent is given the branch, its compaction names the copy of what it covers", async () => {
    const world = await newWorld();
    const { id } = await world.host.import({ document: await exported() });
    await world.host.submit(id, { text: "and now" });
    const agent = await world.driver.connections.next();
    const messages = (await world.host.messages(id)).messages;
    expect(script(messages).slice(0, 2)).toMatchObject(["U:# Look at *this*", expect.stringContaining("A:Here")]);
    const [first, ...rest] = await agent.input.history();
    expect(first).toMatchObject({ kind: "compaction", done: { covers: messages[0]?.id } });
    expect(rest.map((entry) => (entry.kind === "message" ? entry.message.role : ""))).toEqual([
      "assistant",
      "user",
      "assistant",
    ]);
  });

  test("is told as a transcript to an agent that keeps its history itself", async () => {
    const world = await newWorld({ driver: { capabilities: { history: "native", resume: "resume" } } });
    const { id } = await world.host.import({ document: await exported() });
    expect((await world.store.events(1, 0, 10)).map(({ event }) => event)).toMatchObject([{ code: "told-transcript" }]);
    await world.host.submit(id, { text: "and now" });
    const { input } = await world.driver.connections.next();
    expect([input.resumeToken, input.prompt.append]).toEqual([null, expect.stringContaining("Summary: They looked.")]);
  });
});

describe("what had not ended", () => {
  test("stays behind; what hung on it hangs on what came before", async () => {
    const { host } = await newWorld();
    const document = changed(await exported(), ({ messages, turns, inputs, approvals, session }) => {
      Object.assign(messages[6] ?? {}, { status: "open" });
      Object.assign(messages[7] ?? {}, { status: "open" });
      Object.assign(turns[1] ?? {}, { status: "waiting", endedAt: null });
      Object.assign(inputs[1] ?? {}, { state: "queued", position: 0 });
      Object.assign(approvals[0] ?? {}, { how: null, answer: null });
      messages.push({ ...messages[1], id: "msg_late", parentId: "msg_f", turnId: "trn_b" });
      Object.assign(session, { leaf: "msg_late" });
    });
    const { id, leaf } = await host.import({ document });
    const copy = JSON.parse(await host.export(id, "json")) as SessionDocument;
    expect(copy.messages.map((row) => row.originId)).toEqual([
      ...["msg_a", "msg_b", "msg_side", "msg_flow", "msg_c", "msg_d", "msg_late"],
    ]);
    const late = copy.messages.at(-1);
    expect(copy.messages.find((row) => row.id === late?.parentId)?.originId).toBe("msg_d");
    expect([late?.turnId, late?.id]).toEqual([null, copy.session.leaf]);
    expect([copy.turns.length, copy.inputs.length, copy.approvals.length, leaf]).toEqual([1, 1, 0, null]);
    expect(await host.get(id)).toMatchObject({ state: "idle", turn: null, leaf: late?.id });
  });

  test("in a closed message is closed: no call waits for ever", async () => {
    const { host } = await newWorld();
    const call = { type: "tool-bash", toolCallId: "c", input: { command: "ls" } };
    const document = changed(await exported(), ({ messages }) => {
      const parts = [
        { ...call, state: "approval-requested", approval: { id: "apr_x" } },
        { type: "dynamic-tool", toolName: "web", toolCallId: "d", state: "input-streaming" },
        { ...call, toolCallId: "e", state: "output-available", output: 1, preliminary: true },
        { type: "text", text: "half", state: "streaming" },
      ];
      Object.assign(messages[7] ?? {}, { parts });
    });
    const { id } = await host.import({ document });
    const parts = (await host.messages(id)).messages.at(-1)?.parts ?? [];
    expect(parts.map((part) => ("state" in part ? part.state : ""))).toEqual([
      "output-error",
      "output-error",
      "output-error",
      "done",
    ]);
    expect(parts[0]).toMatchObject({ ...call, errorText: expect.stringContaining("not part of the document") });
  });
});

describe("a document of tomorrow, or by hand", () => {
  test("rows of unknown kinds are entries, unknown fields are left out, absent ones are null", async () => {
    const { host } = await newWorld();
    const [createdAt, parts] = [5, [{ type: "text", text: "hi", future: { a: 1 } }]];
    const document = JSON.stringify({
      format: "mooring-session",
      version: 1,
      future: true,
      session: { id: "s", leaf: "c", permissionMode: "bypassPermissions", workspace: "/etc" },
      messages: [
        { id: "a", kind: "message", role: "user", status: "completed", parts, createdAt },
        { id: "b", parentId: "a", kind: "bookmark", parts: [{ type: "?" }], metadata: { at: 1 }, createdAt, future: 1 },
        { id: "c", parentId: "b", kind: "entry", label: "mark", createdAt },
      ],
    });
    const { id, permissionMode, workspace } = await host.import({ document });
    expect([permissionMode, workspace]).toEqual([null, expect.stringContaining(id)]);
    const { messages } = JSON.parse(await host.export(id, "json")) as SessionDocument;
    expect(messages).toMatchObject([
      { kind: "message", parts, author: null, closedAt: createdAt },
      { kind: "entry", label: "bookmark", parts: [{ type: "?" }], metadata: { at: 1 }, role: "system" },
      { kind: "entry", label: "mark", parts: [], metadata: null },
    ]);
    expect(script((await host.messages(id)).messages)).toEqual(["U:hi"]);
  });

  /** What is set where (undefined: taken away), and the field the error names when that is another one. */
  type Wrong = [place: string, value: unknown, field?: string];
  const wrong: readonly Wrong[] = [
    ["format", "other"],
    ["version", 2],
    ["messages", {}],
    ["session.leaf", "msg_none"],
    ["messages[1].parentId", "msg_none"],
    ["messages[1].parentId", "msg_c"], // it comes later
    ["messages[7].id", "msg_a"],
    ["messages[0].createdAt", "now"],
    ["messages[0].createdAt", 1e300],
    ["messages[0].role", "tool"],
    ["messages[0].parts[0].text", undefined],
    ["messages[0].parts[1]", { type: "sound" }, "messages[0].parts[1].type"],
    ["messages[1].parts[3].state", undefined],
    ["messages[1].parts[4].toolName", undefined],
    ["messages[1].parts[5].approval.approved", true],
    ["messages[4].metadata.covers", 7],
    ["messages[4].metadata", null],
    ["turns[1].no", 1],
    ["turns[1].id", "trn_a"],
    ["inputs[0].input.origin", "moon"],
    ["usage[0].report.tokens.input", 0.5],
    ["approvals[0].toolName", undefined],
  ];
  test.each<Wrong>(wrong)("what is wrong is named: %s %j", async (place, value, named) => {
    const field = named ?? place;
    const { host } = await newWorld();
    const document = changed(await exported(), (fields) => put(fields, place, value));
    const failure: unknown = await host.import({ document }).catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(MooringError);
    expect(failure).toMatchObject({ code: "bad-export", detail: { field }, message: expect.stringContaining(field) });
    expect((await host.list()).items).toEqual([]);
  });

  test("a file of this computer is not named, and nothing is nested without end", async () => {
    const { host } = await newWorld();
    const text = await exported();
    const withPart = (part: object) =>
      changed(text, ({ messages }) => Object.assign(messages[0] ?? {}, { parts: [part] }));
    const file = { type: "file", mediaType: "text/plain", url: " FILE:///etc/passwd" };
    await expect(host.import({ document: withPart(file) })).rejects.toMatchObject({
      detail: { field: "messages[0].parts[0].url" },
    });
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const document = withPart({ type: "data-x", data: "DEEP" }).replace('"DEEP"', deep);
    await expect(host.import({ document })).rejects.toMatchObject({ detail: { field: "messages[0]" } });
  });

  test("what is no JSON, no text or too much is refused", async () => {
    const { host } = await newWorld({ limits: { importBytes: 20 } });
    const code = (document: unknown) =>
      host.import({ document: document as string }).catch((cause: unknown) => (cause as MooringError).code);
    expect(await Promise.all(["{", "null", "[1]", 7, "x".repeat(21)].map(code))).toEqual([
      ...["bad-export", "bad-export", "bad-export", "bad-export", "import-too-large"],
    ]);
  });

  test("halves of characters become the sign for what cannot be read", async () => {
    const { host } = await newWorld();
    const document = changed(await exported(), ({ session }) => Object.assign(session, { title: "a\ud800b" }));
    expect((await host.import({ document })).title).toBe("a\ufffdb");
  });
});
