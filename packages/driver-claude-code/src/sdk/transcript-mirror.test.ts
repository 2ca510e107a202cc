import { appendFile, mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { limits } from "../limits.ts";
import { TranscriptMirror } from "./transcript-mirror.ts";

let dataDir: string;
let mirror: TranscriptMirror;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "mooring-mirror-"));
  mirror = new TranscriptMirror(dataDir);
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const key = (sessionId: string, subpath?: string) => ({
  projectKey: "p",
  sessionId,
  ...(subpath === undefined ? {} : { subpath }),
});
const line = (uuid: string) => ({ type: "user", uuid });
const folder = (session: string): string => join(dataDir, "transcripts/claude-code", session);
const without = () => mirror.store(async () => false);

test("lines come back in order and once, those of sub-agents under their own key", async () => {
  const store = without();
  await Promise.all([
    store.append(key("s"), [line("1"), { type: "title" }]),
    store.append(key("s"), [line("2"), line("1"), { type: "title" }]),
    store.append(key("s", "subagents/../agent-1"), [line("3")]),
  ]);
  expect(await store.load(key("s"))).toEqual([line("1"), { type: "title" }, line("2"), { type: "title" }]);
  expect(await store.listSubkeys(key("s"))).toEqual(["subagents/../agent-1"]);
  expect(await store.load(key("s", "subagents/../agent-1"))).toEqual([line("3")]);
  expect(await store.load(key("other"))).toBeNull();
  expect(await readdir(join(dataDir, "transcripts/claude-code"))).toEqual(["s"]);
});

test("the copy is not used where there is an original; a line that a crash cut is left out", async () => {
  const store = mirror.store(async (session) => session === "original");
  for (const session of ["original", "lost"]) await store.append(key(session), [line("1")]);
  await appendFile(join(folder("lost"), "main.jsonl"), '{"type":"user","uuid":"2');
  expect(await store.load(key("original"))).toBeNull();
  expect(await store.load(key("lost"))).toEqual([line("1")]);
});

test("a copy that outgrows its limit is refused from then on, and never used", async () => {
  const store = without();
  await store.append(key("s"), [line("1")]);
  await truncate(join(folder("s"), "main.jsonl"), limits.mirrorFileBytes);
  await expect(store.append(key("s"), [line("2")])).rejects.toMatchObject({ code: "mirror-full" });
  expect([await mirror.has("s"), await store.load(key("s"))]).toEqual([false, null]);
  await expect(store.append(key("s", "agent-1"), [line("3")])).rejects.toMatchObject({ code: "mirror-full" });
});

test("what the original has and the copy lacks is taken over when the agent starts again", async () => {
  const store = without();
  const original = join(dataDir, "original.jsonl");
  const lines = [line("1"), line("2"), line("3")];
  await writeFile(original, lines.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  await mirror.catchUp("new", original);
  expect(await store.load(key("new"))).toEqual(lines);
  await store.append(key("new"), [line("4")]);
  await mirror.catchUp("new", original);
  expect(await store.load(key("new"))).toEqual([...lines, line("4")]);
  await store.append(key("behind"), [line("1"), line("2")]);
  await mirror.catchUp("behind", original);
  expect(await store.load(key("behind"))).toEqual(lines);
});

test("the conversations that were not written to for the longest time go first", async () => {
  const store = without();
  for (let nth = 0; nth <= limits.mirroredSessions; nth++) await store.append(key(`s${nth}`), [line("1")]);
  expect(await readdir(join(dataDir, "transcripts/claude-code"))).toHaveLength(limits.mirroredSessions);
  expect(await mirror.has(`s${limits.mirroredSessions}`)).toBe(true);
});
