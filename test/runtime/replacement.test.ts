/** Replacing the session: the order of things, who may say no, and what is left when something fails. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type AgentSession,
  type AgentSessionRuntime,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  type ExtensionFactory,
  MissingSessionCwdError,
  SessionManager,
} from "@mooring/host/runtime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Ear, RuntimeWorld } from "./runtime-world.ts";

let world: RuntimeWorld;
beforeEach(async () => {
  world = await RuntimeWorld.open();
});
afterEach(() => world.end());

const lifecycle = ["session_start", "session_before_switch", "session_before_fork", "session_shutdown"] as const;
type Made = { readonly runtime: AgentSessionRuntime; readonly order: string[] };

/** A runtime whose lifecycle is noted in `order`. */
async function made(extension: ExtensionFactory = () => {}, manager = SessionManager.create(world.cwd)): Promise<Made> {
  const order: string[] = [];
  const note: ExtensionFactory = (pi) => {
    for (const type of lifecycle)
      pi.on(
        type,
        (event: { readonly type: string }) =>
          void order.push(`${type} ${JSON.stringify({ ...event, type: undefined })}`),
      );
    pi.on("agent_settled", ({ aborted }) => void order.push(`agent_settled ${aborted}`));
  };
  const runtime = await createAgentSessionRuntime(
    async ({ cwd, sessionManager, sessionStartEvent }) => {
      order.push(`factory ${cwd === world.cwd ? "here" : cwd}`);
      const services = await world.services({ extensionFactories: [extension, note] }, cwd);
      const result = await createAgentSessionFromServices({ services, sessionManager, sessionStartEvent });
      return { ...result, services, diagnostics: services.diagnostics };
    },
    { cwd: world.cwd, agentDir: world.agentDir, host: world.host, sessionManager: manager },
  );
  runtime.setRebindSession(async (session) => {
    order.push("rebind");
    await session.bindExtensions({});
  });
  runtime.setBeforeSessionInvalidate(() => void order.push("invalidate"));
  await runtime.session.bindExtensions({});
  return { runtime, order };
}
const said = async (session: AgentSession): Promise<string[]> =>
  session.hostedId === null
    ? []
    : (await session.host.messages(session.hostedId)).messages.map(
        ({ role, parts }) => `${role} ${JSON.stringify(parts)}`,
      );
const fileOf = (session: AgentSession): string => session.sessionFile ?? "";

// --- new session --------------------------------------------------------------------------------------------------

test("B010 B011: binding starts the extensions once", async () => {
  const { runtime, order } = await made();
  await runtime.session.bindExtensions({ mode: "json" });
  expect(order).toEqual(["factory here", 'session_start {"reason":"startup"}']);
});

test("B013 B017 B073: a new session, each step in its order", async () => {
  const { runtime, order } = await made();
  const old = runtime.session;
  await old.prompt("#say one");
  order.length = 0;
  const replaced = await runtime.newSession({ withSession: () => void order.push("withSession") });
  const { session } = runtime;
  expect([replaced, session === old, session.cwd, session.hostedId]).toEqual([
    { cancelled: false },
    false,
    world.cwd,
    null,
  ]);
  expect(order).toEqual([
    'session_before_switch {"reason":"new"}',
    `session_shutdown {"reason":"new","targetSessionFile":"${fileOf(session)}"}`,
    "invalidate",
    "factory here",
    "rebind",
    `session_start {"reason":"new","previousSessionFile":"${fileOf(old)}"}`,
    "withSession",
  ]);
  expect((await world.host.stored.list()).items.length).toBe(1); // the new one has no row before its first input
});

test("B014 B015: the first handler that cancels ends it, and nothing changed", async () => {
  const { runtime, order } = await made((pi) => pi.on("session_before_switch", () => ({ cancel: true })));
  const { session } = runtime;
  order.length = 0;
  expect(await runtime.newSession()).toEqual({ cancelled: true });
  expect([runtime.session === session, order]).toEqual([true, []]);
  await session.prompt("#say still here");
});

test("B016: a handler that throws refuses the replacement with its error", async () => {
  const { runtime, order } = await made((pi) =>
    pi.on("session_before_switch", () => {
      throw new TypeError("no policy, no switch");
    }),
  );
  order.length = 0;
  await expect(runtime.newSession()).rejects.toThrow("no policy, no switch");
  expect([order, runtime.session.isClosed]).toEqual([[], false]);
});

test("B018: a session in memory is followed by one in memory", async () => {
  const { runtime } = await made(undefined, SessionManager.inMemory(world.cwd));
  await runtime.session.prompt("#say one");
  await runtime.newSession();
  await runtime.session.prompt("#say two");
  expect([runtime.session.sessionFile, (await world.host.stored.list()).items]).toEqual([undefined, []]);
  expect((await (await world.host.memory()).list()).items.length).toBe(2);
});

test("B020 B024 B146: setup fills the new session before anybody sees it; withSession speaks in it", async () => {
  const { runtime, order } = await made();
  order.length = 0;
  await runtime.newSession({
    setup: (draft) => {
      draft.appendMessage({ role: "user", content: "earlier" });
      draft.appendMessage({ role: "assistant", content: "answer" });
      draft.appendCustomEntry("state", { n: 1 });
      order.push("setup");
    },
    withSession: async (context) => {
      await context.sendUserMessage("#say hello");
      order.push(`spoke, idle ${context.isIdle()}`);
    },
  });
  expect(order.filter((line) => /setup|rebind|spoke/.test(line))).toEqual(["setup", "rebind", "spoke, idle true"]);
  expect((await said(runtime.session)).length).toBe(4);
  const { rows } = await runtime.session.host.tree.read(runtime.session.hostedId ?? "");
  expect(rows.map(({ label, role }) => label ?? role)).toEqual(["user", "assistant", "custom", "user", "assistant"]);
});

test("B022 B023 B025 B076: a hook that throws is the caller's to hear, the new session stays; hooks can be taken away", async () => {
  const { runtime, order } = await made();
  const old = runtime.session;
  runtime.setRebindSession(() => {
    throw new TypeError("cannot bind");
  });
  await expect(runtime.newSession({ withSession: () => void order.push("never") })).rejects.toThrow("cannot bind");
  expect([runtime.session === old, runtime.session.isClosed, order.includes("never")]).toEqual([false, false, false]);
  runtime.setRebindSession(undefined);
  runtime.setBeforeSessionInvalidate(undefined);
  order.length = 0;
  const failing = (): never => {
    throw new TypeError("my own");
  };
  await expect(runtime.newSession({ withSession: failing })).rejects.toThrow("my own");
  expect(order.map((line) => line.split(" ")[0])).toEqual(["session_before_switch", "session_shutdown", "factory"]);
  await runtime.session.prompt("#say works");
});

test("B026: a tool that runs is stopped and settled before the shutdown, and the outgoing prompt resolves", async () => {
  const { runtime, order } = await made();
  const ear = new Ear(runtime.session);
  const { session } = runtime;
  const prompted = session.prompt("#bash sleep 30");
  await ear.until("tool_execution_start");
  order.length = 0;
  await runtime.newSession();
  await prompted;
  expect(order.map((line) => line.split(" {")[0]).slice(0, 3)).toEqual([
    "session_before_switch",
    "agent_settled true",
    "session_shutdown",
  ]);
  expect(ear.of("tool_execution_end")).toMatchObject([{ isError: true }]);
});

test("B028: an invalidate hook that throws leaves the session current, told once; the next replacement goes on", async () => {
  const { runtime, order } = await made();
  const { session } = runtime;
  runtime.setBeforeSessionInvalidate(() => {
    throw new TypeError("not now");
  });
  await expect(runtime.newSession()).rejects.toThrow("not now");
  expect([runtime.session === session, session.isClosed]).toEqual([true, false]);
  runtime.setBeforeSessionInvalidate(undefined);
  await runtime.newSession();
  expect(order.filter((line) => line.startsWith("session_shutdown")).length).toBe(1);
});

test("B029: a handler of session_shutdown that throws is reported, and the replacement completes", async () => {
  const { runtime } = await made((pi) =>
    pi.on("session_shutdown", () => {
      throw new TypeError("bye");
    }),
  );
  const errors: string[] = [];
  await runtime.session.bindExtensions({ onError: ({ error }) => errors.push(error) });
  expect([await runtime.newSession(), errors]).toEqual([{ cancelled: false }, ["bye"]]);
});

test("B030: two replacements at once happen one after the other, and nothing leaks", async () => {
  const { runtime, order } = await made();
  const sessions = [runtime.session];
  runtime.setRebindSession((session) => void sessions.push(session));
  expect(await Promise.all([runtime.newSession(), runtime.newSession()])).toEqual([
    { cancelled: false },
    { cancelled: false },
  ]);
  expect(order.filter((line) => line.startsWith("session_shutdown")).length).toBe(2);
  expect(sessions.map(({ isClosed }) => isClosed)).toEqual([true, true, false]);
});

test("a factory that throws leaves no session that answers; the next replacement goes on", async () => {
  let broken = false;
  const runtime = await createAgentSessionRuntime(
    async ({ cwd, sessionManager }) => {
      if (broken) throw new TypeError("no services");
      const services = await world.services({}, cwd);
      return { ...(await createAgentSessionFromServices({ services, sessionManager })), services, diagnostics: [] };
    },
    { cwd: world.cwd, agentDir: world.agentDir, host: world.host, sessionManager: SessionManager.create(world.cwd) },
  );
  const { session } = runtime;
  await session.prompt("#say one");
  broken = true;
  await expect(runtime.fork((await world.host.stored.messages(fileOf(session))).messages[0]?.id ?? "")).rejects.toThrow(
    "no services",
  );
  expect((await world.host.stored.list()).items.length).toBe(1); // the fork was taken back
  await expect(session.prompt("#say zombie")).rejects.toMatchObject({ code: "session-closed" });
  broken = false;
  await runtime.newSession();
  await runtime.session.prompt("#say alive");
});

test("replacing from inside a handler or a hook of a replacement is refused, not waited for", async () => {
  const codes: unknown[] = [];
  const { runtime } = await made((pi) =>
    pi.on("agent_end", async () => {
      await runtime.newSession().catch((cause: { readonly code: unknown }) => codes.push(cause.code));
    }),
  );
  await runtime.session.prompt("#say one");
  await runtime.newSession({
    withSession: async () => {
      await runtime.newSession().catch((cause: { readonly code: unknown }) => codes.push(cause.code));
    },
  });
  expect(codes).toEqual(["would-deadlock", "would-deadlock"]);
});

test("a command replaces the session it was given in", async () => {
  const { runtime } = await made((pi) =>
    pi.registerCommand("new", { handler: async (_, context) => void (await context.newSession()) }),
  );
  const { session } = runtime;
  await session.bindExtensions({ commandContextActions: { newSession: (options) => runtime.newSession(options) } });
  await session.prompt("/new");
  expect([runtime.session === session, session.isClosed]).toEqual([false, true]);
});

// --- what is over -------------------------------------------------------------------------------------------------

test("B074 B075: what was kept of a session that is over throws, and so does the session", async () => {
  let kept: (() => unknown)[] = [];
  const { runtime } = await made((pi) =>
    pi.on("session_start", (_, context) => {
      kept = [() => context.isIdle(), () => context.cwd, () => pi.getSessionName(), () => pi.events.emit("c", 1)];
    }),
  );
  const [before, old] = [kept, runtime.session];
  for (const use of before) use();
  await runtime.newSession();
  for (const use of before) expect(use).toThrow(expect.objectContaining({ code: "stale-context" }));
  for (const call of [old.prompt("#say zombie"), old.abort(), old.waitForIdle(), old.steer("x")])
    await expect(call).rejects.toMatchObject({ code: "session-closed" });
});

test("B144 B160: a reload is refused while anything runs, makes contexts stale, and doubles no handler", async () => {
  const heard: unknown[] = [];
  let loads = 0;
  let context: { isIdle(): boolean } | null = null;
  const { runtime, order } = await made((pi) => {
    loads++;
    pi.events.on("c", (data) => void heard.push(data));
    pi.on("session_start", (_, given) => {
      context = given;
    });
  });
  const { session } = runtime;
  const before = context as { isIdle(): boolean } | null;
  const ear = new Ear(session);
  const running = session.prompt("#bash sleep 5");
  await ear.until("tool_execution_start");
  await expect(session.reload()).rejects.toMatchObject({ code: "session-busy" });
  await session.abort();
  await running;
  order.length = 0;
  await session.reload();
  runtime.services.resourceLoader.events.emit("c", 1);
  expect([loads, heard]).toEqual([2, [1]]);
  expect(() => before?.isIdle()).toThrow(expect.objectContaining({ code: "stale-context" }));
  expect(order.map((line) => line.split(" ")[1])).toEqual(['{"reason":"reload"}', '{"reason":"reload"}']);
  await runtime.newSession();
  runtime.services.resourceLoader.events.emit("c", 2);
  expect(heard).toEqual([1, 2]);
});

test("B069 B070: dispose stops what runs, says quit once, and takes no replacement after it", async () => {
  const { runtime, order } = await made();
  const { session } = runtime;
  const ear = new Ear(session);
  const prompted = session.prompt("#bash sleep 30");
  await ear.until("tool_execution_start");
  order.length = 0;
  await Promise.all([runtime.dispose(), runtime.dispose()]);
  await runtime.dispose();
  await prompted;
  expect(order).toEqual(["agent_settled true", 'session_shutdown {"reason":"quit"}', "invalidate"]);
  expect((await textsOf(fileOf(session))).at(-1)).toMatch(/output-error/);
  await expect(runtime.newSession()).rejects.toMatchObject({ code: "session-closed" });
});
const textsOf = async (id: string): Promise<string[]> =>
  (await world.host.stored.messages(id)).messages.map(({ parts }) => JSON.stringify(parts));

test("a session disposed of by itself says its shutdown too", async () => {
  const { runtime, order } = await made();
  order.length = 0;
  await runtime.session.dispose();
  await runtime.session.dispose();
  expect(order).toEqual(['session_shutdown {"reason":"quit"}']);
});

// --- switch -------------------------------------------------------------------------------------------------------

test("B033: a stored session is opened again, with what was said in it", async () => {
  const { runtime, order } = await made();
  await runtime.session.prompt("#say one");
  const first = fileOf(runtime.session);
  await runtime.newSession();
  await runtime.session.prompt("#say two");
  const second = fileOf(runtime.session);
  order.length = 0;
  expect(await runtime.switchSession(first)).toEqual({ cancelled: false });
  expect([runtime.session.sessionId, (await said(runtime.session)).length]).toEqual([first, 2]);
  expect(order).toEqual([
    `session_before_switch {"reason":"resume","targetSessionFile":"${first}"}`,
    `session_shutdown {"reason":"resume","targetSessionFile":"${first}"}`,
    "invalidate",
    "factory here",
    "rebind",
    `session_start {"reason":"resume","previousSessionFile":"${second}"}`,
  ]);
  const ear = new Ear(runtime.session);
  await runtime.session.prompt("#say three");
  expect([ear.said, (await said(runtime.session)).length]).toEqual(["three", 4]);
});

test.each([
  ["B036", "that is no session", "hello\n", "not-a-session"],
  ["B037", "that is empty", "", "not-a-session"],
  [
    "B149",
    "whose header is not first",
    '{"type":"message"}\n{"type":"session","id":"x","version":3}\n',
    "not-a-session",
  ],
  ["B150", "of a version to come", '{"type":"session","id":"x","version":4}\n', "unknown-session-version"],
])("%s: a file %s is refused, untouched, and the session stays", async (_, __, text, code) => {
  const { runtime, order } = await made();
  const { session } = runtime;
  const path = join(world.place, "file.jsonl");
  await writeFile(path, text);
  order.length = 0;
  await expect(runtime.switchSession(path)).rejects.toMatchObject({ code });
  expect([runtime.session === session, order.length, await readFile(path, "utf8")]).toEqual([true, 1, text]);
  expect((await world.host.stored.list()).items).toEqual([]);
});

test("B043: what is not there is refused, and nothing is made", async () => {
  const { runtime } = await made();
  const path = join(world.place, "no", "such.jsonl");
  await expect(runtime.switchSession(path)).rejects.toMatchObject({ code: "import-file-not-found" });
  await expect(runtime.switchSession("nobody")).rejects.toMatchObject({ code: "no-such-session" });
  await expect(readFile(join(world.place, "no"))).rejects.toMatchObject({ code: "ENOENT" });
  await runtime.session.prompt("#say fine");
});

test("a session that was left before its first input is there to go back to, with what it began with", async () => {
  const { runtime } = await made();
  const first = fileOf(runtime.session);
  await runtime.newSession({ setup: (draft) => void draft.appendMessage({ role: "user", content: "begun" }) });
  const second = fileOf(runtime.session);
  expect(await runtime.switchSession(first)).toEqual({ cancelled: false });
  expect([runtime.session.sessionId, await said(runtime.session)]).toEqual([first, []]);
  await runtime.session.prompt("#say stored");
  await runtime.switchSession(second);
  expect([runtime.session.sessionId, await runtime.session.getMessages()]).toMatchObject([
    second,
    [{ content: "begun" }],
  ]);
  await runtime.switchSession(first); // of the store now
  expect((await said(runtime.session)).length).toBe(2);
});

describe("a stored session whose directory is gone", () => {
  async function lost(): Promise<{ readonly id: string; readonly cwd: string }> {
    const cwd = join(world.place, "gone");
    await mkdir(cwd);
    const services = await world.services({}, cwd);
    const { session } = await createAgentSessionFromServices({ services, sessionManager: SessionManager.create(cwd) });
    await session.prompt("#say here");
    await session.dispose();
    await rm(cwd, { recursive: true });
    return { id: fileOf(session), cwd };
  }

  test("B001: is not created: the factory is not called", async () => {
    const { id, cwd } = await lost();
    const target = {
      cwd: world.cwd,
      agentDir: world.agentDir,
      host: world.host,
      sessionManager: SessionManager.open(id),
    };
    const creating = createAgentSessionRuntime(() => {
      throw new TypeError("called");
    }, target);
    await expect(creating).rejects.toBeInstanceOf(MissingSessionCwdError);
    await expect(creating).rejects.toMatchObject({ sessionFile: id, sessionCwd: cwd, fallbackCwd: world.cwd });
  });

  test("B038 B064: is not switched to, unless another directory is named for it", async () => {
    const { id } = await lost();
    const { runtime, order } = await made();
    order.length = 0;
    await expect(runtime.switchSession(id)).rejects.toBeInstanceOf(MissingSessionCwdError);
    expect(order.length).toBe(1);
    await runtime.switchSession(id, { cwdOverride: world.cwd });
    expect([(await said(runtime.session)).length, runtime.cwd]).toEqual([2, world.cwd]);
  });
});

test("B002: of a session in memory no directory is looked for", async () => {
  const { runtime } = await made(undefined, SessionManager.inMemory(join(world.place, "nowhere")));
  expect(runtime.session.sessionFile).toBeUndefined();
});

test("B040: another directory brings services of its own, and a new session stays there", async () => {
  const other = join(world.place, "other");
  await mkdir(other);
  const services = await world.services({}, other);
  const { session } = await createAgentSessionFromServices({ services, sessionManager: SessionManager.create(other) });
  await session.prompt("#say there");
  await session.dispose();
  const { runtime } = await made();
  const before = runtime.services;
  await runtime.switchSession(fileOf(session));
  expect([runtime.cwd, runtime.services === before]).toEqual([other, false]);
  await runtime.newSession();
  expect(runtime.cwd).toBe(other);
});

// --- fork ---------------------------------------------------------------------------------------------------------

test("B046 B047 B056: a fork is a session of its own, at an entry or before a user message", async () => {
  const { runtime, order } = await made();
  await runtime.session.prompt("#say one");
  await runtime.session.prompt("#say two");
  const source = fileOf(runtime.session);
  const ids = (await world.host.stored.messages(source)).messages.map(({ id }) => id);
  order.length = 0;
  expect(await runtime.fork(ids[2] ?? "")).toEqual({ cancelled: false, selectedText: "#say two" });
  const fork = fileOf(runtime.session);
  expect((await said(runtime.session)).length).toBe(2);
  expect(order).toEqual([
    `session_before_fork {"entryId":"${ids[2]}","position":"before"}`,
    `session_shutdown {"reason":"fork","targetSessionFile":"${fork}"}`,
    "invalidate",
    "factory here",
    "rebind",
    `session_start {"reason":"fork","previousSessionFile":"${source}"}`,
  ]);
  await runtime.switchSession(source);
  expect(await runtime.fork(ids[3] ?? "", { position: "at" })).toEqual({ cancelled: false });
  expect((await said(runtime.session)).length).toBe(4);
});

test("B045 B057: before the first message there is an empty session, whose parent is named", async () => {
  const { runtime } = await made();
  await runtime.session.prompt("#say one");
  const source = runtime.session.sessionId;
  const [first] = (await world.host.stored.messages(source)).messages;
  await runtime.fork(first?.id ?? "");
  expect([await said(runtime.session), runtime.session.sessionManager.parentSession]).toEqual([[], source]);
});

test("B048 B049 B050 B051: who may say no is asked first; what is no place to fork at is refused, nothing changed", async () => {
  let cancel = false;
  const { runtime } = await made((pi) => pi.on("session_before_fork", () => ({ cancel })));
  const { session } = runtime;
  await expect(runtime.fork("msg_none", { position: "at" })).rejects.toMatchObject({ code: "not-stored-yet" });
  await session.prompt("#say one");
  const [, answer] = (await world.host.stored.messages(fileOf(session))).messages;
  await expect(runtime.fork("msg_none")).rejects.toMatchObject({ code: "invalid-entry" });
  await expect(runtime.fork(answer?.id ?? "")).rejects.toMatchObject({ code: "invalid-entry" });
  cancel = true;
  expect(await runtime.fork("msg_none")).toEqual({ cancelled: true });
  expect([runtime.session === session, (await world.host.stored.list()).items.length]).toEqual([true, 1]);
});

test("B052 B053: what runs is settled before the fork; a fork in memory stays there", async () => {
  const { runtime, order } = await made(undefined, SessionManager.inMemory(world.cwd));
  const { session } = runtime;
  await session.prompt("#say one");
  const [first] = (await session.host.messages(session.hostedId ?? "")).messages;
  const ear = new Ear(session);
  const prompted = session.prompt("#bash sleep 30");
  await ear.until("tool_execution_start");
  order.length = 0;
  await runtime.fork(first?.id ?? "", { position: "at" });
  await prompted;
  expect(order.slice(1, 3).map((line) => line.split(" {")[0])).toEqual(["agent_settled true", "session_shutdown"]);
  expect([runtime.session.sessionFile, (await said(runtime.session)).length]).toEqual([undefined, 1]);
});
