/** Session files: what was written elsewhere opens here and comes out as it was; what is said here goes on behind it. */
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type AgentSessionRuntime,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  MissingSessionCwdError,
  SessionImportFileNotFoundError,
  SessionManager,
} from "@mooring/host/runtime";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Ear, RuntimeWorld } from "./runtime-world.ts";

let world: RuntimeWorld;
beforeEach(async () => {
  world = await RuntimeWorld.open();
});
afterEach(() => world.end());

async function runtime(manager = SessionManager.create(world.cwd)): Promise<AgentSessionRuntime> {
  return createAgentSessionRuntime(
    async ({ cwd, sessionManager, sessionStartEvent }) => {
      const services = await world.services({}, cwd);
      const made = await createAgentSessionFromServices({ services, sessionManager, sessionStartEvent });
      return { ...made, services, diagnostics: services.diagnostics };
    },
    { cwd: world.cwd, agentDir: world.agentDir, host: world.host, sessionManager: manager },
  );
}
const at = "2026-01-02T03:04:05.000Z";
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
type Entry = Readonly<Record<string, unknown>>;
const entry = (type: string, id: string, parentId: string | null, rest: Entry): Entry => ({
  type,
  id,
  parentId,
  timestamp: at,
  ...rest,
});
const message = (id: string, parentId: string | null, said: Entry): Entry =>
  entry("message", id, parentId, { message: said });
const assistant = (content: unknown, stopReason = "stop"): Entry => ({
  role: "assistant",
  content,
  api: "a",
  provider: "p",
  model: "m",
  usage,
  stopReason,
});
/** One of every kind, with a branch that was left. */
const everything = (): readonly Entry[] => [
  entry("model_change", "01", null, { provider: "p", modelId: "m" }),
  entry("thinking_level_change", "02", "01", { thinkingLevel: "high" }),
  message("03", "02", { role: "user", content: "list" }),
  message(
    "04",
    "03",
    assistant(
      [
        { type: "thinking", thinking: "hm" },
        { type: "toolCall", id: "c1", name: "ls", arguments: {} },
      ],
      "toolUse",
    ),
  ),
  message("05", "04", {
    role: "toolResult",
    toolCallId: "c1",
    toolName: "ls",
    content: [{ type: "text", text: "a b" }],
    isError: false,
  }),
  message("06", "05", assistant([{ type: "text", text: "a and b" }])),
  message("07", "06", { role: "user", content: "left behind" }),
  message("08", "07", assistant([{ type: "text", text: "wrong way" }])),
  entry("branch_summary", "09", "06", { fromId: "08", summary: "We tried the wrong way." }),
  entry("label", "10", "09", { targetId: "03", label: "start" }),
  entry("custom", "11", "10", { customType: "ext", data: { n: [1, { deep: true }] } }),
  entry("custom_message", "12", "11", { customType: "ext", content: "mind the gap", display: true }),
  entry("session_info", "13", "12", { name: "Listing" }),
  entry("context_edit", "14", "13", { edits: [] }),
  entry("from_the_future", "15", "14", { odd: { x: 1 } }),
  message("16", "15", { role: "user", content: [{ type: "text", text: "and c?" }] }),
  message("17", "16", assistant([{ type: "text", text: "no" }], "aborted")),
];
async function file(entries: readonly Entry[], header: Entry = {}, name = "session.jsonl"): Promise<string> {
  const path = join(world.place, name);
  const lines = [{ type: "session", version: 3, id: "0191-a", timestamp: at, cwd: world.cwd, ...header }, ...entries];
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}
const lines = (text: string): string[] => text.trimEnd().split("\n").slice(1);

test("a file with every kind of entry is imported, exported as it was but for what was left, and goes on", async () => {
  const one = await runtime();
  const entries = everything();
  await one.importFromJsonl(await file(entries));
  const { session } = one;
  expect([session.sessionId, session.cwd]).toEqual(["0191-a", world.cwd]);
  const kept = entries.filter(({ id }) => id !== "07" && id !== "08").map((line) => JSON.stringify(line));
  const text = await session.exportToJsonl();
  expect(JSON.parse(text.split("\n")[0] ?? "")).toMatchObject({
    type: "session",
    version: 3,
    id: "0191-a",
    cwd: world.cwd,
  });
  expect(lines(text)).toEqual(kept);

  const ear = new Ear(session);
  await session.prompt("#say onwards");
  expect(ear.said).toBe("onwards");
  const more = lines(await session.exportToJsonl());
  expect(more.slice(0, kept.length)).toEqual(kept);
  const [user, answer] = more.slice(kept.length).map((line): Entry => JSON.parse(line));
  expect(user).toMatchObject({ type: "message", parentId: "17", message: { role: "user", content: "#say onwards" } });
  expect(answer).toMatchObject({
    parentId: user?.["id"],
    message: { role: "assistant", content: [{ text: "onwards" }] },
  });
  expect(lines(await session.exportToJsonl())).toEqual(more); // the same each time
});

test("B066: what is exported is imported as the same conversation, and in memory too", async () => {
  const one = await runtime();
  await one.session.prompt("#bash echo hi\n#say seen");
  await one.session.prompt("#say two");
  const before = await one.session.getMessages();
  const path = join(world.place, "out.jsonl");
  await writeFile(path, await one.session.exportToJsonl());
  const plain = (messages: readonly object[]): unknown[] =>
    messages.map((said) => ({ ...said, timestamp: 0, model: "", details: 0 }));
  await one.importFromJsonl(path);
  expect(plain(await one.session.getMessages())).toEqual(plain(before));
  expect(one.session.sessionId).toMatch(/-1$/); // B060: the one that is there stays as it is
  const memory = await runtime(SessionManager.inMemory(world.cwd));
  await memory.importFromJsonl(path);
  expect(plain(await memory.session.getMessages())).toEqual(plain(before));
  expect(memory.session.sessionFile).toBeUndefined();
});

test("B060: a second import of a file gets a name of its own", async () => {
  const one = await runtime();
  const path = await file(everything());
  for (const id of ["0191-a", "0191-a-1", "0191-a-2"]) {
    await one.importFromJsonl(path);
    expect(one.session.sessionId).toBe(id);
  }
});

test("B061: a file that is switched to is read in once, then its session is the store's", async () => {
  const one = await runtime();
  const path = await file(everything());
  await one.switchSession(path);
  await one.session.prompt("#say more");
  await one.newSession();
  await one.switchSession(path);
  expect([one.session.sessionId, (await one.session.getMessages()).at(-1)]).toMatchObject([
    "0191-a",
    { content: [{ text: "more" }] },
  ]);
  expect((await world.host.stored.list()).items.length).toBe(1);
});

test("B062 B065: nothing stays of what was cancelled or is no session", async () => {
  const one = await runtime();
  const bad = join(world.place, "bad.jsonl");
  await writeFile(bad, "garbage");
  await expect(one.importFromJsonl(bad)).rejects.toMatchObject({ code: "not-a-session" });
  await expect(one.importFromJsonl(join(world.place, "none.jsonl"))).rejects.toBeInstanceOf(
    SessionImportFileNotFoundError,
  );
  expect((await world.host.stored.list()).items).toEqual([]);
  expect((await readdir(world.place)).sort()).toEqual(["bad.jsonl", "data", "work"]);
});

test("B064: a file whose directory is gone is refused, or goes on in the one that is named", async () => {
  const one = await runtime();
  const path = await file(everything(), { cwd: join(world.place, "gone") });
  await expect(one.importFromJsonl(path)).rejects.toBeInstanceOf(MissingSessionCwdError);
  await one.importFromJsonl(path, world.cwd);
  expect(one.cwd).toBe(world.cwd);
});

test("the agent is told what an imported conversation says, its summaries too", async () => {
  const one = await runtime();
  const entries = everything().slice(0, 9);
  await one.importFromJsonl(await file(entries));
  const texts = (await one.session.getMessages()).map((said) =>
    "content" in said ? JSON.stringify(said.content) : "",
  );
  expect(texts.join()).toContain("a and b");
  expect(texts.join()).not.toContain('wrong way"');
});

test("the parent is kept with the session: of a fork, of a new one, of a file; and written into its file", async () => {
  const one = await runtime();
  const headerOf = async (): Promise<Entry> => JSON.parse((await one.session.exportToJsonl()).split("\n")[0] ?? "");
  const reopen = async (): Promise<void> => {
    const reference = one.session.sessionFile ?? "";
    await one.newSession();
    await one.switchSession(reference);
  };
  await one.newSession({ parentSession: "from-afar" });
  await one.session.prompt("#say one");
  await reopen();
  expect(await headerOf()).toMatchObject({ id: one.session.sessionId, parentSession: "from-afar" });
  const parent = one.session.sessionId;
  const [said] = await one.session.getUserMessagesForForking();
  await one.fork(said?.entryId ?? "", { position: "at" });
  await reopen();
  expect(one.session.sessionManager.parentSession).toBe(parent);
  expect(await headerOf()).toMatchObject({ id: one.session.sessionId, parentSession: parent });
  await one.importFromJsonl(await file(everything(), { parentSession: "/old/place.jsonl", extra: { kept: true } }));
  await reopen();
  expect(await headerOf()).toMatchObject({ id: "0191-a", timestamp: at, parentSession: "/old/place.jsonl" });
  expect(await headerOf()).toMatchObject({ extra: { kept: true } });
  const [imported] = await one.session.getUserMessagesForForking();
  await one.fork(imported?.entryId ?? "", { position: "at" });
  const header = await headerOf(); // not what the file said of the session it is forked from
  expect([header["parentSession"], header["extra"]]).toEqual(["0191-a", undefined]);
});

test("B153: files of a directory are found by id and by where they work; what is no session file is passed over", async () => {
  const own = join(world.cwd, "kept");
  expect(await SessionManager.listAll(own)).toEqual([]);
  await mkdir(own);
  const write = (name: string, text: string): Promise<void> => writeFile(join(own, name), text);
  const header = (id: string, cwd: string): string => `${JSON.stringify({ type: "session", version: 3, id, cwd })}\n`;
  await write("a.jsonl", `${header("one", world.cwd)}${"x".repeat(100_000)}`);
  await write("b.jsonl", header("two", "/elsewhere"));
  await write("c.jsonl", "no session\n");
  await write("d.txt", header("three", world.cwd));
  expect(await SessionManager.findById("/elsewhere", "one", own)).toBeUndefined();
  expect(await SessionManager.findById(`${world.cwd}/`, "one", own)).toBe(join(own, "a.jsonl"));
  expect(await SessionManager.findById(world.cwd, "on", own)).toBeUndefined();
  await utimes(join(own, "a.jsonl"), 1_000, 1_000);
  expect((await SessionManager.listAll(own)).map(({ id }) => id)).toEqual(["two", "one"]);
  expect(await SessionManager.list(world.cwd, own)).toMatchObject([{ id: "one", modified: 1_000_000 }]);
  await expect(SessionManager.listAll(join(own, "a.jsonl", "below"))).resolves.toEqual([]);
  const runs = await runtime();
  await runs.session.prompt("#say kept");
  await write("e.jsonl", await runs.session.exportToJsonl());
  await runs.newSession();
  const path = await SessionManager.findById(world.cwd, runs.session.sessionId, own);
  expect(path).toBeUndefined(); // of another session
  const [kept] = (await SessionManager.list(world.cwd, own)).filter(({ path: at }) => at.endsWith("e.jsonl"));
  await runs.switchSession(kept?.path ?? "");
  expect(runs.session.sessionId).toBe(kept?.id);
  expect((await runs.session.getMessages()).length).toBe(2);
  await runs.dispose();
});
