/** A server to send anything to, with something of everything there: what a made-up request may name. */

import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestServer, testServer } from "../../../packages/host/src/http/test-client.ts";
import type { TurnInput } from "../../../packages/host/src/ports/driver.ts";
import type { FakeConnection } from "../../../packages/host/src/testing/fake-connection.ts";
import type { Pools } from "./generate.ts";

export type Scene = {
  readonly server: TestServer;
  /** Calls of the host so far. */
  heard(): number;
  pools(): Pools;
  /** Reads again what there is. */
  look(): Promise<void>;
  end(): Promise<void>;
};
const png = "data:image/png;base64,iVBORw0KGgo=";
/** Newest of each kind that a request may name. */
const most = 12;

export async function fuzzScene(): Promise<Scene> {
  let calls = 0;
  const directory = await mkdtemp(join(tmpdir(), "mooring-fuzz-"));
  const server = await testServer({
    heard: () => calls++,
    roots: [directory],
    handler: { backupDir: join(directory, "backups") },
  });
  const { host, driver } = server.world;
  let stopped = false;
  const agents = (async () => {
    while (!stopped) play(await driver.connections.next());
  })();
  agents.catch(() => {}); // it waits for connections until the process ends
  const places: Pools = { path: [directory, "/etc", join(directory, "nowhere")], workspace: [directory, "/etc"] };
  let pools: Pools = fixed;
  const look = async (): Promise<void> => {
    await refill(server);
    pools = { ...fixed, ...places, ...(await found(server)) };
  };
  await host.putFile({ mediaType: "text/plain", bytes: Buffer.from("a file") });
  await look();
  return {
    server,
    heard: () => calls,
    pools: () => pools,
    look,
    end: async () => {
      stopped = true;
      await server.end();
      await rm(directory, { recursive: true });
    },
  };
}
/** Says again what it is told; asked to ask it asks, and told to wait it never ends. */
function play(agent: FakeConnection): void {
  let asked = 0;
  agent.behaviour.send = async ({ turnId, parts }: TurnInput) => {
    const text = parts.map((part) => (part.type === "text" ? part.text : part.type)).join("");
    if (text.includes("ask"))
      return agent.ask(turnId, `apr_${agent.input.session.sessionId}_${++asked}_${turnId}`, `call-${turnId}`);
    if (text.includes("line")) return;
    agent.say(turnId, text);
    agent.complete(turnId);
  };
  agent.behaviour.answerApproval = async (id, { decision }) => {
    const turnId = id.split("_").slice(-2).join("_");
    agent.chunk(turnId, { type: "tool-output-available", toolCallId: `call-${turnId}`, output: decision });
    agent.complete(turnId);
  };
}

/** An agent that is ready, a session whose agent asks, and one with a queue, whatever was removed. */
async function refill({ world: { host } }: TestServer): Promise<void> {
  const ready = await host.agents.add({ name: randomUUID(), driver: "fake", model: "m1" });
  await host.agents.setDefault(ready.id);
  for (const text of ["ask", "one\nline"]) {
    const { id } = await host.create({});
    await host.submit(id, { text });
    await host.submit(id, { text: "later", delivery: "queue" });
  }
}

const fixed: Pools = {
  parts: [
    [{ type: "text", text: "hello" }],
    [{ type: "file", mediaType: "image/png", url: png }],
    [{ type: "data-x", data: 1 }],
  ],
  messages: [
    [{ id: "m1", role: "user", parts: [{ type: "text", text: "hello" }] }],
    [{ id: "m2", role: "user", parts: [{ type: "text", text: "ask" }] }],
    [{ id: "m1", role: "user", parts: [{ type: "text", text: "other" }] }],
  ],
  driver: ["fake"],
  model: ["m1", "m2"],
  permissionMode: ["plan", "default", "acceptEdits", "bypassPermissions"],
  url: [png, "https://example.com/a.png", "file:///etc/passwd"],
  mediaType: ["image/png", "text/plain"],
  text: ["hello", "ask", "one\nline", "", "x".repeat(5_000)],
  title: ["a title", ""],
  timeoutMs: [0, 1],
  reason: ["deploy", "backup"],
  from: ["0", "1767225600000"],
  to: ["1867225600000"],
  limit: ["1", "50", "200"],
  open: ["true", "false"],
  q: ["a", "%"],
  tool: ["bash", "@write", "mcp__*"],
  pattern: ["git *", null],
  data: [{ a: 1 }],
};
async function found({ world: { host } }: TestServer): Promise<Pools> {
  const sessions = (await host.list({ limit: most })).items;
  const agents = (await host.agents.list()).slice(-most);
  const approvals = (await host.approvals({})).slice(0, most);
  const views = await Promise.all(sessions.map(({ id }) => host.get(id)));
  const inputs = (await Promise.all(sessions.slice(0, 4).map(({ id }) => host.inputs(id).list())))
    .flat()
    .map(({ id }) => id);
  const messages = (await Promise.all(sessions.slice(0, 4).map(({ id }) => host.messages(id, { limit: 3 })))).flatMap(
    (page) => page.messages.map(({ id }) => id),
  );
  const cursors = await Promise.all(sessions.slice(0, 4).map(({ id }) => host.cursor(id)));
  const ids = sessions.flatMap(({ id, externalId }) => (externalId === null ? [id] : [id, externalId]));
  const document = sessions[0] === undefined ? [] : [await host.export(sessions[0].id, "json")];
  const n = sessions.length;
  return {
    session: ids,
    sessionId: ids,
    agent: agents.flatMap(({ id, name }) => [id, name]),
    name: [`agent ${agents.length}`, `backup-${n}`],
    rule: (await host.rules.list()).map(({ id }) => id),
    input: inputs,
    inputId: inputs,
    turn: views.flatMap(({ turn }) => (turn === null ? [] : [turn.id])),
    turnId: views.flatMap(({ turn }) => (turn === null ? [] : [turn.id])),
    approval: approvals.map(({ id }) => id),
    messageId: messages,
    before: [...messages, ...inputs, null],
    after: [...cursors, "snapshot", String(n)],
    id: [`own-${n}`, `own-${n % 7}`, ...ids],
    file: ["fil_0001", "fil_0002"],
    document,
  };
}
