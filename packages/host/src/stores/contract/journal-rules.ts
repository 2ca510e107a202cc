/** Numbers, merging, replay and retention of the journal. */
import { describe, expect, test } from "vitest";
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import type { StoredEvent } from "../../protocol/events.ts";
import { mergedDeltaChars } from "../limits.ts";
import { closeMessage, codes, message, messageRow, newOwner, type OpenStore, type Owner } from "./fixtures.ts";

export function journalRules(open: OpenStore): void {
  describe("one flush", () => flushing(open));
  describe("merging of deltas", () => {
    merging(open);
    keepingApart(open);
  });
  describe("replay", () => replaying(open));
  describe("retention", () => retaining(open));
}

const textOf = ({ event }: StoredEvent): unknown => {
  if (event.type === "notice") return event.text;
  if (event.type !== "chunk") return event.type;
  return "delta" in event.chunk ? event.chunk.delta : event.chunk.type;
};

function flushing(open: OpenStore): void {
  test("takes the writes of one tick, of all sessions", async () => {
    const store = await open();
    const owners = await Promise.all(Array.from({ length: 20 }, (_, n) => newOwner(store, `ses_${n}`)));
    const flushes = store.flushes;
    await Promise.all(owners.map((owner) => owner.write(owner.notice("x"))));
    expect(store.flushes).toBe(flushes + 1);
  });

  test("numbers the events of each session from one on", async () => {
    const store = await open();
    const [a, b] = [await newOwner(store, "ses_a"), await newOwner(store, "ses_b")];
    const [first, other, second] = await Promise.all([
      a.write(a.notice("1"), a.notice("2")),
      b.write(b.notice("1")),
      a.write(a.notice("3")),
    ]);
    expect([first.first, first.last, second.first, second.last]).toEqual([1, 2, 3, 3]);
    expect([other.first, other.last]).toEqual([1, 1]);
    const third = await a.write(a.notice("4"));
    expect(third.events.map(({ seq }) => seq)).toEqual([4]);
  });

  test("answers a write without events with the newest number", async () => {
    const owner = await newOwner(await open(), "ses_1");
    expect(await owner.write()).toEqual({ first: 0, last: 0, events: [] });
    const [, barrier] = await Promise.all([owner.write(owner.notice("1"), owner.notice("2")), owner.write()]);
    expect(barrier).toEqual({ first: 2, last: 2, events: [] });
  });

  test("keeps the time of each event", async () => {
    const owner = await newOwner(await open(), "ses_1");
    await Promise.all([
      owner.write(owner.notice("1", 500), owner.notice("2", 700)),
      owner.write(owner.notice("3", 600)),
    ]);
    expect((await owner.journal()).map(({ at }) => at)).toEqual([500, 700, 600]);
  });
}

async function withMessages(open: OpenStore): Promise<Owner> {
  const owner = await newOwner(await open(), "ses_1");
  await owner.write(message(messageRow("msg_1")), message(messageRow("msg_2")));
  return owner;
}
const callDelta = (toolCallId: string, inputTextDelta: string): UIMessageChunk => ({
  type: "tool-input-delta",
  toolCallId,
  inputTextDelta,
});

function merging(open: OpenStore): void {
  test("joins neighbours of one part, within a write and across the writes of a flush", async () => {
    const owner = await withMessages(open);
    const written = await Promise.all([
      owner.write(owner.delta("msg_1", "a"), owner.delta("msg_1", "b")),
      owner.write(owner.delta("msg_1", "c")),
      owner.write(owner.delta("msg_1", "d"), owner.notice("!"), owner.delta("msg_1", "e")),
      owner.write(owner.delta("msg_1", "f")),
    ]);
    expect(written.map(({ events }) => events.map(textOf))).toEqual([["abcd"], [], ["!", "ef"], []]);
    expect(written.map(({ first, last }) => [first, last])).toEqual([
      [1, 1],
      [1, 1],
      [2, 3],
      [3, 3],
    ]);
    expect(await owner.journal()).toEqual(written.flatMap(({ events }) => events));
  });

  test("joins tool inputs and reasoning too, each with its own kind", async () => {
    const owner = await withMessages(open);
    const { events } = await owner.write(
      owner.chunk("msg_1", callDelta("call", '{"a"')),
      owner.chunk("msg_1", callDelta("call", ":1}")),
      owner.chunk("msg_1", { type: "reasoning-delta", id: "0", delta: "x" }),
      owner.chunk("msg_1", { type: "reasoning-delta", id: "0", delta: "y" }),
      owner.delta("msg_1", "z"),
    );
    expect(events.map(({ event }) => event.type === "chunk" && event.chunk)).toEqual([
      callDelta("call", '{"a":1}'),
      { type: "reasoning-delta", id: "0", delta: "xy" },
      { type: "text-delta", id: "0", delta: "z" },
    ]);
  });
}

function keepingApart(open: OpenStore): void {
  test("leaves apart what differs in part, message, turn or baggage", async () => {
    const owner = await withMessages(open);
    const metadata = { providerMetadata: { maker: { key: 1 } } };
    const writes = [
      owner.delta("msg_1", "a", "0"),
      owner.delta("msg_1", "b", "1"),
      owner.delta("msg_2", "c", "1"),
      owner.event({ type: "chunk", messageId: "msg_2", chunk: { type: "text-delta", id: "1", delta: "d" } }),
      owner.event({
        type: "chunk",
        messageId: "msg_2",
        turnId: "trn_9",
        chunk: { type: "text-delta", id: "1", delta: "e" },
      }),
      owner.chunk("msg_2", { type: "text-delta", id: "1", delta: "f", ...metadata }),
      owner.chunk("msg_2", { type: "text-delta", id: "1", delta: "g", ...metadata }),
    ];
    const { events } = await owner.write(...writes);
    expect(events.map(textOf)).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
    expect(await owner.journal()).toEqual(events);
  });

  test("never joins across flushes: what was published stays as it was", async () => {
    const owner = await withMessages(open);
    await owner.write(owner.delta("msg_1", "a"));
    await owner.write(owner.delta("msg_1", "b"));
    expect((await owner.journal()).map(textOf)).toEqual(["a", "b"]);
  });

  test("never joins with what was refused", async () => {
    const owner = await withMessages(open);
    const good = owner.write(owner.delta("msg_1", "a"));
    const bad = owner.write(owner.delta("msg_1", "b"), { write: "message-drop", id: "msg_none" });
    expect(await codes([good, bad])).toEqual([null, "constraint"]);
    expect((await owner.journal()).map(textOf)).toEqual(["a"]);
  });

  test("stops at its limit", async () => {
    const owner = await withMessages(open);
    const half = "x".repeat(mergedDeltaChars / 2);
    const { events } = await owner.write(...[half, half, "y", half].map((text) => owner.delta("msg_1", text)));
    expect(events.map((event) => String(textOf(event)).length)).toEqual([mergedDeltaChars, mergedDeltaChars / 2 + 1]);
  });
}

function replaying(open: OpenStore): void {
  test("goes on from any place, in any piece, with what was published", async () => {
    const owner = await withMessages(open);
    const published: StoredEvent[] = [];
    for (const text of ["a", "b", "c"])
      published.push(...(await owner.write(owner.delta("msg_1", text), owner.notice(text), owner.notice("!"))).events);
    for (let after = 0; after <= 9; after += 1) {
      for (const limit of [0, 1, 2, 4, 100]) {
        const expected = published.slice(after, after + limit);
        expect(await owner.store.events(owner.no, after, limit)).toEqual(expected);
      }
    }
    expect(await owner.store.bounds(owner.no)).toEqual({ horizon: 0, last: 9 });
  });

  test("shows a closed message with its content, also when it was closed earlier", async () => {
    const owner = await withMessages(open);
    const direct = await owner.write(closeMessage("msg_1", "one"), owner.closed("msg_1"));
    await owner.write(closeMessage("msg_2", "two"));
    const later = await owner.write(owner.closed("msg_2"));
    const user = messageRow("msg_u", { role: "user", status: "completed", parts: [{ type: "text", text: "hi" }] });
    const whole = await owner.write(message(user), owner.closed("msg_u"));
    const flow = messageRow("msg_f", { kind: "flow", label: "call_1", ordinal: 1, status: "completed" });
    const beside = await owner.write(message(flow), owner.closed("msg_f"));
    const messages = [direct, later, whole, beside].flatMap(({ events }) =>
      events.map(({ event }) => event.type === "message.closed" && event.message),
    );
    expect(messages).toMatchObject([
      { id: "msg_1", role: "assistant", status: "completed", parts: [{ text: "one" }], metadata: { seen: true } },
      { id: "msg_2", parts: [{ text: "two" }], turnId: "trn_1", createdAt: 1_000, parentId: null, inputId: null },
      { id: "msg_u", role: "user", parts: [{ text: "hi" }] },
      { id: "msg_f", flow: { toolCallId: "call_1" } },
    ]);
    for (const property of ["metadata", "flow"]) expect(messages[2]).not.toHaveProperty(property);
    expect(await owner.journal()).toEqual([direct, later, whole, beside].flatMap(({ events }) => events));
  });

  test("names the events of a dropped message", async () => {
    const owner = await withMessages(open);
    const { events } = await owner.write(
      owner.opened("msg_1"),
      owner.chunk("msg_1", { type: "start" }),
      { write: "message-drop", id: "msg_1" },
      owner.event({ type: "message.dropped", messageId: "msg_1", turnId: "trn_1" }),
    );
    expect(await owner.journal()).toEqual(events);
  });
}

function retaining(open: OpenStore): void {
  test("drops what is older than the window, whole flushes at a time, and moves the horizon", async () => {
    const owner = await newOwner(await open(), "ses_1");
    await owner.write(owner.notice("1", 100), owner.notice("2", 200));
    await owner.write(owner.notice("3", 250), owner.notice("4", 350));
    await owner.write(owner.notice("5", 400));
    expect(await owner.store.fold(300, 10)).toBe(1);
    expect(await owner.store.bounds(owner.no)).toEqual({ horizon: 2, last: 5 });
    expect((await owner.journal()).map(textOf)).toEqual(["3", "4", "5"]);
    expect(await owner.store.fold(300, 10)).toBe(0);
    expect(await owner.store.fold(1_000, 10)).toBe(1);
    expect(await owner.store.bounds(owner.no)).toEqual({ horizon: 5, last: 5 });
    expect((await owner.write(owner.notice("6"))).first).toBe(6);
    expect((await owner.store.load(owner.no)).nextSeq).toBe(7);
  });

  test("never passes the first event of an open message", async () => {
    const owner = await newOwner(await open(), "ses_1");
    await owner.write(owner.notice("before", 100));
    await owner.write(
      message(messageRow("msg_1")),
      owner.opened("msg_1", 100),
      owner.chunk("msg_1", { type: "start" }, 100),
    );
    await owner.write(owner.chunk("msg_1", { type: "text-start", id: "0" }, 100), owner.notice("after", 100));
    expect(await owner.store.fold(1_000, 10)).toBe(1);
    expect((await owner.store.bounds(owner.no)).horizon).toBe(1);
    expect((await owner.store.snapshot(owner.no)).open[0]?.parts).toMatchObject([{ type: "text" }]);
    await owner.write(closeMessage("msg_1"), owner.closed("msg_1", 100));
    expect(await owner.store.fold(1_000, 10)).toBe(1);
    expect(await owner.store.bounds(owner.no)).toEqual({ horizon: 6, last: 6 });
    expect((await owner.store.messages(owner.no, { limit: 5 })).messages).toEqual([]);
    expect(await owner.store.query.message(owner.no, "msg_1")).toMatchObject({ status: "completed" });
  });

  test("is not held up by a dropped message", async () => {
    const owner = await newOwner(await open(), "ses_1");
    await owner.write(
      message(messageRow("msg_1")),
      owner.opened("msg_1", 100),
      owner.chunk("msg_1", { type: "start" }, 100),
    );
    await owner.write(
      { write: "message-drop", id: "msg_1" },
      owner.event({ type: "message.dropped", messageId: "msg_1" }, 100),
    );
    expect(await owner.store.fold(1_000, 10)).toBe(1);
    expect(await owner.store.bounds(owner.no)).toEqual({ horizon: 3, last: 3 });
  });

  test("touches no more sessions than it is told", async () => {
    const store = await open();
    const owners = await Promise.all(["a", "b", "c"].map((name) => newOwner(store, `ses_${name}`)));
    await Promise.all(owners.map((owner) => owner.write(owner.notice("x", 100))));
    expect([await store.fold(200, 2), await store.fold(200, 2), await store.fold(200, 2)]).toEqual([2, 1, 0]);
  });
}
