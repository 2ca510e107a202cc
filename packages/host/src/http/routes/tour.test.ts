/**
 * Every route once, in the life of one server over the real store: each does what it says, calls what it says, and
 * answers what it says (the client holds every answer against the route's own schemas).
 */
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLog } from "../../host/silent-log.ts";
import { systemIds } from "../../host/system-ids.ts";
import { openSqliteStore } from "../../stores/sqlite/index.ts";
import { tempDir } from "../../stores/sqlite/test-store.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { type Asked, pathOf, requestOf, routeNamed, type TestServer, testServer } from "../test-client.ts";
import { routes } from "./routes.ts";

class Tour {
  readonly server: TestServer;
  readonly heard: Set<string>;
  readonly visited = new Set<string>();

  constructor(server: TestServer, heard: Set<string>) {
    this.server = server;
    this.heard = heard;
  }
  /** The JSON of a route's answer, which is no problem. */
  async visit(name: string, asked: Asked = {}): Promise<Readonly<Record<string, unknown>>> {
    this.heard.clear();
    const { status, json, text } = await this.server.ask(name, asked);
    expect(status, `${name}: ${text}`).toBeLessThan(300);
    return this.#called(name, json);
  }
  /** The first pieces of a stream. */
  async look(name: string, asked: Asked, until: string): Promise<string> {
    this.heard.clear();
    const route = routeNamed(name);
    const response = await this.server.handler.fetch(requestOf(route.method, pathOf(route, asked), asked));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
    let text = "";
    while (!text.includes(until)) text += Buffer.from((await reader.read()).value ?? []).toString();
    await reader.cancel();
    return this.#called(name, text);
  }
  #called<T>(name: string, answer: T): T {
    const calls: readonly string[] = routeNamed(name).calls;
    this.visited.add(name);
    for (const call of this.heard) if (!lookups.has(call)) expect(calls, `${name} calls ${call}`).toContain(call);
    return answer;
  }
}
/** What a route may ask to find what it is about. */
const lookups = new Set(["get", "inputs.get"]);

async function agents(tour: Tour): Promise<void> {
  const added = await tour.visit("addAgent", {
    body: { name: "second", driver: "fake", model: "m1", provider: { apiKey: "sk-secret-key" } },
  });
  expect(JSON.stringify(added)).not.toContain("sk-secret");
  const params = { agent: "second" };
  await tour.visit("changeAgent", { params, body: { instructions: "Be brief." } });
  expect(await tour.visit("getAgent", { params })).toMatchObject({ id: added["id"], instructions: "Be brief." });
  await tour.visit("setDefaultAgent", { body: { agent: "agent" } });
  expect(await tour.visit("getDefaultAgent")).toMatchObject({ agent: { name: "agent" } });
  expect((await tour.visit("listAgents"))["items"]).toHaveLength(2);
  await tour.visit("removeAgent", { params });
  const rule = await tour.visit("addRule", { body: { effect: "ask", tool: "bash", scope: "host" } });
  expect((await tour.visit("listRules"))["items"]).toEqual([rule]);
  await tour.visit("removeRule", { params: { rule: String(rule["id"]) } });
}

async function aTurn(tour: Tour, params: { readonly session: string }): Promise<void> {
  const { server } = tour;
  const receipt = await tour.visit("submitInput", { params, body: { text: "go" } });
  const agent = await server.world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  const input = {
    ...params,
    input: String((await tour.visit("submitInput", { params, body: { text: "then", delivery: "queue" } }))["inputId"]),
  };
  await tour.visit("changeInput", { params: input, body: { text: "then this" } });
  await tour.visit("changeInput", { params: input, body: { before: null } });
  expect(await tour.visit("getInput", { params: input })).toMatchObject({ state: "queued" });
  expect((await tour.visit("listInputs", { params }))["items"]).toHaveLength(2);
  expect(await tour.visit("cancelInput", { params: input })).toEqual({ state: "cancelled" });
  agent.ask(turnId, "apr_1", "c1");
  await tour.look("streamSession", { params, query: { after: String(receipt["cursor"]) } }, "event: turn.waiting");
  expect((await tour.visit("listApprovals", { query: { open: "true", ...params } }))["items"]).toMatchObject([
    { id: "apr_1" },
  ]);
  const answered = await tour.visit("answerApproval", { params: { approval: "apr_1" }, body: { decision: "deny" } });
  expect(answered).toMatchObject({ approval: { how: "deny", answer: { by: "owner" } } });
  expect((await tour.visit("listWork"))["items"]).toMatchObject([{ turnId }]);
  expect(await tour.visit("stopTurn", { params: { ...params, turn: turnId } })).toEqual({ outcome: "stopping" });
  await tour.look("streamSession", { params, query: { after: String(receipt["cursor"]) } }, "event: turn.settled");
  await tour.visit("releaseInputs", { params, body: {} });
  expect((await tour.visit("listMessages", { params, query: { limit: "10" } }))["messages"]).toHaveLength(2);
  expect((await server.ask("listMessages", { params, query: { before: "msg_none" } })).json).toMatchObject({
    code: "no-such-message",
    detail: 'There is no message "msg_none" in this session.',
  });
}

async function copies(tour: Tour, params: { readonly session: string }): Promise<void> {
  const fork = await tour.visit("forkSession", { params, body: {} });
  expect(fork).toMatchObject({ parentId: params.session });
  await tour.visit("exportSession", { params, query: { format: "markdown" } });
  const document = (await tour.server.ask("exportSession", { params })).text;
  const imported = await tour.visit("importSession", { body: { document, title: "again" } });
  await tour.visit("removeSession", { params: { session: String(imported["id"]) } });
  await tour.visit("restoreSession", { params: { session: String(imported["id"]) } });
}

async function sessions(tour: Tour): Promise<void> {
  const made = await tour.visit("createSession", { body: { id: "my-own", title: "one" } });
  const params = { session: String(made["id"]) };
  expect(await tour.visit("getSession", { params: { session: "my-own" } })).toEqual(made);
  await tour.visit("changeSession", { params, body: { title: "two", permissionMode: "plan" } });
  expect((await tour.visit("listSessions", { query: { q: "two", state: "idle" } }))["items"]).toHaveLength(1);
  expect(await tour.look("streamHost", {}, "event: snapshot")).toContain("my-own");
  await aTurn(tour, params);
  await tour.visit("getSnapshot", { params });
  const { leaf, rows } = await tour.visit("readTree", { params });
  expect(rows).toMatchObject([
    { role: "user", parentId: null },
    { id: leaf, role: "assistant" },
  ]);
  const [{ turnId }] = (await tour.visit("listMessages", { params }))["messages"] as [{ turnId: string }];
  const { items } = await tour.visit("listTurns", { params, query: { ids: `${turnId},trn_never` } });
  expect(items).toMatchObject([{ id: turnId, status: "stopped", used: { requests: 0, cost: [] } }]);
  for (const name of ["getUsage", "getContext", "listTools", "closeConnection"]) await tour.visit(name, { params });
  await tour.visit("resumeSession", { params, body: { choice: "fresh" } });
  await tour.visit("compactSession", { params, body: {} });
  await tour.visit("stopCompaction", { params });
  await copies(tour, { session: String((await tour.server.ask("createSession", { body: {} })).json["id"]) });
}

async function files(tour: Tour): Promise<void> {
  const headers = { "content-type": "text/plain" };
  const stored = await tour.visit("storeFile", { body: "hello", headers, query: { name: "a b.txt" } });
  expect(stored).toMatchObject({ size: 5, name: "a b.txt", url: `mooring:file/${stored["id"]}` });
  const params = { file: String(stored["id"]) };
  await tour.visit("readFile", { params });
  const known = (await tour.server.ask("readFile", { params })).headers.get("etag") ?? "";
  for (const sent of [known, `W/${known}, "other"`, "*"]) {
    const again = await tour.server.ask("readFile", { params, headers: { "if-none-match": sent } });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", known]);
  }
  const other = await tour.server.ask("readFile", { params, headers: { "if-none-match": '"other"' } });
  expect([other.status, other.text]).toEqual([200, "hello"]);
  await tour.visit("listDirectories");
}

async function theHost(tour: Tour, backups: string): Promise<void> {
  await tour.visit("listDrivers");
  await tour.visit("totalUsage", { query: { by: "day", from: "0" } });
  await tour.visit("pauseHost", { body: { reason: "deploy" } });
  expect((await tour.visit("listWork"))["holds"]).toEqual(["deploy"]);
  expect(await tour.visit("drainHost", { body: { timeoutMs: 0 } })).toHaveProperty("stragglerIds");
  await tour.visit("resumeHost", { params: { reason: "deploy" } });
  const { path } = await tour.visit("backUp", { body: { name: "first" } });
  expect(path).toBe(join(backups, "first"));
  expect((await stat(String(path))).isDirectory()).toBe(true);
}

test("every route does what it says, calls what it says and answers what it says", async () => {
  const [dataDir, backups] = [tempDir(), tempDir()];
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: new VirtualClock(), log: silentLog });
  const heard = new Set<string>();
  const server = await testServer({
    store: () => store,
    handler: { backupDir: backups },
    heard: (call) => heard.add(call),
  });
  const tour = new Tour(server, heard);
  await agents(tour);
  await sessions(tour);
  await files(tour);
  await theHost(tour, backups);
  expect([...tour.visited].sort()).toEqual(routes.map(({ name }) => name).sort());
  await store.close();
  await server.end();
  await rm(dataDir, { recursive: true, force: true });
});
