import { afterEach, expect, test } from "vitest";
import type { SessionDocument } from "../../protocol/export.ts";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";
import { storeSession } from "./test-session.ts";

let world: TestHost;
afterEach(() => world.end());

async function stored(options: TestHostOptions = {}): Promise<string> {
  world = await testHost(options);
  return storeSession(world.store, (await world.host.agents.get("agent")).id);
}
const documentOf = async (id: string): Promise<SessionDocument> => JSON.parse(await world.host.export(id, "json"));

test("json has everything of the session, ids as they are, and nothing to continue its native session with", async () => {
  const id = await stored();
  const text = await world.host.export(id, "json");
  expect(text).not.toMatch(/"tok"|"anc"|resumeToken|anchor/);
  const { messages, inputs, turns, approvals, usage, ...head } = JSON.parse(text) as SessionDocument;
  expect(head).toMatchObject({
    format: "mooring-session",
    version: 1,
    session: { id, leaf: "msg_f", agentName: "agent" },
  });
  expect(messages.map((row) => [row.id, row.parentId, row.kind])).toEqual([
    ["msg_a", null, "message"],
    ["msg_b", "msg_a", "message"],
    ["msg_side", "msg_a", "message"],
    ["msg_flow", null, "flow"],
    ["msg_c", "msg_b", "entry"],
    ["msg_d", "msg_c", "entry"],
    ["msg_e", "msg_d", "message"],
    ["msg_f", "msg_e", "message"],
  ]);
  expect([inputs, turns, approvals, usage].map((rows) => rows.length)).toEqual([2, 2, 1, 1]);
  expect(text.split("\n").length).toBeLessThan(30); // a row a line
});

test("json of a session at work has the open message as far as it is stored", async () => {
  world = await testHost();
  const id = await world.session();
  const reader = new Reader(world.host, id, await world.host.cursor(id));
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.chunk(turnId, { type: "text-start", id: "p" });
  agent.chunk(turnId, { type: "text-delta", id: "p", delta: "so far" });
  await reader.until("chunk", 2);
  expect((await documentOf(id)).messages.at(-1)).toMatchObject({ status: "open", parts: [{ text: "so far" }] });
  expect(await world.host.export(id, "markdown")).toMatch(/\n\nso far\n\n\*\*Still being written.\*\*\n$/);
  await reader.stop();
});

test("no key of any agent is in it, whoever said it", async () => {
  const key = 'k-"99"-long';
  const id = await stored({ agent: { provider: { apiKey: key } } });
  await world.host.update(id, { title: `The key is ${key}.` });
  expect((await documentOf(id)).session.title).toBe("The key is [redacted].");
  expect(await world.host.export(id, "markdown")).not.toContain("99");
});

test("markdown shows the conversation, each message whole in itself", async () => {
  const id = await stored();
  expect(await world.host.export(id, "markdown")).toMatchInlineSnapshot(`
    "# Looking \\*around\\*

    - Session: \`ses_stored\`
    - Agent: agent (\`fake\`)
    - Workspace: \`/work\`
    - Begun: 2026-01-02 03:04 UTC

    ## User, 2026-01-02 03:04 UTC

    # Look at *this*

    ## Assistant, 2026-01-02 03:04 UTC

    > First I look.
    >
    > Then I read.

    Here is what I found:

    \`\`\`js
    const a = 1;
    \`\`\`

    **Tool** \`bash\`: done

    \`\`\`json
    {
      "command": "ls"
    }
    \`\`\`

    \`\`\`text
    a
    b
    \`\`\`

    **Tool** \`web\`: failed

    \`\`\`json
    {
      "q": 1
    }
    \`\`\`

    \`\`\`text
    \`no\`
    \`\`\`

    **Tool** \`write\`: denied

    \`\`\`json
    {
      "path": "x",
      "text": "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy
    … 131 more characters
    \`\`\`

    \`\`\`text
    Not there.
    \`\`\`

    **Source:** An \\[example\\] <https://example.org/a_b>

    ## Summary of what was said so far, 2026-01-02 03:04 UTC

    > They looked.

    ## Ann, 2026-01-02 03:04 UTC

    Go on <!-- now

    ## Assistant, 2026-01-02 03:04 UTC

    ~~~
    cut
    ~~~

    **Interrupted.** The host went down.
    "
  `);
});

test("an unknown format and an unknown session are refused", async () => {
  const id = await stored();
  await expect(world.host.export(id, "html" as "json")).rejects.toMatchObject({ code: "bad-format" });
  await expect(world.host.export(id, "toString" as "json")).rejects.toMatchObject({ code: "bad-format" });
  await expect(world.host.export("ses_none", "json")).rejects.toMatchObject({ code: "no-such-session" });
});

test("a long conversation comes whole and in order, from its beginning", async () => {
  world = await testHost({ driver: { mode: "echo" } });
  const id = await world.session();
  const reader = new Reader(world.host, id, await world.host.cursor(id));
  for (let n = 1; n <= 120; n++) {
    await world.host.submit(id, { text: `say ${n}.` });
    await reader.until("turn.settled", n);
  }
  await reader.stop();
  const said = (await world.host.export(id, "markdown")).match(/say \d+\./g) ?? [];
  expect(said).toEqual(Array.from({ length: 240 }, (_, n) => `say ${Math.floor(n / 2) + 1}.`));
});
