/** What an agent or a person may say that no store or stream could carry as it is: on both stores, as it comes back. */
import { afterEach, describe, expect, test } from "vitest";
import type { Store } from "../ports/store.ts";
import { openSqliteStore } from "../stores/sqlite/index.ts";
import { tempDir } from "../stores/sqlite/test-store.ts";
import { ByteReader } from "../testing/byte-reader.ts";
import type { FakeConnection } from "../testing/fake-connection.ts";
import { Reader, type TestHost, testHost } from "../testing/test-host.ts";
import { silentLog } from "./silent-log.ts";
import { systemClock } from "./system-clock.ts";
import { systemIds } from "./system-ids.ts";

let world: TestHost;
let sqlite: Store | null = null;
afterEach(async () => {
  await sqlite?.close();
  await world.end();
  sqlite = null;
});
const stores: Readonly<Record<string, () => Promise<(memory: Store) => Store>>> = {
  "in memory": async () => (memory) => memory,
  SQLite: async () => {
    const store = await openSqliteStore({ dataDir: tempDir(), ids: systemIds, clock: systemClock, log: silentLog });
    sqlite = store;
    return () => store;
  },
};

describe.each(Object.keys(stores))("%s", (name) => {
  async function start() {
    const store = await stores[name]?.();
    world = await testHost(store === undefined ? {} : { store });
    const id = await world.session();
    const bytes = new ByteReader(world.host, id);
    const reading = bytes.run();
    return { id, bytes, reading };
  }
  async function turn(id: string): Promise<{ reader: Reader; agent: FakeConnection; turnId: string }> {
    const { cursor } = await world.host.submit(id, { text: "go" });
    const reader = new Reader(world.host, id, cursor);
    const agent = await world.driver.connections.next();
    return { reader, agent, turnId: (await agent.sends.next()).turnId };
  }
  /** Every part of the answer, as stored; the stream was read as strict UTF-8 and JSON meanwhile. */
  async function partsSaid(id: string, say: (agent: FakeConnection, turnId: string) => void) {
    const { reader, agent, turnId } = await turn(id);
    say(agent, turnId);
    agent.complete(turnId);
    expect(await reader.until("turn.settled")).toMatchObject({ outcome: "completed" });
    await reader.stop();
    const { messages } = await world.host.messages(id);
    expect(JSON.stringify(messages)).not.toMatch(/\\ud[89a-f]/i);
    return messages.at(-1)?.parts ?? [];
  }

  test("half a pair is U+FFFD, a pair cut in two is whole, NUL and line separators stay", async () => {
    const { id, bytes, reading } = await start();
    const parts = await partsSaid(id, (agent, turnId) => {
      agent.chunk(turnId, { type: "text-start", id: "p" });
      for (const delta of ["a\ud83d", "\ude00b\u0000c\u2028d\u0085", "\udc00e"])
        agent.chunk(turnId, { type: "text-delta", id: "p", delta });
      agent.chunk(turnId, { type: "text-end", id: "p" });
      const input = { command: "echo \ud800\u0000" };
      agent.chunk(turnId, { type: "tool-input-available", toolCallId: "c", toolName: "bash", input });
      agent.chunk(turnId, { type: "tool-output-available", toolCallId: "c", output: { "k\ud800": ["\udfff\u0000"] } });
    });
    expect(parts).toMatchObject([
      { type: "text", text: "a😀b\u0000c\u2028d\u0085\uFFFDe" },
      { input: { command: "echo \uFFFD\u0000" }, output: { "k\uFFFD": ["\uFFFD\u0000"] } },
    ]);
    const closed = await bytes.until("message.closed", 2);
    expect(closed.data["message"]).toMatchObject({ parts });
    await bytes.stop();
    expect(await reading).toBeUndefined();
  });

  test("ten megabytes of a tool are cut where they stand and kept whole in a file", async () => {
    const { id, bytes, reading } = await start();
    const whole = "0123456789abcde\n".repeat(655_360);
    const parts = await partsSaid(id, (agent, turnId) => {
      agent.chunk(turnId, { type: "tool-input-available", toolCallId: "c", toolName: "cat", input: {} });
      agent.chunk(turnId, { type: "tool-output-available", toolCallId: "c", output: whole });
    });
    const { output } = parts[0] as { readonly output: string };
    expect(output.length).toBeLessThan(1_048_576);
    const [, file = ""] = /all 10485760 bytes are in the file mooring:file\/(\w+)\]$/.exec(output) ?? [];
    const kept = await world.host.file(file);
    expect(kept).toMatchObject({ mediaType: "text/plain; charset=utf-8", size: 10_485_760 });
    expect(Buffer.from(kept.bytes).equals(Buffer.from(whole))).toBe(true);
    const closed = await bytes.until("message.closed", 2);
    expect(closed.data["message"]).toMatchObject({ parts });
    await bytes.stop();
    expect(await reading).toBeUndefined();
  });

  test("what nests without end, or goes round, ends a turn like any other", async () => {
    const { id, bytes, reading } = await start();
    const round: unknown[] = [];
    round.push(round);
    const parts = await partsSaid(id, (agent, turnId) => {
      agent.chunk(turnId, { type: "data-round", data: round });
      agent.chunk(turnId, { type: "data-deep", data: JSON.parse("[".repeat(50_000) + "]".repeat(50_000)) });
      agent.chunk(turnId, { type: "data-big", data: 2n ** 64n });
    });
    expect(JSON.stringify(parts)).toContain("nested deeper");
    expect(parts[2]).toMatchObject({ data: "18446744073709551616" });
    await bytes.stop();
    expect(await reading).toBeUndefined();
  });

  test("what people say is repaired too, and comes back the same from every side", async () => {
    const { id, bytes } = await start();
    const named = await world.host.update(id, { title: "t\ud800\u0000" });
    expect(named.title).toBe("t\uFFFD\u0000");
    const agent = await world.host.agents.add({ name: "odd", driver: "fake", instructions: "\udc00" });
    expect(agent.instructions).toBe("\uFFFD");
    using _ = world.host.pause("test");
    const { inputId } = await world.host.submit(id, { text: "a\ud83d\u0000b" });
    const parts = [{ type: "text", text: "a\uFFFD\u0000b" }];
    expect((await world.host.inputs(id).get(inputId)).input.parts).toEqual(parts);
    await world.host.inputs(id).edit(inputId, [{ type: "data-x", data: { "\ud800": "\udc00" } }]);
    expect((await world.host.inputs(id).get(inputId)).input.parts).toEqual([
      { type: "data-x", data: { "\uFFFD": "\uFFFD" } },
    ]);
    await bytes.stop();
    const rows = sqlite ?? world.store;
    expect((await rows.query.session(id))?.row.title).toBe("t\uFFFD\u0000");
  });
});
