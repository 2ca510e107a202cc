/** What a newcomer runs into: each says where, and what to do. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionIn } from "../testing/json-lines.ts";
import { sandbox } from "../testing/sandbox.ts";

test("a data directory that cannot be used is named, with what to do", async () => {
  const { run, work } = await sandbox();
  await writeFile(join(work, "file"), "");
  await mkdir(join(work, "junk"));
  await writeFile(join(work, "junk", "lock.db"), "no database".repeat(200));
  const cases = [
    ["file", /file cannot be made \(.*is a file\)\. Choose another/],
    ["file/below", /file\/below cannot be made .*Choose another/],
    ["junk", /junk cannot be locked .*remove .*junk\/lock\.db\./],
  ] as const;
  for (const [home, words] of cases) {
    const env = { MOORING_HOME: join(work, home) };
    expect(await run(["sessions", "ls"], { env })).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(words),
    });
    expect(await run(["doctor"], { env })).toMatchObject({ code: 1, out: expect.stringMatching(/✗ data: .*\n/) });
  }
});

test("doctor fails as long as an agent lacks something, and says which", async () => {
  const { run } = await sandbox();
  expect(await run(["doctor"])).toMatchObject({ code: 0, out: expect.stringContaining('\nReady: mooring run "…"\n') });
  await run(["agents", "add", "bare", "--provider", "anthropic"]);
  const { code, out } = await run(["doctor"]);
  expect(code).toBe(1);
  expect(out).toMatch(/✗ agent bare: it has no model\n +fix: mooring agents set "bare" --model MODEL/);
  expect(out).toContain('Ready: mooring run "…" 1 thing to mend, see above.');
  const found = JSON.parse((await run(["doctor", "--json"])).out) as {
    readonly ready: boolean;
    readonly broken: number;
  };
  expect(found).toMatchObject({ ready: true, broken: 1 });
});

test("an agent with sessions goes only when that is meant, and its sessions can go on under another", async () => {
  const { run } = await sandbox();
  await run(["agents", "add", "other", "--provider", "scripted", "--model", "scripted"]);
  const session = sessionIn((await run(["run", "--agent", "other", "#say one"])).out);
  const refused = await run(["agents", "rm", "other"]);
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringMatching(/has 1 session: .*\nmooring agents rm "other" --force/),
  ]);
  expect((await run(["agents", "rm", "other", "--force"])).out).toContain("mooring sessions import FILE --agent OTHER");
  expect((await run(["run", "--session", session, "#say two"])).code).toBe(1);
  await run(["sessions", "export", session, "--format", "json", "--out", "one.json"]);
  const copy = sessionIn((await run(["sessions", "import", "one.json", "--agent", "demo"])).out);
  expect((await run(["run", "--session", copy, "#say two"])).out).toContain("\ntwo\n");
});

test("the same answer again says that it was given, and by whom", async () => {
  const { run, sit } = await sandbox();
  const person = sit(["run", "--mode", "default", "#bash echo hi\n#say after"]);
  const id = /apr_[\w-]+/.exec(await person.terminal.until(/d REASON/))?.[0] ?? "";
  person.terminal.type("d not today");
  expect(await person.ended).toBe(0);
  expect((await run(["approvals", "deny", id])).out).toBe("It was denied already by terminal, now. Nothing changed.\n");
});

test("a directive nobody knows is told which there are", async () => {
  const { run } = await sandbox();
  expect((await run(["run", "#sya hello"])).out).toMatch(/I do not know the directive #sya\. There are #say, .*##sya/s);
});

test("an answer for the whole session makes a rule, and the same call is not asked again", async () => {
  const { sit, run } = await sandbox();
  const person = sit(["run", "--mode", "default", "#bash echo hi\n#bash echo hi\n#say after"]);
  await person.terminal.until(/a session/);
  person.terminal.type("a session");
  expect(await person.ended).toBe(0);
  expect(person.terminal.printed.out.match(/asks to run/g)).toHaveLength(1);
  expect((await run(["rules", "ls"])).out).toMatch(/allow +bash\(echo hi\) +ses_/);
});
