/** What the chat surface looks up: the input a client's id names, where a message begins, which one answers. */
import { expect, test } from "vitest";
import type { Write } from "../../ports/store.ts";
import type { MessageRow } from "../../protocol/rows.ts";
import { closeMessage, inputRow, message, messageRow, newOwner, type OpenStore, type Owner } from "./fixtures.ts";

const input = (id: string, clientId: string): Write => {
  const row = inputRow(id, { state: "started" });
  return { write: "input", row: { ...row, input: { ...row.input, client: { id: clientId, hash: "h" } } } };
};
const said = (id: string, parentId: string | null, over: Partial<MessageRow> = {}): Write =>
  message(messageRow(id, { parentId, role: "user", status: "completed", ...over }));
const open1 = (id: string, parentId: string | null, over: Partial<MessageRow> = {}): Write =>
  message(messageRow(id, { parentId, ...over }));

export function chatRules(open: OpenStore): void {
  test("a client's id names its newest input, in its own session", async () => {
    const store = await open();
    const [owner, other] = [await newOwner(store, "ses_1"), await newOwner(store, "ses_2")];
    await owner.write(input("i1", "c1"), input("i2", "c2"), input("i3", "c1"), { write: "input", row: inputRow("c3") });
    await other.write(input("i9", "c2"));
    const named = async ({ no }: Owner, id: string) => (await store.query.clientInput(no, id))?.id;
    expect([await named(owner, "c1"), await named(owner, "c2"), await named(other, "c2")]).toEqual(["i3", "i2", "i9"]);
    expect(await store.query.clientInput(owner.no, "c1")).toMatchObject({ input: { client: { id: "c1", hash: "h" } } });
    expect([await named(other, "c1"), await named(owner, "c3")]).toEqual([undefined, undefined]);
  });

  test("a message is found with the place its events begin at", async () => {
    const owner = await newOwner(await open(), "ses_1");
    await owner.write(owner.notice("before"), open1("m1", null), owner.opened("m1"), owner.delta("m1", "a"));
    await owner.write(closeMessage("m1"), owner.closed("m1"), open1("m2", "m1"));
    const { query } = owner.store;
    const first = await query.placed(owner.no, "m1");
    expect(first?.row).toMatchObject({ id: "m1", status: "completed" });
    const events = await owner.store.events(owner.no, (first?.opened ?? 0) - 1, 10);
    expect(events.map(({ event }) => event.type)).toContain("message.opened");
    expect((await query.placed(owner.no, "m2"))?.opened).toBeGreaterThan(first?.opened ?? 9);
    await owner.write({ write: "message-drop", id: "m2" });
    expect([await query.placed(owner.no, "m2"), await query.placed(owner.no, "m9")]).toEqual([null, null]);
  });

  test("an answer is the turn's first assistant message after what it answers", async () => {
    const owner = await newOwner(await open(), "ses_1");
    await owner.write(said("u1", null), open1("a1", "u1"), { write: "message-drop", id: "a1" }, open1("a2", "u1"));
    await owner.write(open1("f1", null, { kind: "flow", ordinal: 1 }), closeMessage("a2"), said("u2", "a2"));
    await owner.write(open1("a3", "u2"), closeMessage("a3"), open1("b1", "a3", { turnId: "trn_2" }));
    const reply = async (turn: string, after: string | null): Promise<string | undefined> =>
      (await owner.store.query.reply(owner.no, turn, after))?.row.id;
    expect([await reply("trn_1", "u1"), await reply("trn_1", null), await reply("trn_1", "u2")]).toEqual([
      "a2",
      "a2",
      "a3",
    ]);
    expect([await reply("trn_2", "u1"), await reply("trn_1", "a3"), await reply("trn_3", null)]).toEqual([
      "b1",
      undefined,
      undefined,
    ]);
  });
}
