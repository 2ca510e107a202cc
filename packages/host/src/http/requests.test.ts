/** What comes in wrong: every refusal has its status and says what to do, and nothing was made of the request. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jsonOf } from "./body.ts";
import { defaultHttpLimits } from "./limits.ts";
import { type Asked, type TestServer, testServer } from "./test-client.ts";

let server: TestServer;
beforeEach(async () => {
  server = await testServer({ driver: { mode: "echo" } });
});
afterEach(() => server.end());
const sessionsThere = async (): Promise<number> => (await server.world.host.list({})).items.length;
const problemOf = async (name: string, asked: Asked = {}) => (await server.ask(name, asked)).json;

describe("addresses", () => {
  test("what is not there is 404 with the session's name, part of an id too", async () => {
    const id = await server.session();
    for (const session of ["nothing", id.slice(0, -1), `${id}0`, "..", "%", "a/b", "\u0000", "\uFFFD"]) {
      const { status, json } = await server.ask("getSession", { params: { session } });
      expect([status, json["code"]], session).toEqual([404, session === ".." ? "no-such-route" : "no-such-session"]);
    }
  });

  test("where to look is said; a turn that never was is not one that is over", async () => {
    const session = await server.session();
    expect((await server.ask("getSession", { params: { session: "no" } })).json["hint"]).toContain("GET /v1/sessions");
    const { status, json } = await server.ask("stopTurn", { params: { session, turn: "trn_never" } });
    expect([status, json["code"]]).toEqual([404, "no-such-turn"]);
  });

  test("another method is 405 with those there are; OPTIONS tells them", async () => {
    const put = await server.send("PUT", "/v1/sessions", { body: {} });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
    const options = await server.send("OPTIONS", "/v1/sessions");
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, OPTIONS"]);
  });

  test("HEAD is GET without a body, and opens no stream", async () => {
    const id = await server.session();
    const head = await server.send("HEAD", `/v1/sessions/${id}`);
    expect([head.status, head.text]).toEqual([200, ""]);
    const stream = await server.send("HEAD", `/v1/sessions/${id}/events`);
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(server.handler.streams).toBe(0);
  });

  test("health needs no token and says whether the store answers", async () => {
    const headers = { authorization: undefined };
    expect((await server.send("GET", "/healthz", { headers })).json).toEqual({ status: "ok" });
    expect((await server.send("GET", "/readyz", { headers })).status).toBe(200);
    server.handler.beginShutdown();
    const { status, json, headers: told } = await server.send("GET", "/readyz", { headers });
    expect([status, json["code"], told.get("retry-after")]).toEqual([503, "not-ready", "1"]);
  });
});

describe("bodies", () => {
  test("malformed JSON is 400", async () => {
    expect(await problemOf("createSession", { body: '{"title": "x"' })).toMatchObject({
      status: 400,
      code: "bad-json",
    });
    expect(await sessionsThere()).toBe(0);
  });

  test.each([
    ["createSession", { title: 1 }, "/title"],
    ["createSession", { titel: "x" }, "/titel"],
    ["createSession", { title: "x".repeat(501) }, "/title"],
    ["createSession", [], ""],
    ["createSession", { permissionMode: "all" }, "/permissionMode"],
    ["createSession", { id: "ses_mine" }, "/id"],
    ["addAgent", { name: "x", driver: "fake", provider: { "a/b~c": 1 } }, "/provider/a~1b~0c"],
    ["addAgent", { name: "x", driver: "nowhere" }, "/driver"],
    ["importSession", { document: 7 }, "/document"],
    ["pauseHost", { reason: "" }, "/reason"],
    ["drainHost", { timeoutMs: -1 }, "/timeoutMs"],
    ["backUp", { name: "../../etc" }, "/name"],
  ])("%s of %j names the field", async (name, body, pointer) => {
    const problem = await problemOf(name, { body });
    expect(problem).toMatchObject({ status: 400, errors: [{ in: "body", pointer }] });
    expect(await sessionsThere()).toBe(0);
  });

  test("a field that is not known is told with those that are", async () => {
    const { errors } = await problemOf("createSession", { body: { titel: "x" } });
    expect(errors).toEqual([
      { in: "body", pointer: "/titel", detail: expect.stringMatching(/no such field \(there are .*title/) },
    ]);
  });

  test("an input's parts are checked one by one", async () => {
    const session = await server.session();
    const wrong = async (part: object): Promise<unknown> =>
      (await problemOf("submitInput", { params: { session }, body: { parts: [{ type: "text", text: "a" }, part] } }))[
        "errors"
      ];
    expect(await wrong({ type: "text" })).toMatchObject([{ pointer: "/parts/1/text" }]);
    expect(await wrong({ type: "file", mediaType: "a/b", url: "file:///etc/passwd" })).toMatchObject([
      { pointer: "/parts/1/url" },
    ]);
    expect(await wrong({ type: "file", mediaType: "a/b", url: "javascript:alert(1)" })).toMatchObject([
      { pointer: "/parts/1/url" },
    ]);
    expect(await wrong({ type: "tool-bash", toolCallId: "c", state: "output-available" })).toMatchObject([
      { pointer: "/parts/1/type" },
    ]);
    expect((await server.ask("listInputs", { params: { session } })).json["items"]).toEqual([]);
  });

  test("what nests too deep or has too many values is refused before it is looked at", async () => {
    const nested = "[".repeat(300_000) + "]".repeat(300_000);
    const request = (body: string) => new Request("http://localhost", { method: "POST", body });
    await expect(jsonOf(request(nested), defaultHttpLimits)).rejects.toMatchObject({ code: "bad-json" });
    const many = JSON.stringify(Array.from({ length: 30 }, () => 0));
    await expect(jsonOf(request(many), { jsonDepth: 9, jsonValues: 29 })).rejects.toMatchObject({ code: "bad-json" });
    expect(await jsonOf(request(many), { jsonDepth: 9, jsonValues: 31 })).toHaveLength(30);
  });

  test("half a surrogate pair becomes U+FFFD wherever it stands, NUL stays", async () => {
    const { json } = await server.ask("createSession", { body: String.raw`{"title":"a\ud83db\u0000c"}` });
    expect(json["title"]).toBe("a\uFFFDb\u0000c");
    const name = await problemOf("addAgent", {
      body: String.raw`{"name":"x","driver":"fake","driverOptions":{"\ud800":1}}`,
    });
    expect(name).toMatchObject({ status: 400, code: "bad-json" });
  });

  test("a name like __proto__ is a name", async () => {
    const body =
      '{"name":"x","driver":"fake","__proto__":{"model":"m"},"driverOptions":{"__proto__":{"a":1},"constructor":{}}}';
    const { status } = await server.ask("addAgent", { body });
    expect(status).toBe(400);
    expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
  });

  test("nothing but JSON is taken, and of files what they say they are", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", ""]) {
      const { status, json } = await server.send("POST", "/v1/sessions", {
        body: "{}",
        headers: { "content-type": type },
      });
      expect([status, json["code"]], type).toEqual([415, "unsupported-media-type"]);
    }
    const bare = { headers: { "content-type": undefined } };
    expect((await server.send("POST", "/v1/files", { body: new Uint8Array(3), ...bare })).status).toBe(415);
    expect((await server.send("POST", "/v1/files", { body: "x", headers: { "content-type": "text" } })).status).toBe(
      400,
    );
    expect(await sessionsThere()).toBe(0);
  });
});

describe("queries and headers", () => {
  test.each([
    ["listSessions", { limit: "0" }, "/limit"],
    ["listSessions", { limit: "1e3" }, "/limit"],
    ["listSessions", { after: "x" }, "/after"],
    ["listSessions", { state: "asleep" }, "/state"],
    ["totalUsage", {}, "/by"],
    ["totalUsage", { by: "day", from: "yesterday" }, "/from"],
    ["exportSession", { format: "pdf" }, "/format"],
  ])("%s with %j names the value", async (name, query, pointer) => {
    const problem = await problemOf(name, { query, params: { session: "x" } });
    expect(problem).toMatchObject({ status: 400, errors: [{ in: "query", pointer }] });
  });

  test("a cursor that is none, another session's, or of the future is 400 and no stream", async () => {
    const [one, other] = [await server.session(), await server.session()];
    const { json } = await server.ask("submitInput", { params: { session: other }, body: { text: "x" } });
    const cursor = String(json["cursor"]);
    const future = cursor.replace(/\d+$/, "999999");
    for (const [session, after] of [
      [one, "nonsense"],
      [one, cursor],
      [other, future],
    ] as const) {
      const answer = await server.ask("streamSession", { params: { session }, query: { after } });
      expect([answer.status, answer.json["code"]], after).toEqual([400, "bad-cursor"]);
    }
    expect(server.handler.streams).toBe(0);
  });

  test("a workspace outside the roots, or that is not there, is 422 before anything is made", async () => {
    for (const workspace of ["/etc", "/nowhere/at/all", "relative", "/proc/self/root", ""])
      expect(await problemOf("createSession", { body: { workspace } }), workspace).toMatchObject({
        status: 422,
        code: "bad-workspace",
      });
    expect(await sessionsThere()).toBe(0);
  });
});

describe("sizes", () => {
  const small = { ...defaultHttpLimits.bodyBytes, json: 100, input: 200, file: 300 };
  const server413 = () => testServer({ handler: { limits: { bodyBytes: small } } });
  const chunked = (bytes: number): ReadableStream<Uint8Array> =>
    new ReadableStream({
      pull: (controller) => {
        if (bytes <= 0) return controller.close();
        controller.enqueue(new Uint8Array(Math.min(bytes, 64)).fill(32));
        bytes -= 64;
      },
    });

  test("what says it is too long, and what turns out to be, is 413 and nothing was stored", async () => {
    const limited = await server413();
    const session = await limited.session();
    const file = { "content-type": "application/pdf" };
    const asked: [string, string, number, object][] = [
      ["POST", "/v1/sessions", 100, {}],
      ["POST", `/v1/sessions/${session}/inputs`, 200, {}],
      ["POST", "/v1/files", 300, { headers: file }],
    ];
    for (const [method, path, maxBytes, more] of asked) {
      for (const over of [{ body: new Uint8Array(maxBytes + 1).fill(32) }, { body: chunked(maxBytes + 1) }]) {
        const { status, json } = await limited.send(method, path, { ...over, ...more });
        expect([status, json["code"], json["maxBytes"]], path).toEqual([413, "body-too-large", maxBytes]);
      }
      const { status } = await limited.send(method, path, { body: chunked(maxBytes - 36), ...more });
      expect(status, path).not.toBe(413);
    }
    expect((await limited.world.host.list({})).items).toHaveLength(2);
    await limited.end();
  });

  test("the limits are those of the design", () => {
    const mebi = 2 ** 20;
    const { json, input, file, chat } = defaultHttpLimits.bodyBytes;
    expect({ json, input, file, chat }).toEqual({ json: mebi, input: 32 * mebi, file: 20 * mebi, chat: 64 * mebi });
  });
});

describe("once", () => {
  test("an input is one however often its key comes; another body under it is 409", async () => {
    const session = await server.session();
    const headers = { "idempotency-key": '"key-1"' };
    const say = (text: string) => server.ask("submitInput", { params: { session }, body: { text }, headers });
    const first = await say("one");
    expect([first.status, first.json["inputId"]]).toEqual([202, "key-1"]);
    expect((await say("one")).json).toMatchObject({ inputId: "key-1" });
    expect((await say("two")).json).toMatchObject({ status: 409, code: "conflict" });
    const own = await server.ask("submitInput", { params: { session }, body: { text: "x", id: "own" }, headers });
    expect(own.json["inputId"]).toBe("own");
  });

  test("a session is one however often its key comes, at once too; another wish under it is 409", async () => {
    const headers = { "idempotency-key": "first-of-mine" };
    const make = (body: object) => server.ask("createSession", { body, headers });
    const answers = await Promise.all([make({ title: "a" }), make({ title: "a" }), make({ title: "a" })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ json }) => json["id"])).size).toBe(1);
    expect((await make({ title: "b" })).json).toMatchObject({ status: 409, code: "conflict" });
    expect(await sessionsThere()).toBe(1);
    expect(
      (await server.ask("createSession", { body: {}, headers: { "idempotency-key": "no spaces" } })).json,
    ).toMatchObject({
      status: 400,
      errors: [{ in: "header", pointer: "/idempotency-key" }],
    });
  });
});

test("a pause asked for here is one, ends here, and leaves others alone", async () => {
  const { host } = server.world;
  using _ = host.pause("deploy");
  const body = { reason: "deploy" };
  for (let i = 0; i < 2; i++) expect((await server.ask("pauseHost", { body })).json).toEqual(body);
  expect((await server.ask("resumeHost", { params: body })).status).toBe(204);
  expect((await server.ask("resumeHost", { params: body })).json).toMatchObject({ status: 404, code: "no-such-hold" });
  const session = await server.session();
  const { json } = await server.ask("submitInput", { params: { session }, body: { text: "waits" } });
  expect(json["disposition"]).toBe("queued");
});

test("without a directory for backups none are made", async () => {
  expect(await problemOf("backUp", { body: {} })).toMatchObject({ status: 422, code: "no-backup-directory" });
});

test("while the host goes down, what is new is 503 and says when to come back", async () => {
  await server.world.host.shutdown({ graceMs: 0 });
  const { status, json, headers } = await server.ask("createSession", { body: {} });
  expect([status, json["code"], headers.get("retry-after")]).toEqual([503, "shutting-down", "1"]);
});
