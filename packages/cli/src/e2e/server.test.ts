/** Every command with a server of the same data directory: over HTTP, in one process. */
import { cp, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@mooring/client";
import { expect, test } from "vitest";
import { jsonLines, sessionIn } from "../testing/json-lines.ts";
import { sandbox } from "../testing/sandbox.ts";

type Row = { readonly id: string };

/** Resolves when something that was said to the session is stored: the command names the session before it says it. */
async function hasInput(url: string, data: string, session: string): Promise<void> {
  const client = createClient({ url, token: (await readFile(join(data, "token"), "utf8")).trim() });
  for await (const { event } of client.events(session, { after: null })) {
    if (event.type === "input.accepted" || (event.type === "snapshot" && event.inputs.length > 0)) return;
  }
}

test("a prompt runs in the server, is followed to its end, and is there for every other command", async () => {
  const { run, serve, data, work } = await sandbox();
  await serve();
  const first = await run(["run", "#say hello\n#read none"]);
  expect([first.code, first.err]).toEqual([0, ""]);
  expect(first.out).toMatch(/\nhello\n[\s\S]*✓ completed/);
  const session = sessionIn(first.out);
  const events = jsonLines((await run(["run", "--session", session, "--json", "#say again"])).out);
  expect(events[0]).toMatchObject({ type: "snapshot", sessionId: session });
  const places = events.slice(1).map(({ cursor }) => Number(String(cursor).split(".").at(-1)));
  expect(places).toEqual(places.map((_, index) => (places[0] ?? 0) + index));
  expect(events.at(-1)).toMatchObject({ type: "turn.settled", outcome: "completed", at: expect.any(Number) });
  expect((await run(["sessions", "ls"])).out).toMatch(new RegExp(`${session} .* demo +idle`));
  const shown = JSON.parse((await run(["sessions", "show", session, "--json"])).out) as readonly { role: string }[];
  expect(shown.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  const fork = sessionIn((await run(["sessions", "fork", session])).out);
  expect((await run(["sessions", "export", fork])).out).toContain("again");
  expect((await run(["doctor"])).out).toMatch(/✓ server: http:\/\/127.*\n[\s\S]*Ready: mooring run/);
  expect((await stat(join(data, "server.json"))).mode & 0o777).toBe(0o600);
  expect((await stat(join(data, "token"))).mode & 0o777).toBe(0o600);
  expect((await run(["run", "x", "--workspace", join(work, "..")])).err).toMatch(
    /outside[\s\S]*mooring serve --root DIR/,
  );
});

test("agents, rules, imports and removals reach the server's own tables", async () => {
  const { run, serve, work } = await sandbox();
  await serve();
  const added = await run(["agents", "add", "other", "--provider", "scripted", "--model", "scripted"]);
  expect([added.code, added.err]).toEqual([0, ""]);
  expect((await run(["agents", "set", "other", "--default"])).code).toBe(0);
  expect((await run(["agents", "ls"])).out).toMatch(/\nother .* default\n/);
  const session = sessionIn((await run(["run", "--agent", "other", "#say one"])).out);
  expect(await run(["agents", "rm", "other"])).toMatchObject({
    ...{ code: 2, out: "", err: expect.stringMatching(/has 1 session:[\s\S]*agents rm "other" --force/) },
  });
  await run(["sessions", "export", session, "--format", "json", "--out", "one.json"]);
  const copy = await run(["sessions", "import", "one.json", "--agent", "demo", "--workspace", work]);
  expect([copy.code, copy.err]).toEqual([0, ""]);
  expect(await run(["sessions", "import", "one.json"])).toMatchObject({
    ...{
      code: 2,
      err: expect.stringMatching(new RegExp(`already: it is session ${sessionIn(copy.out)}[\\s\\S]*--again`)),
    },
  });
  expect((await run(["sessions", "import", "one.json", "--again", "--agent", "demo"])).code).toBe(0);
  expect((await run(["sessions", "rm", session])).out).toContain(`mooring sessions restore ${session}`);
  expect((await run(["sessions", "restore", session])).code).toBe(0);
  expect((await run(["agents", "rm", "other", "--force"])).out).toContain("1 session of it can still be read");
  const rule = await run(["rules", "add", "deny", "bash(rm *)", "--host"]);
  expect((await run(["rules", "ls"])).out).toMatch(/deny +bash\(rm \*\) +everywhere/);
  const id = /rul_\S+/.exec(rule.out)?.[0] ?? "";
  expect((await run(["rules", "rm", id])).code).toBe(0);
  expect(await run(["rules", "rm", id])).toMatchObject({ code: 1, err: expect.stringContaining("mooring rules ls") });
});

test("a question of a turn in the server is asked here, answered there, and a second answer learns who was first", async () => {
  const { run, sit, serve, work } = await sandbox();
  await serve();
  const person = sit(["run", "--mode", "default", "#bash echo hi > made.txt\n#say after"]);
  const asked = await person.terminal.until(/d REASON/);
  const id = /apr_[\w-]+/.exec(asked)?.[0] ?? "";
  expect((await run(["approvals", "ls"])).out).toContain("echo hi > made.txt");
  const allowed = await run(["approvals", "allow", id]);
  expect(allowed.out).toMatch(/after\n✓ completed/);
  expect(await person.ended).toBe(0);
  expect((await stat(join(work, "made.txt"))).size).toBe(3);
  expect(await run(["approvals", "allow", id])).toMatchObject({
    ...{ code: 0, out: expect.stringMatching(/^It was allowed already by owner, now\. Nothing changed\.\n$/) },
  });
  expect(await run(["approvals", "deny", id])).toMatchObject({ code: 1, err: expect.stringContaining("allow") });
});

test("a typed line steers the turn in the server", async () => {
  const { sit, serve, pipe } = await sandbox();
  await serve();
  const gate = pipe("gate");
  const person = sit(["run", "--mode", "bypassPermissions", "#bash cat gate\n#say last"]);
  await person.terminal.until(/bash cat gate/);
  person.terminal.type("mind the gap");
  await person.terminal.until(/given to the running turn/);
  await gate.write();
  expect(await person.ended).toBe(0);
  expect(person.terminal.printed.out).toMatch(/steer taken: mind the gap[\s\S]*\(noted: mind the gap\)/);
});

test("a pause holds what comes, a drain says what is left, and resume lets it go", async () => {
  const { run, sit, serve, pipe, data } = await sandbox();
  const { url } = await serve();
  const gate = pipe("gate");
  const person = sit(["run", "--mode", "bypassPermissions", "#bash cat gate\n#say last"]);
  await person.terminal.until(/bash cat gate/);
  const paused = await run(["pause", "a deploy"]);
  expect([paused.code, paused.out]).toEqual([0, expect.stringMatching(/resume "a deploy"\n.*1 piece of work/)]);
  const drained = await run(["pause", "a deploy", "--drain", "1"]);
  expect([drained.code, drained.out]).toEqual([
    1,
    expect.stringMatching(/Still in flight after 1 s, in 1 session:\n {2}ses_/),
  ]);
  expect(await run(["doctor"])).toMatchObject({
    ...{ code: 1, out: expect.stringMatching(/✗ paused: no turn starts: a deploy\n +fix: mooring resume "a deploy"/) },
  });
  const next = sit(["run", "#say later"]);
  const [session = ""] = /ses_[\w-]+/.exec(await next.terminal.until(/session +ses_/)) ?? [];
  await hasInput(url, data, session);
  await gate.write();
  expect(await person.ended).toBe(0);
  const rows = async () => JSON.parse((await run(["queue", "ls", "--json"])).out) as readonly Row[];
  expect((await rows()).length).toBe(1);
  expect(await run(["resume"])).toMatchObject({ code: 0, out: "Resumed: a deploy\n" });
  expect(await next.ended).toBe(0);
  expect((await run(["resume"])).out).toBe("Nothing was paused.\n");
});

test("a backup is made while the server works, opens where it lies, and goes back to the place of a lost one", async () => {
  const { run, serve, work, data } = await sandbox();
  const server = await serve();
  const session = sessionIn((await run(["run", "#say keep this"])).out);
  expect(await run(["backup", "copy"])).toMatchObject({ code: 0, err: "" });
  expect(await run(["backup", "copy"])).toMatchObject({ code: 2, err: expect.stringContaining("exists already") });
  expect(await run(["backup", "none/copy"])).toMatchObject({
    ...{ code: 2, err: expect.stringMatching(/none\/copy cannot be written[\s\S]*whole: it is at .*backups\/moving-/) },
  });
  server.terminal.stop();
  expect(await server.ended).toBe(0);
  const env = { MOORING_HOME: join(work, "copy") };
  expect((await run(["sessions", "show", session], { env })).out).toContain("keep this");
  await rename(data, `${data}.old`);
  await cp(join(work, "copy"), data, { recursive: true });
  await serve();
  expect((await run(["sessions", "show", session])).out).toContain("keep this");
  expect((await run(["run", "--session", session, "#say go on"])).code).toBe(0);
});
