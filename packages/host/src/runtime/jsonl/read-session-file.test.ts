import { expect, test } from "vitest";
import { parseSessionFile } from "./read-session-file.ts";

const head = { type: "session", version: 3, id: "s", timestamp: "2026-01-02T03:04:05.000Z", cwd: "/work" };
const parse = (...lines: unknown[]) =>
  parseSessionFile(lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"), "f.jsonl");
const user = (id: string | undefined, parentId: string | null | undefined, text: string) => ({
  type: "message",
  ...(id === undefined ? {} : { id }),
  ...(parentId === undefined ? {} : { parentId }),
  message: { role: "user", content: text },
});

test("a line of version 3 is kept character for character; damaged and cut ones are left out", () => {
  const odd = '{"type":"message", "id":"a","parentId":null,"message":{"role":"user","content":"\u2028"} }';
  const { entries } = parse(head, odd, "{ not json", "[1]", '{"type":"custom","id":"b","parent');
  expect(entries).toMatchObject([{ line: odd, value: { id: "a" } }]);
});

test("B147: version 1 gets ids and parents in the order of its lines, and the kept entry by its id", () => {
  const { entries } = parse(
    { ...head, version: undefined },
    user(undefined, undefined, "one"),
    user(undefined, undefined, "two"),
    { type: "compaction", summary: "s", firstKeptEntryIndex: 2 },
  );
  const [one, two, entry] = entries.map(({ value }) => value);
  expect([one?.parentId, two?.parentId, entry?.parentId]).toEqual([null, one?.id, two?.id]);
  expect(new Set(entries.map(({ value }) => value.id)).size).toBe(3);
  expect(entry).toMatchObject({ firstKeptEntryId: two?.id });
  expect(JSON.parse(entries[2]?.line ?? "")).toEqual(entry);
});

test("version 2 called an extension's message by another name", () => {
  const hook = {
    type: "message",
    id: "a",
    parentId: null,
    message: { role: "hookMessage", customType: "x", content: "y" },
  };
  const [entry] = parse({ ...head, version: 2 }, hook).entries;
  expect(JSON.parse(entry?.line ?? "")).toMatchObject({ message: { role: "custom" } });
});

test("an id that comes twice and a parent that is not there are mended", () => {
  const { entries } = parse(head, user("a", null, "one"), user("a", "a", "two"), user("c", "nowhere", "three"));
  expect(entries.map(({ value: { id, parentId } }) => [id, parentId])).toEqual([
    ["a", null],
    ["a-2", "a"],
    ["c", null],
  ]);
});

test.each([
  ["B149", [user("a", null, "x"), head], "not-a-session"],
  ["B150", [{ ...head, version: 4 }], "unknown-session-version"],
  ["B037", [""], "not-a-session"],
])("%s: what is no session is refused", (_, lines, code) => {
  expect(() => parse(...lines)).toThrow(expect.objectContaining({ code }));
});
