/** Event streams over a real server: straight into Node's response, cut when a reader does not read, whole when it comes back. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Frame } from "../../testing/byte-reader.ts";
import type { FakeConnection } from "../../testing/fake-connection.ts";
import { type TestServer, testServer } from "../test-client.ts";
import { bearer, NodeReader, type NodeServer, nodeServer } from "../test-node-server.ts";

let server: TestServer;
let node: NodeServer;
beforeEach(() => start({}));
afterEach(end);
async function start(limits: object): Promise<void> {
  server = await testServer({ limits });
  node = await nodeServer(server.handler);
}
async function end(): Promise<void> {
  await node.end();
  await server.end();
}
type Turn = { readonly id: string; readonly cursor: string; readonly agent: FakeConnection; readonly turnId: string };
async function turn(): Promise<Turn> {
  const id = await server.session();
  const { cursor } = await server.world.host.submit(id, { text: "go" });
  const agent = await server.world.driver.connections.next();
  return { id, cursor, agent, turnId: (await agent.sends.next()).turnId };
}
const events = (id: string, after?: string): string =>
  `${node.url}/v1/sessions/${id}/events${after === undefined ? "" : `?after=${after}`}`;
/** When nobody has a stream open any more. */
async function noStreams(): Promise<void> {
  while (server.handler.streams > 0) await new Promise<void>((resolve) => setImmediate(resolve));
}

test("a stream has every header an answer has, begins at once, and goes when its client goes", async () => {
  const { id, cursor, agent, turnId } = await turn();
  const reader = await NodeReader.open(events(id, cursor));
  const { headers, statusCode } = reader.response;
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "text/event-stream",
    "x-accel-buffering": "no",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  });
  agent.say(turnId, "hello");
  const opened = await reader.until(({ event }) => event === "message.opened");
  expect(opened?.data).toMatchObject({ sessionId: id, turnId });
  expect(reader.parser.others[0]).toMatch(/^retry: \d+$/);
  expect(server.handler.streams).toBe(1);
  await reader.drop();
  await noStreams();
});

test("what cannot begin is a problem, on the same connection as what can", async () => {
  const id = await server.session();
  for (const [path, status] of [
    [`${id}/events?after=nonsense`, 400],
    ["nobody/events", 404],
    [`${id}`, 200],
  ] as const) {
    const response = await fetch(`${node.url}/v1/sessions/${path}`, { headers: bearer });
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty(status === 200 ? "id" : "code");
  }
  // Without a body and without a type, as a person writes it by hand.
  const close = await fetch(`${node.url}/v1/sessions/${id}/close`, { method: "POST", headers: bearer });
  expect(close.status).toBe(204);
  const head = await fetch(events(id), { method: "HEAD", headers: bearer });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  expect(server.handler.streams).toBe(0);
});

test("closing the handler ends every stream in order, and none is opened beyond the limit", async () => {
  const limited = await testServer({ handler: { limits: { streams: 2 } } });
  const other = await nodeServer(limited.handler);
  const url = `${other.url}/v1/events`;
  const readers = [await NodeReader.open(url), await NodeReader.open(url)];
  const refused = await fetch(url, { headers: bearer });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await refused.json()).toMatchObject({ code: "too-many-streams" });
  limited.handler.close();
  for (const reader of readers) {
    await reader.closed;
    expect(reader.response.complete).toBe(true);
  }
  await other.end();
  await limited.end();
});

test("all sessions: the list, then what changes; a heartbeat when it is silent", async () => {
  const reader = await NodeReader.open(`${node.url}/v1/events`);
  await reader.until(({ event }) => event === "snapshot");
  const { id, agent, turnId } = await turn();
  agent.ask(turnId, "apr_1", "c1");
  const asked = await reader.until(({ event }) => event === "approval.requested");
  expect(asked?.data).toMatchObject({ sessionId: id, approvalId: "apr_1" });
  const beats = (): number => reader.parser.others.filter((text) => text.startsWith(":")).length;
  await reader.until(({ data }) => (data["session"] as { turn?: string } | null)?.turn === "waiting");
  server.world.clock.advance(15_000);
  server.world.clock.advance(15_000);
  while (beats() === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  await reader.drop();
  await noStreams();
});

describe("a reader that stops reading (C33)", () => {
  const subscriberBytes = 1_048_576;
  const [pieces, pieceBytes] = [1_500, 8_192];
  const outputBytes = 2 * subscriberBytes;
  /** Pieces in one go. */
  const burst = 20;
  beforeEach(async () => {
    await end();
    await start({ subscriberBytes });
  });

  test("is cut, holds nobody up, costs no more than its bound, and comes back without a hole", async () => {
    const { id, cursor, agent, turnId } = await turn();
    const [stalled, reading] = [await NodeReader.open(events(id, cursor)), await NodeReader.open(events(id, cursor))];
    await stalled.count(1);
    stalled.stall();
    let most = 0;
    const data = "x".repeat(pieceBytes);
    for (let n = 0; n < pieces; n += burst) {
      for (let i = 0; i < burst; i++) agent.chunk(turnId, { type: "data-piece", transient: true, data });
      await reading.taken((n - burst) * pieceBytes);
      for (const response of node.responses) most = Math.max(most, response.writableLength);
    }
    agent.chunk(turnId, { type: "tool-input-available", toolCallId: "c", toolName: "cat", input: {} });
    agent.chunk(turnId, { type: "tool-output-available", toolCallId: "c", output: "y".repeat(outputBytes) });
    agent.complete(turnId);
    expect(await reading.until(({ event }) => event === "turn.settled")).toBeDefined();
    while (server.handler.streams > 1) await new Promise<void>((resolve) => setImmediate(resolve));

    expect(reading.frames.filter(({ event }) => event === "chunk")).toHaveLength(pieces + 2);
    expect(most).toBeLessThan(subscriberBytes);
    stalled.resume();
    await stalled.closed;
    expect(stalled.frames.length).toBeLessThan(reading.frames.length);
    const again = await NodeReader.open(events(id), { "last-event-id": stalled.frames.at(-1)?.id ?? cursor });
    await again.until(({ event }) => event === "turn.settled");
    expect(idsOf([...stalled.frames, ...again.frames])).toEqual(idsOf(reading.frames));
    await again.drop();
    await reading.drop();
    await noStreams();
  });
});
const idsOf = (frames: readonly Frame[]): readonly string[] => frames.map(({ id }) => id);
