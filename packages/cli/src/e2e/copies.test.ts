/** Sessions forked, exported and imported by the real command, with the loop agent over HTTP and SQLite. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startScriptedServer } from "@mooring/scripted-model/server";
import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, sandbox } from "../testing/sandbox.ts";

type Row = { readonly id: string; readonly role: string; readonly parts: readonly { readonly text?: string }[] };

async function withAgent() {
  const box = await sandbox();
  const server = await startScriptedServer({ port: 0 });
  onTestFinished(() => server.close());
  const agent = ["--provider", "openai-compatible", "--model", "m", "--base-url", server.url];
  expect((await box.run(["agents", "add", "local", ...agent])).err).toBe("");
  /** What the model was given last: who said what, without what the host adds. */
  const given = (): (readonly [string, string])[] =>
    (server.requests.at(-1)?.prompt ?? []).map((message) => [message.role, "text" in message ? message.text : ""]);
  return { ...box, given };
}
async function say({ run }: Sandbox, text: string, ...options: readonly string[]): Promise<void> {
  const { code, err } = await run(["run", ...options, `#say ${text}`]);
  expect([code, err]).toEqual([0, expect.not.stringContaining("mooring:")]);
}
const messages = async ({ run }: Sandbox, session: string): Promise<readonly Row[]> =>
  JSON.parse((await run(["sessions", "show", session, "--json"])).out);
async function newest({ run }: Sandbox): Promise<string> {
  const [first] = JSON.parse((await run(["sessions", "ls", "--json"])).out) as readonly { readonly id: string }[];
  return first?.id ?? "";
}
const idIn = (out: string): string => /ses_[\w-]+/.exec(out)?.[0] ?? "";

test("a fork in the middle goes on with exactly the branch, and the source with all of it", async () => {
  const box = await withAgent();
  await say(box, "one", "--agent", "local");
  const source = await newest(box);
  await say(box, "two", "--session", source);
  await say(box, "three", "--session", source);
  const [, , , second, third] = await messages(box, source);

  const at = await box.run(["sessions", "fork", source, "--at", second?.id ?? ""]);
  expect([at.code, at.err]).toEqual([0, ""]);
  await say(box, "other", "--session", idIn(at.out));
  const branch = [
    ["user", "#say one"],
    ["assistant", "one"],
    ["user", "#say two"],
    ["assistant", "two"],
  ];
  expect(box.given()).toEqual([...branch, ["user", "#say other"]]);

  const before = await box.run(["sessions", "fork", source, "--before", third?.id ?? ""]);
  await say(box, "third", "--session", idIn(before.out));
  expect(box.given()).toEqual([...branch, ["user", "#say third"]]);

  await say(box, "four", "--session", source);
  expect(box.given().length).toBe(7);
  const wrong = await box.run(["sessions", "fork", source, "--at", "msg_none"]);
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/no message "msg_none".*\n.*sessions show/)]);
});

test("an exported session is imported into another data directory and goes on there", async () => {
  const box = await withAgent();
  await say(box, "one", "--agent", "local");
  const source = await newest(box);
  const file = join(box.work, "session.json");
  const written = await box.run(["sessions", "export", source, "--format", "json", "--out", "session.json"]);
  expect([written.code, written.out]).toEqual([0, `Wrote ${file}\n`]);
  expect((await box.run(["sessions", "export", source, "--out", file])).err).toContain("exists already");
  expect((await box.run(["sessions", "export", source])).out).toMatch(
    /^# .*\n\n- Session: .*\n## Assistant, [^\n]*\n\none\n$/s,
  );
  const text = await readFile(file, "utf8");
  expect((await box.run(["sessions", "export", source, "--format", "json"])).out).toBe(text);

  const other = await withAgent();
  const imported = await other.run(["sessions", "import", "-", "--agent", "local", "--workspace", "."], {
    input: text,
  });
  expect([imported.code, imported.err]).toEqual([0, ""]);
  await say(other, "two", "--session", idIn(imported.out));
  expect(other.given()).toEqual([
    ["user", "#say one"],
    ["assistant", "one"],
    ["user", "#say two"],
  ]);
  const bad = await other.run(["sessions", "import", "-"], { input: text.replace('"version":1', '"version":9') });
  expect([bad.code, bad.err]).toEqual([1, expect.stringContaining("version")]);
});
