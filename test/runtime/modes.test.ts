/** The modes: a client on the other side of two pipes, and prompts without anybody. */
import { PassThrough } from "node:stream";
import {
  type AgentSessionRuntime,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  type InlineExtension,
  runPrintMode,
  runRpcMode,
  SessionManager,
} from "@mooring/host/runtime";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RuntimeWorld } from "./runtime-world.ts";

let world: RuntimeWorld;
beforeEach(async () => {
  world = await RuntimeWorld.open();
});
afterEach(() => world.end());

async function runtime(...extensionFactories: InlineExtension[]): Promise<AgentSessionRuntime> {
  return createAgentSessionRuntime(
    async ({ cwd, sessionManager, sessionStartEvent }) => {
      const services = await world.services({ extensionFactories }, cwd);
      const made = await createAgentSessionFromServices({ services, sessionManager, sessionStartEvent });
      return { ...made, services, diagnostics: services.diagnostics };
    },
    { cwd: world.cwd, agentDir: world.agentDir, host: world.host, sessionManager: SessionManager.create(world.cwd) },
  );
}

type Line = Readonly<Record<string, unknown>>;
/** The other side of the pipes. */
class Client {
  readonly lines: Line[] = [];
  readonly done: Promise<void>;
  readonly #input = new PassThrough();
  readonly #waiting = new Set<() => void>();

  constructor(runtime: AgentSessionRuntime) {
    const output = (text: string): void => {
      expect(text.endsWith("\n")).toBe(true);
      this.lines.push(JSON.parse(text));
      for (const look of [...this.#waiting]) look();
    };
    this.done = runRpcMode(runtime, { input: this.#input, output });
  }
  write(text: string): void {
    this.#input.write(text);
  }
  send(command: Line): void {
    this.write(`${JSON.stringify(command)}\n`);
  }
  async ask(command: Line & { readonly id: string }): Promise<Line> {
    this.send(command);
    return this.until(({ type, id }) => type === "response" && id === command.id);
  }
  until(found: (line: Line) => boolean): Promise<Line> {
    return new Promise((resolve) => {
      const look = (): void => {
        const line = this.lines.find(found);
        if (!line) return;
        this.#waiting.delete(look);
        resolve(line);
      };
      this.#waiting.add(look);
      look();
    });
  }
  event(type: string): Promise<Line> {
    return this.until((line) => line["type"] === type);
  }
  async end(): Promise<void> {
    this.#input.end();
    await this.done;
  }
}

test("B162: a prompt is answered when it is admitted, though its preflight takes long; the rest are events", async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const client = new Client(await runtime((pi) => pi.on("before_agent_start", () => promise)));
  expect(await client.ask({ id: "1", type: "prompt", message: "#say hi" })).toEqual({
    ...{ id: "1", type: "response", command: "prompt", success: true },
    data: { disposition: "started" },
  });
  expect(client.lines.some(({ type }) => type === "agent_start")).toBe(false);
  const refused = await client.ask({ id: "2", type: "prompt", message: "#say no" });
  expect(refused).toMatchObject({ command: "prompt", success: false, code: "session-busy" });
  const queued = await client.ask({ id: "3", type: "prompt", message: "#say on", streamingBehavior: "followUp" });
  expect(queued).toMatchObject({ success: true, data: { disposition: "queued" } });
  resolve(undefined);
  await client.event("agent_settled");
  expect(await client.ask({ id: "4", type: "get_last_assistant_text" })).toMatchObject({ data: { text: "on" } });
  expect(await client.ask({ id: "5", type: "get_state" })).toMatchObject({
    data: { isStreaming: false, messageCount: 4, steeringMode: "one-at-a-time", followUpMode: "one-at-a-time" },
  });
  for (const type of ["set_steering_mode", "set_follow_up_mode"])
    expect(await client.ask({ id: type, type, mode: "all" })).toMatchObject({ success: true });
  expect(await client.ask({ id: "6", type: "set_steering_mode", mode: "some" })).toMatchObject({ success: false });
  expect(await client.ask({ id: "7", type: "get_state" })).toMatchObject({
    data: { steeringMode: "all", followUpMode: "all" },
  });
  await client.end();
});

test("B129 B163: what is no command is answered, with its id where it has one, and nothing else happens", async () => {
  const client = new Client(await runtime());
  client.write(
    'null\n{"id":"a","type":"prompt"}\n{"id":"b","type":"bash","command":"ls"}\n[]\n{oops\n\n{"id":7,"type":"get_commands"}\r\n',
  );
  await client.until(({ id }) => id === 7);
  expect(client.lines.map(({ id, command, success, code }) => [id, command, success, code])).toEqual([
    [undefined, "parse", false, "bad-command"],
    ["a", "prompt", false, "bad-command"],
    ["b", "bash", false, "bad-command"],
    [undefined, "parse", false, "bad-command"],
    [undefined, "parse", false, "bad-command"],
    [7, "get_commands", true, undefined],
  ]);
  await client.end();
});

test("B167: the end of the input ends it in order, also while a tool runs", async () => {
  const reasons: string[] = [];
  const client = new Client(
    await runtime((pi) => pi.on("session_shutdown", ({ reason }) => void reasons.push(reason))),
  );
  client.send({ type: "prompt", message: "#bash sleep 30" });
  await client.event("tool_execution_start");
  await client.end();
  expect(reasons).toEqual(["quit"]);
  expect(client.lines.findLast(({ type }) => type === "agent_settled")).toEqual({
    type: "agent_settled",
    aborted: true,
  });
});

test("a dialog goes to the client and back; a stop takes it from the screen", async () => {
  const answers: unknown[] = [];
  const client = new Client(
    await runtime((pi) =>
      pi.on("tool_call", async (_, { ui }) => {
        const allowed = await ui.confirm("Run it?", "really");
        answers.push(allowed);
        return { block: !allowed };
      }),
    ),
  );
  client.send({ type: "prompt", message: "#bash echo one\n#bash echo two" });
  const asked = await client.event("extension_ui_request");
  expect(asked).toMatchObject({ method: "confirm", title: "Run it?", message: "really" });
  client.send({ type: "extension_ui_response", id: String(asked["id"]), confirmed: true });
  const second = await client.until((line) => line["type"] === "extension_ui_request" && line["id"] !== asked["id"]);
  expect(await client.ask({ id: "stop", type: "abort" })).toMatchObject({ success: true });
  expect(answers).toEqual([true, false]);
  expect(client.lines).toContainEqual({ type: "extension_ui_closed", id: second["id"] });
  const late = await client.ask({ id: String(second["id"]), type: "extension_ui_response", confirmed: true });
  expect(late).toMatchObject({ success: false, code: "no-such-dialog" });
  await client.end();
});

test("sessions are replaced, found and moved in over the wire", async () => {
  const client = new Client(await runtime());
  client.send({ id: "p", type: "prompt", message: "#say one" });
  await client.event("agent_settled");
  const first = ((await client.ask({ id: "s", type: "get_state" }))["data"] as Line)["sessionFile"];
  const { messages } = (await client.ask({ id: "f", type: "get_fork_messages" }))["data"] as { messages: Line[] };
  expect(messages).toMatchObject([{ text: "#say one" }]);
  expect(await client.ask({ id: "n", type: "new_session" })).toMatchObject({ data: { cancelled: false } });
  expect(await client.ask({ id: "w", type: "switch_session", sessionPath: "nobody" })).toMatchObject({
    code: "no-such-session",
  });
  expect(await client.ask({ id: "x", type: "switch_session", sessionPath: String(first) })).toMatchObject({
    success: true,
  });
  expect(await client.ask({ id: "c", type: "clone" })).toMatchObject({ data: { cancelled: false } });
  const entries = (await client.ask({ id: "e", type: "get_entries" }))["data"] as { entries: Line[]; leafId: string };
  expect(entries.entries.length).toBe(2);
  const moved = await client.ask({ id: "m", type: "navigate_tree", targetId: String(entries.entries[0]?.["id"]) });
  expect(moved).toMatchObject({ data: { cancelled: false, editorText: "#say one" } });
  await client.end();
});

test("print mode says what the agent said last; json mode everything, header first; a failure is the caller's to hear", async () => {
  const out: string[] = [];
  const output = (text: string): void => void out.push(text);
  await runPrintMode(await runtime(), { mode: "text", prompts: ["#say one", "#say two"], output });
  expect(out.splice(0)).toEqual(["two\n"]);
  await runPrintMode(await runtime(), { mode: "json", prompts: ["#say hi"], output });
  const types = out.map((line): unknown => (JSON.parse(line) as Line)["type"]);
  expect([types[0], types.at(-1), types.includes("message_update")]).toEqual(["session", "agent_settled", true]);
  const failing = runPrintMode(await runtime(), { mode: "text", prompts: ["#status 400 not today"], output });
  await expect(failing).rejects.toMatchObject({ code: "agent-failed", message: expect.stringContaining("not today") });
});
