import { expect, test } from "vitest";
import type { Store, Write, Written } from "../../ports/store.ts";
import { StoreRefused } from "../../protocol/errors.ts";
import { Committer } from "./committer.ts";
import { Replies } from "./replies.ts";

/** A store whose writes are settled by hand, in any order. */
function committer() {
  const writes: {
    readonly ok: (events?: Written["events"]) => void;
    readonly refuse: (code: "io" | "lease-lost") => void;
  }[] = [];
  const told: string[] = [];
  const write = (_: number, __: number, ops: readonly Write[]): Promise<Written> =>
    new Promise((resolve, reject) => {
      told.push(`write ${ops.length}`);
      writes.push({
        ok: (events = []) => resolve({ first: writes.length, last: writes.length, events }),
        refuse: (code) => reject(new StoreRefused(code, "no")),
      });
    });
  const replies = new Replies();
  const made = new Committer({
    store: { write } as Pick<Store, "write"> as Store,
    session: 1,
    epoch: 1,
    replies,
    publish: (events) => told.push(`publish ${events.length}`),
    post: (event) => told.push("save" in event ? `${event.type} ${event.save}` : event.type),
    refused: (code) => told.push(`log ${code}`),
  });
  const save = (no: number, to?: string): void =>
    made.save({
      save: no,
      writes: [],
      replies: to === undefined ? [] : [{ to, answer: { kind: "done", state: "moved" }, turnId: null }],
      facts: [{ type: "settled", turn: no }],
    });
  return { committer: made, replies, writes, told, save };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("published first, then answered, then the facts and `saved`, in the order of the saves", async () => {
  const { replies, writes, told, save } = committer();
  const answer = replies.ask((to) => save(1, to)).then(() => told.push("answered"));
  save(2);
  writes[1]?.ok();
  await settle();
  expect(told).toEqual(["write 0", "write 0"]);
  writes[0]?.ok();
  await answer;
  expect(told.slice(2)).toEqual(["publish 0", "settled", "saved 1", "publish 0", "settled", "saved 2", "answered"]);
});

test("after a refusal nothing later is told or written; who waits is refused", async () => {
  const { replies, writes, told, save } = committer();
  const waiting = [1, 2].map((no) => replies.ask((to) => save(no, to)));
  writes[0]?.refuse("io");
  writes[1]?.refuse("io");
  for (const wait of waiting) await expect(wait).rejects.toMatchObject({ code: "unavailable", retry: "later" });
  const later = replies.ask((to) => save(3, to));
  await expect(later).rejects.toMatchObject({ code: "unavailable" });
  expect(told).toEqual(["write 0", "write 0", "log io", "refused 1"]);
});

test("what is stored of an incarnation that was given up is seen and answered, and the core hears nothing", async () => {
  const { committer: made, replies, writes, told, save } = committer();
  const waiting = replies.ask((to) => save(1, to));
  made.abandon();
  writes[0]?.ok();
  expect(await waiting).toMatchObject({ answer: { kind: "done" } });
  expect(told).toEqual(["write 0", "publish 0"]);
});

test("a lost lease is told as such; the host's own writes are refused to their caller only", async () => {
  const first = committer();
  const aside = first.committer.aside([]);
  first.writes[0]?.refuse("io");
  await expect(aside).rejects.toMatchObject({ code: "io" });
  first.save(1);
  first.writes[1]?.refuse("lease-lost");
  await settle();
  expect(first.told).toEqual(["write 0", "write 0", "log lease-lost", "lease-lost"]);
  await expect(first.committer.aside([])).rejects.toMatchObject({ code: "unavailable" });
});
