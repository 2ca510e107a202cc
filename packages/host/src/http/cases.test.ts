/** Cases C03, C08, C25 to C27, C30 and C32 over HTTP, on a real server where connections matter. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SessionEvent } from "../protocol/events.ts";
import type { FakeConnection } from "../testing/fake-connection.ts";
import { Reader } from "../testing/test-host.ts";
import { type Answered, serverOver, type TestServer, testServer } from "./test-client.ts";
import { bearer, NodeReader, nodeServer } from "./test-node-server.ts";

const seed = Number(process.env["MOORING_SEED"] ?? 1);
let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.end());

type Turn = {
  readonly id: string;
  readonly reader: Reader;
  readonly agent: FakeConnection;
  readonly turnId: string;
};
async function turn(): Promise<Turn> {
  const { host, driver } = server.world;
  const id = await server.session();
  const { cursor } = await host.submit(id, { text: "go" });
  const reader = new Reader(host, id, cursor);
  const agent = await driver.connections.next();
  return { id, reader, agent, turnId: (await agent.sends.next()).turnId };
}
async function asked({ agent, turnId, reader }: Turn, ...approvals: readonly string[]): Promise<void> {
  for (const approval of approvals) agent.ask(turnId, approval, `call-${approval}`);
  await reader.until("approval.requested", approvals.length);
}
const answer = (approval: string, decision: string): Promise<Answered> =>
  server.ask("answerApproval", { params: { approval }, body: { decision } });
const openApprovals = async (): Promise<unknown> =>
  (await server.ask("listApprovals", { query: { open: "true" } })).json["items"];

test("C03: of two answers at once one wins, a hundred times, and the tool runs as the stored decision says", async () => {
  const node = await nodeServer(server.handler);
  const post = async (approval: string, decision: string) => {
    const headers = { ...bearer, "content-type": "application/json" };
    const response = await fetch(`${node.url}/v1/approvals/${approval}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ decision }),
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  const at = await turn();
  let [runs, allowed] = [0, 0];
  at.agent.behaviour.answerApproval = async (_, { decision }) => {
    if (decision === "allow") runs++;
  };
  for (let n = 0; n < 100; n++) {
    const approval = `apr_${n}`;
    at.agent.ask(at.turnId, approval, `c${n}`);
    await at.reader.until("approval.requested", n + 1);
    const order = n % 2 === 0 ? ["allow", "deny"] : ["deny", "allow"];
    const tries = await Promise.all(order.map((decision) => post(approval, decision)));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [won, lost] = tries.toSorted((a, b) => a.status - b.status);
    const { how } = { how: "", ...(won?.json["approval"] as { readonly how: string } | undefined) };
    expect(lost?.json).toMatchObject({ code: "approval-conflict", decision: how, by: "owner" });
    expect((await post(approval, how)).status).toBe(200);
    if (how === "allow") allowed++;
    const call = at.agent.answers.all.filter(({ id }) => id === approval);
    expect(call.map(({ decision }) => decision.decision)).toEqual([how]);
    at.agent.chunk(at.turnId, { type: "tool-output-available", toolCallId: `c${n}`, output: how });
  }
  expect(runs).toBe(allowed);
  expect((await post("apr_unknown", "allow")).status).toBe(404);
  await at.reader.stop();
  await node.end();
});

describe("C08: a message belongs to the session it was sent to", () => {
  test("each session's stream has its own events and no others", async () => {
    const [one, two] = [await turn(), await turn()];
    one.agent.say(one.turnId, "for one");
    two.agent.say(two.turnId, "for two");
    one.agent.complete(one.turnId);
    two.agent.complete(two.turnId);
    for (const { id, reader, turnId } of [one, two]) {
      await reader.until("turn.settled");
      expect(new Set(reader.events.map(({ sessionId }) => sessionId))).toEqual(new Set([id]));
      const turns = reader.events.flatMap((event: SessionEvent) => ("turnId" in event ? [event.turnId] : []));
      expect(new Set(turns)).toEqual(new Set([turnId]));
      await reader.stop();
    }
  });

  test("the first message of a new session is said once, to that session, however often both are sent", async () => {
    const bystander = await server.session();
    const begin = async () => {
      await server.ask("createSession", { body: {}, headers: { "idempotency-key": "new-one" } });
      return server.ask("submitInput", { params: { session: "new-one" }, body: { text: "first", id: "first" } });
    };
    const receipts = await Promise.all([begin(), begin(), begin()]);
    expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set([202]));
    const connection = await server.world.driver.connections.next();
    expect(await connection.sends.next()).toMatchObject({ inputId: "first" });
    expect(connection.sends.all).toHaveLength(1);
    expect((await server.ask("listInputs", { params: { session: bystander } })).json["items"]).toEqual([]);
  });

  test("part of an id that two sessions begin with names neither", async () => {
    const [one, two] = [await server.session(), await server.session()];
    const shared = one.slice(
      0,
      [...one].findIndex((char, at) => char !== two[at]),
    );
    expect(shared.length).toBeGreaterThan(4);
    const { status } = await server.ask("submitInput", { params: { session: shared }, body: { text: "x" } });
    expect(status).toBe(404);
  });
});

describe("C25: an approval ends with its turn", () => {
  const ends: Readonly<Record<string, (at: Turn) => unknown>> = {
    "a stop": ({ id, turnId }) => server.ask("stopTurn", { params: { session: id, turn: turnId } }),
    "an error of the agent": ({ agent, turnId }) =>
      agent.emit({ type: "error", turnId, code: "boom", message: "boom", retry: "never" }),
    "the end of the agent": ({ agent }) => agent.events.end(),
    "the end of the turn": ({ agent, turnId }) => agent.complete(turnId),
  };
  test.each(Object.keys(ends))("%s", async (name) => {
    const at = await turn();
    await asked(at, "apr_1");
    await ends[name]?.(at);
    await at.reader.until("turn.settled");
    const types = at.reader.events.map(({ type }) => type);
    expect(types.indexOf("approval.closed")).toBeGreaterThan(types.indexOf("approval.requested"));
    expect(types.indexOf("approval.closed")).toBeLessThan(types.indexOf("turn.settled"));
    expect(await openApprovals()).toEqual([]);
    expect((await answer("apr_1", "allow")).json).toMatchObject({ status: 410, code: "approval-ended" });
    await at.reader.stop();
  });

  test("the death of the host", async () => {
    const at = await turn();
    await asked(at, "apr_1");
    await at.reader.stop();
    await server.world.restart();
    const next = serverOver(server.world);
    expect((await next.ask("listApprovals", { query: { open: "true" } })).json["items"]).toEqual([]);
    const { json } = await next.ask("answerApproval", { params: { approval: "apr_1" }, body: { decision: "allow" } });
    expect(json).toMatchObject({ status: 410, how: "interrupted" });
  });
});

test("C26: an approval nobody watched is listed with its own time, shown to who comes, and waits", async () => {
  const at = await turn();
  const { clock } = server.world;
  const askedAt = clock.now();
  await asked(at, "apr_1");
  await at.reader.stop();
  clock.advance(1_800_000);
  const [listed] = (await openApprovals()) as readonly Record<string, unknown>[];
  expect(listed).toMatchObject({ id: "apr_1", sessionId: at.id, how: null, createdAt: askedAt });
  for (let visit = 0; visit < 2; visit++) {
    const { json } = await server.ask("getSnapshot", { params: { session: at.id } });
    expect(json["approvals"]).toEqual([listed]);
  }
  expect((await answer("apr_1", "allow")).json).toMatchObject({ approval: { how: "allow", answer: { by: "owner" } } });
});

test("C27: three approvals of one message are answered each by itself, in any order", async () => {
  const at = await turn();
  await asked(at, "apr_1", "apr_2", "apr_3");
  expect(await openApprovals()).toHaveLength(3);
  expect((await answer("apr_3", "allow")).status).toBe(200);
  expect((await answer("apr_1", "deny")).status).toBe(200);
  expect(await openApprovals()).toMatchObject([{ id: "apr_2" }]);
  const { json } = await server.ask("getSnapshot", { params: { session: at.id } });
  expect(json["approvals"]).toMatchObject([{ id: "apr_2" }]);
  expect((await answer("apr_2", "allow")).status).toBe(200);
  const said = at.agent.answers.all.map(({ id, decision }) => `${id} ${decision.decision}`);
  expect(said).toEqual(["apr_3 allow", "apr_1 deny", "apr_2 allow"]);
  await at.reader.stop();
});

describe("C30: a reader that is dropped misses nothing and sees nothing twice", () => {
  test("at random moments, a hundred times", async () => {
    const node = await nodeServer(server.handler);
    const at = await turn();
    const random = randomFrom(seed);
    const url = `${node.url}/v1/sessions/${at.id}/events`;
    const first = (await server.ask("getSnapshot", { params: { session: at.id } })).json["cursor"] as string;
    const seen: string[] = [];
    let drops = 0;
    let ended = false;
    for (let cursor = first; !ended; drops++) {
      const reader = await NodeReader.open(url, { "last-event-id": cursor });
      for (let n = 0; n < 5; n++) at.agent.say(at.turnId, `piece ${drops}.${n}`);
      if (drops === 100) at.agent.complete(at.turnId);
      const wanted = drops < 100 ? 1 + Math.floor(random() * 8) : Number.POSITIVE_INFINITY;
      if (drops < 100) await reader.count(wanted);
      else ended = (await reader.until(({ event }) => event === "turn.settled")) !== undefined;
      const got = reader.frames.slice(0, wanted);
      seen.push(...got.map(({ id }) => id));
      cursor = got.at(-1)?.id ?? cursor;
      await reader.drop();
    }
    expect(drops).toBeGreaterThan(100);
    const numbers = seen.map((cursor) => Number(cursor.split(".")[2]));
    const begin = Number(first.split(".")[2]);
    expect(numbers).toEqual(numbers.map((_, n) => begin + 1 + n));
    await at.reader.until("turn.settled");
    expect(numbers.at(-1)).toBe(Number(at.reader.seen.at(-1)?.cursor.split(".")[2]));
    await at.reader.stop();
    await node.end();
  });

  test("whose cursor is older than what is kept: a snapshot, then what follows it", async () => {
    const node = await nodeServer(server.handler);
    const at = await turn();
    const cursor = at.reader.seen[0]?.cursor ?? (await server.world.host.cursor(at.id));
    for (let n = 0; n < 10; n++) at.agent.say(at.turnId, `old ${n}`);
    at.agent.complete(at.turnId);
    await at.reader.until("turn.settled");
    server.world.clock.advance(7_200_000);
    await server.world.store.fold(server.world.clock.now() - 3_600_000, 10);
    const reader = await NodeReader.open(`${node.url}/v1/sessions/${at.id}/events?after=${cursor}`);
    const first = await reader.until(({ event }) => event === "snapshot");
    expect(reader.frames[0]).toBe(first);
    const { cursor: from } = (await server.ask("submitInput", { params: { session: at.id }, body: { text: "on" } }))
      .json;
    expect(from).toBe(first?.id);
    const started = await reader.until(({ event }) => event === "turn.started");
    const numbers = reader.frames.map(({ id }) => Number(id.split(".")[2]));
    expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n));
    expect(started).toBeDefined();
    await reader.drop();
    await at.reader.stop();
    await node.end();
  });
});

describe("C32: a stop is for a turn, and comes from anyone; leaving stops nothing", () => {
  test("a viewer that leaves, in order or not, stops no turn", async () => {
    const node = await nodeServer(server.handler);
    const at = await turn();
    const viewer = await NodeReader.open(`${node.url}/v1/sessions/${at.id}/events`);
    at.agent.say(at.turnId, "before");
    await viewer.until(({ event }) => event === "chunk");
    await viewer.drop();
    at.agent.say(at.turnId, "after");
    at.agent.complete(at.turnId);
    expect(await at.reader.until("turn.settled")).toMatchObject({ outcome: "completed" });
    expect(at.agent.aborts.all).toEqual([]);
    await at.reader.stop();
    await node.end();
  });

  test("another client stops it; every viewer sees the same end, and what was said stays", async () => {
    const node = await nodeServer(server.handler);
    const at = await turn();
    const url = `${node.url}/v1/sessions/${at.id}/events`;
    const viewers = [await NodeReader.open(url), await NodeReader.open(url)];
    at.agent.say(at.turnId, "half of it");
    for (const viewer of viewers) await viewer.until(({ event }) => event === "chunk");
    const stop = () => server.ask("stopTurn", { params: { session: at.id, turn: at.turnId } });
    expect((await stop()).json).toEqual({ outcome: "stopping" });
    const ends = await Promise.all(viewers.map((viewer) => viewer.until(({ event }) => event === "turn.settled")));
    expect(ends[0]?.data).toMatchObject({ turnId: at.turnId, outcome: "stopped" });
    expect(ends[1]).toEqual(ends[0]);
    const { json } = await server.ask("listMessages", { params: { session: at.id } });
    expect(json["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant", status: "stopped", parts: [{ type: "text", text: "half of it" }] },
    ]);
    expect((await stop()).json).toEqual({ outcome: "not-running" });
    for (const viewer of viewers) await viewer.drop();
    await at.reader.stop();
    await node.end();
  });
});
/** Between 0 and 1, the same for the same seed. */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
