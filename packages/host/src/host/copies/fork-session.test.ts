import { afterEach, describe, expect, test } from "vitest";
import type { ForkInput, ForkResult } from "../../ports/driver.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { FakeConnection } from "../../testing/fake-connection.ts";
import { Reader, script, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";

let world: TestHost;
afterEach(() => world.end());

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (cause: unknown) => (MooringError.isInstance(cause) ? cause.code : String(cause)),
  );
const shown = async (id: string): Promise<string[]> => script((await world.host.messages(id)).messages);

/** A session whose agent said `A1` to `U1` and so on; with a token and anchors if it is of a native agent. */
async function spoken(turns: number, options: TestHostOptions = {}): Promise<string> {
  world = await testHost(options);
  const id = await world.session();
  const reader = new Reader(world.host, id, await world.host.cursor(id));
  let agent: FakeConnection | null = null;
  for (let n = 1; n <= turns; n++) {
    await world.host.submit(id, { text: `U${n}` });
    agent ??= await world.driver.connections.next();
    const { turnId } = await agent.sends.next();
    if (n === 1) agent.emit({ type: "resume-token", token: "native-1" });
    agent.say(turnId, `A${n}`);
    agent.emit({ type: "turn-complete", turnId, outcome: "completed", answered: [], anchor: `anchor-${n}` });
    await reader.until("turn.settled", n);
  }
  await reader.stop();
  return id;
}
const ids = async (id: string): Promise<string[]> => (await world.host.messages(id)).messages.map((row) => row.id);
const historyOf = async (agent: FakeConnection): Promise<string[]> =>
  (await agent.input.history()).map((entry) =>
    entry.kind === "message"
      ? entry.message.parts.map((part) => ("text" in part ? part.text : "")).join("")
      : `sum ${entry.done.summary}`,
  );

describe("an agent whose history the host keeps", () => {
  test("goes on from the middle, and the source stays as it was", async () => {
    const id = await spoken(3);
    const [, , , second] = await ids(id);
    await world.host.update(id, { title: "Mine", permissionMode: "plan" });
    const fork = await world.host.fork(id, { messageId: second ?? "", position: "at" });
    const source = await world.host.get(id);
    expect(fork).toMatchObject({
      parentId: id,
      title: "Mine",
      permissionMode: "plan",
      state: "idle",
      externalId: null,
    });
    expect([fork.workspace, fork.agentId, fork.managed]).toEqual([source.workspace, source.agentId, source.managed]);
    expect(await shown(fork.id)).toEqual(["U:U1", "A:A1", "U:U2", "A:A2"]);
    await world.host.submit(fork.id, { text: "U3b" });
    const agent = await world.driver.connections.next();
    expect(await historyOf(agent)).toEqual(["U1", "A1", "U2", "A2"]);
    expect((await agent.sends.next()).parts).toEqual([{ type: "text", text: "U3b" }]);
    expect(await shown(id)).toEqual(["U:U1", "A:A1", "U:U2", "A:A2", "U:U3", "A:A3"]);
  });

  test("copies name their origin and nothing else of the source", async () => {
    const id = await spoken(2);
    const fork = await world.host.fork(id);
    const found = await world.store.query.session(fork.id);
    const copies = await world.store.query.branch(found?.no ?? 0);
    expect(copies.map((row) => row.originId)).toEqual(await ids(id));
    expect(copies.map((row) => row.parentId)).toEqual([null, ...copies.slice(0, -1).map((row) => row.id)]);
    for (const row of copies)
      expect(row).toMatchObject({ turnId: null, inputId: null, resumeToken: null, anchor: null, ordinal: null });
    expect(JSON.stringify(copies)).not.toContain("inp_");
    expect(new Set([...copies.map((row) => row.id), ...(await ids(id))]).size).toBe(8);
  });

  test("before a user message it ends with what came before", async () => {
    const id = await spoken(2);
    const [first, , second] = await ids(id);
    expect(await shown((await world.host.fork(id, { messageId: second ?? "", position: "before" })).id)).toEqual([
      "U:U1",
      "A:A1",
    ]);
    const empty = await world.host.fork(id, { messageId: first ?? "", position: "before" });
    expect([await shown(empty.id), empty.leaf]).toEqual([[], null]);
  });

  test("compactions go with the branch, and what they cover is named anew", async () => {
    const id = await spoken(2);
    const reader = new Reader(world.host, id, await world.host.cursor(id));
    const [, , , covers] = await ids(id);
    const agent = world.driver.connections.all[0];
    await world.host.compact(id, "briefly");
    await agent?.compactions.next();
    const done = { trigger: "manual", summary: "so far", covers: covers ?? "", data: null };
    agent?.emit({ type: "compaction-complete", done });
    await reader.until("compaction", 2);
    await reader.stop();
    await world.host.submit(id, { text: "U3" });
    const { turnId } = (await agent?.sends.next()) ?? {};
    await world.host.stop(id, turnId ?? "");
    await drained();

    const later = await world.host.fork(id);
    expect((await shown(later.id)).slice(0, 4)).toEqual(["U:U1", "A:A1", "U:U2", "A:A2"]);
    await world.host.submit(later.id, { text: "go on" });
    const forked = await world.driver.connections.next();
    expect(await historyOf(forked)).toEqual(["sum so far", "U3"]);
    const [entry] = await forked.input.history();
    const copies = await world.host.messages(later.id);
    expect(entry).toMatchObject({ kind: "compaction", done: { covers: copies.messages[3]?.id } });

    const before = await world.host.fork(id, { messageId: covers ?? "", position: "at" });
    await world.host.submit(before.id, { text: "go on" });
    expect(await historyOf(await world.driver.connections.next())).toEqual(["U1", "A1", "U2", "A2"]);
  });
});

/** Every turn is settled. */
const drained = (): Promise<unknown> => world.host.drainInFlight({ timeoutMs: 1_000_000 });

test("nothing is forked while a turn is open, whether it works, waits or is only stored", async () => {
  const id = await spoken(1);
  await world.host.submit(id, { text: "U2" });
  expect(await codeOf(world.host.fork(id))).toBe("session-busy");
  const agent = world.driver.connections.all[0];
  const { turnId } = (await agent?.sends.next()) ?? {};
  agent?.ask(turnId ?? "", "apr_1", "call_1", true);
  const reader = new Reader(world.host, id, await world.host.cursor(id));
  if ((await world.host.get(id)).state !== "waiting") await reader.until("turn.waiting");
  expect(await codeOf(world.host.fork(id))).toBe("session-busy");
  await reader.stop();
});

test("a fork that cannot be is refused with the field that is wrong", async () => {
  const id = await spoken(1);
  const [user, assistant] = await ids(id);
  const other = await world.session();
  const refusals = [
    world.host.fork("ses_none"),
    world.host.fork(id, { messageId: "msg_none" }),
    world.host.fork(other, { messageId: user ?? "" }),
    world.host.fork(id, { position: "before" }),
    world.host.fork(id, { messageId: assistant ?? "", position: "before" }),
    world.host.fork(id, { messageId: user ?? "", position: "after" as "at" }),
    world.host.fork(id, { seed: "summary" as "transcript" }),
  ];
  expect(await Promise.all(refusals.map(codeOf))).toEqual([
    "no-such-session",
    "no-such-message",
    "no-such-message",
    "bad-fork",
    "bad-fork",
    "bad-fork",
    "bad-fork",
  ]);
  expect((await world.host.list()).items.length).toBe(2);
});

test("a branch beyond the bound is refused with how large it is", async () => {
  const id = await spoken(1, { limits: { copyBytes: 100 } });
  await expect(world.host.fork(id)).rejects.toMatchObject({ code: "session-too-large", detail: { maxBytes: 100 } });
});

describe("an agent that keeps its history itself", () => {
  const native = { capabilities: { history: "native", resume: "resume", fork: true } } as const;
  /** Adds `fork` to the fake driver; returns what it was asked. */
  function forking(answer: () => Promise<ForkResult>): ForkInput[] {
    const asked: ForkInput[] = [];
    const fork = (input: ForkInput): Promise<ForkResult> => {
      asked.push(input);
      return answer();
    };
    Object.assign(world.driver.driver, { fork });
    return asked;
  }

  test("forks it at the same place and goes on from there", async () => {
    const id = await spoken(2, { driver: native });
    const asked = forking(async () => ({ token: "native-2" }));
    const [, first] = await ids(id);
    const fork = await world.host.fork(id, { messageId: first ?? "", position: "at" });
    expect(asked).toMatchObject([{ token: "native-1", anchor: "anchor-1", session: { sessionId: id } }]);
    expect(await shown(fork.id)).toEqual(["U:U1", "A:A1"]);
    await world.host.submit(fork.id, { text: "U2b" });
    const agent = await world.driver.connections.next();
    expect(agent.input).toMatchObject({ resumeToken: "native-2", prompt: { append: "" } });
    const again = await world.host.fork(id, { messageId: (await ids(id))[3] ?? "", position: "at" });
    await world.host.fork(again.id, { messageId: (await ids(again.id))[1] ?? "" });
    expect(asked.at(-1)).toMatchObject({ token: "native-1", anchor: "anchor-1", session: { sessionId: again.id } });
  });

  test("that cannot, or has no place there, is asked for a transcript instead", async () => {
    const id = await spoken(2, { driver: native });
    const [user] = await ids(id);
    expect(await codeOf(world.host.fork(id))).toBe("rewind-unsupported");
    forking(async () => ({ token: "native-2" }));
    expect(await codeOf(world.host.fork(id, { messageId: user ?? "", position: "at" }))).toBe("rewind-unsupported");
    expect((await world.host.list()).items.length).toBe(1);
  });

  test("begins anew with the transcript, and says so, until it has named its session", async () => {
    const id = await spoken(2, { driver: native });
    const fork = await world.host.fork(id, { seed: "transcript" });
    expect(fork).toMatchObject({ resumeToken: null });
    const restarted = await world.restart();
    const reader = new Reader(restarted, fork.id, `${world.store.id}.2.0`);
    expect(await reader.until("notice")).toMatchObject({ code: "told-transcript" });
    await restarted.submit(fork.id, { text: "U3" });
    const agent = await world.driver.connections.next();
    expect(agent.input.resumeToken).toBeNull();
    expect(agent.input.prompt.append).toMatch(/<transcript>\nUser: U1\n\nAssistant: A1\n\nUser: U2\n\nAssistant: A2\n/);
    expect(agent.input.prompt.append).not.toContain("U3");
    const { turnId } = await agent.sends.next();
    agent.emit({ type: "resume-token", token: "native-3" });
    agent.say(turnId, "A3");
    agent.complete(turnId);
    await reader.until("turn.settled");
    await restarted.close(fork.id);
    await agent.closes.next();
    await restarted.submit(fork.id, { text: "U4" });
    const next = await world.driver.connections.next();
    expect(next.input).toMatchObject({ resumeToken: "native-3", prompt: { append: "" } });
    await reader.stop();
  });

  test("is told nothing when nothing was said", async () => {
    const id = await spoken(0, { driver: native });
    const fork = await world.host.fork(id);
    await world.host.submit(fork.id, { text: "U1" });
    expect((await world.driver.connections.next()).input.prompt.append).toBe("");
  });

  test("that fails or is late leaves no session", async () => {
    const id = await spoken(1, { driver: native, limits: { forkMs: 1_000 } });
    forking(async () => {
      throw new TypeError("no such file");
    });
    await expect(world.host.fork(id)).rejects.toMatchObject({
      code: "fork-failed",
      message: "The agent could not fork its history: no such file",
    });
    const asked = new Promise<void>((resolve) => {
      forking(() => {
        resolve();
        return new Promise(() => {});
      });
    });
    const late = codeOf(world.host.fork(id));
    await asked;
    world.clock.advance(1_000);
    expect(await late).toBe("fork-late");
    expect((await world.host.list()).items.length).toBe(1);
  });
});
