import { expect, test } from "vitest";
import type { Store } from "../../ports/store.ts";
import type { MessageRow } from "../../protocol/rows.ts";
import { compactionRow, openMessageRow, userMessageRow } from "../sessions/scribe-rows.ts";
import { readHistory } from "./history.ts";

const place = (id: string, parentId: string | null, turnId: string | null = null) => ({
  id,
  parentId,
  turnId,
  createdAt: 0,
});
const said = (id: string, parentId: string | null, turnId = "trn_0"): MessageRow => ({
  ...userMessageRow(place(id, parentId, turnId), {
    id: `inp_${id}`,
    agentKey: "k",
    delivery: "queue",
    parts: [{ type: "text", text: id }],
    model: null,
    effort: null,
    headless: false,
    branch: null,
    author: null,
    origin: "user",
  }),
});
const compacted = (id: string, parentId: string, covers: string | null): MessageRow =>
  compactionRow(place(id, parentId), { trigger: "auto", summary: `sum ${id}`, covers, data: null });

/** The branch rule of the store port, over a list. */
function query(rows: readonly MessageRow[], without: readonly string[] = []) {
  const branch = async (_: number, leaf = rows.at(-1)?.id): Promise<MessageRow[]> => {
    const chain: MessageRow[] = [];
    for (let row = rows.find((r) => r.id === leaf); row; row = rows.find((r) => r.id === row?.parentId)) {
      chain.unshift(row);
      if (row.label === "compaction") return chain;
    }
    return chain;
  };
  const store = { query: { branch } as Partial<Store["query"]> as Store["query"] } as Pick<Store, "query"> as Store;
  const openMessage = (id: string) => ({
    id,
    role: "assistant" as const,
    parts: [{ type: "text" as const, text: "half" }],
  });
  return readHistory({ store, session: 1, without, openMessage });
}
const shown = async (entries: ReturnType<typeof query>) =>
  (await entries).map((entry) => (entry.kind === "compaction" ? entry.done.summary : entry.message.id));

test("the whole branch without a compaction, the running turn left out", async () => {
  const rows = [said("a", null), said("b", "a"), said("c", "b", "trn_1")];
  expect(await shown(query(rows))).toEqual(["a", "b", "c"]);
  expect(await shown(query(rows, ["trn_1"]))).toEqual(["a", "b"]);
});

test("from the last compaction on; what it does not cover stands behind it", async () => {
  const rows = [said("a", null), said("b", "a"), compacted("x", "b", "a"), said("c", "x")];
  expect(await shown(query(rows))).toEqual(["sum x", "b", "c"]);
  const all = [said("a", null), said("b", "a"), compacted("x", "b", null), said("c", "x")];
  expect(await shown(query(all))).toEqual(["sum x", "c"]);
});

test("what a compaction before the last does not cover is found too", async () => {
  const rows = [
    said("a", null),
    said("b", "a"),
    compacted("x", "b", "a"),
    said("c", "x"),
    compacted("y", "c", "a"),
    said("d", "y"),
  ];
  expect(await shown(query(rows))).toEqual(["sum y", "b", "c", "d"]);
});

test("an open message of a turn that goes on is given as far as it was said", async () => {
  const open = openMessageRow(place("b", "a", "trn_1"), 1, null, "agent");
  expect(await query([said("a", null), open])).toMatchObject([
    { message: { id: "a" } },
    { message: { id: "b", parts: [{ text: "half" }] } },
  ]);
});
