/**
 * What an attacker tries (case C01), each against the gate that stands in its way and again without that one gate: only
 * an attack that succeeds then shows that the gate is what held. Held means: refused before the host was asked anything.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { GateName } from "./gates/gate.ts";
import { requestOf, type TestServer, type TestServerOptions, testServer, testToken } from "./test-client.ts";

const heard: string[] = [];
let open: TestServer[] = [];
beforeEach(() => heard.splice(0));
afterEach(async () => {
  for (const server of open) await server.end();
  open = [];
});
async function start(options: TestServerOptions): Promise<TestServer> {
  const server = await testServer({ heard: (call) => heard.push(call), ...options });
  open.push(server);
  return server;
}
/** The cookie of a page that logged in, as a browser sends it. */
async function cookieOf(server: TestServer): Promise<string> {
  const { headers } = await server.send("GET", `/login?code=${server.handler.loginCode()}`);
  return headers.get("set-cookie")?.split(";")[0] ?? "";
}

type Attack = {
  readonly what: string;
  readonly gate: GateName;
  readonly status: number;
  readonly options?: TestServerOptions;
  readonly method?: string;
  readonly path?: string;
  /** What the host is asked for without the gate. */
  readonly call?: string;
  readonly body?: unknown;
  headers(cookie: string): Readonly<Record<string, string | undefined>>;
};
const noToken = { authorization: undefined };
const withCookie = (cookie: string) => ({ ...noToken, cookie });
const attacks: readonly Attack[] = [
  {
    what: "a program that has no token",
    gate: "token",
    status: 401,
    headers: () => noToken,
  },
  {
    what: "a wrong token",
    gate: "token",
    status: 401,
    headers: () => ({ authorization: `Bearer ${testToken.slice(0, -1)}` }),
  },
  {
    what: "a token in the address",
    gate: "token",
    status: 401,
    path: `/v1/sessions?token=${testToken}&access_token=${testToken}`,
    headers: () => noToken,
  },
  {
    what: "a cookie that was made up",
    gate: "token",
    status: 401,
    headers: (cookie) => withCookie(`${cookie.split("=")[0]}=${testToken}`),
  },
  {
    what: "a page of another site, with JSON",
    gate: "origin",
    status: 403,
    headers: (cookie) => ({ ...withCookie(cookie), origin: "https://evil.example" }),
  },
  {
    what: "a page of another port of this computer, to which browsers send the cookie",
    gate: "origin",
    status: 403,
    headers: (cookie) => ({ ...withCookie(cookie), origin: "http://localhost:3000" }),
  },
  {
    what: "a page in a sandbox",
    gate: "origin",
    status: 403,
    headers: (cookie) => ({ ...withCookie(cookie), origin: "null" }),
  },
  {
    what: "an origin that begins like an allowed one",
    gate: "origin",
    status: 403,
    options: { handler: { allowedOrigins: ["https://app.example"] } },
    headers: () => ({ origin: "https://app.example.evil.example" }),
  },
  {
    what: "a page whose name was pointed at this computer",
    gate: "host",
    status: 403,
    headers: () => ({ host: "rebound.example:4483" }),
  },
  {
    what: "a name that ends like ours",
    gate: "host",
    status: 403,
    headers: () => ({ host: "127.0.0.1.rebound.example" }),
  },
  {
    what: "a request of another site that comes without an origin",
    gate: "site",
    status: 403,
    headers: (cookie) => ({ ...withCookie(cookie), "sec-fetch-site": "cross-site" }),
  },
  {
    what: "a picture of another site that is a read",
    gate: "site",
    status: 403,
    method: "GET",
    headers: (cookie) => ({ ...withCookie(cookie), "sec-fetch-site": "same-site", "sec-fetch-dest": "image" }),
  },
  {
    what: "a form's post, which no browser asks before",
    gate: "media",
    status: 415,
    headers: (cookie) => ({ ...withCookie(cookie), "content-type": "text/plain" }),
  },
  {
    what: "a form's post without any type",
    gate: "media",
    status: 415,
    headers: (cookie) => ({ ...withCookie(cookie), "content-type": undefined }),
  },
  {
    what: "a body that fills the memory",
    gate: "size",
    status: 413,
    path: "/v1/agents",
    call: "agents.add",
    body: { name: "large", driver: "fake", instructions: "x".repeat(2 ** 20) },
    headers: () => ({}),
  },
];

describe.each(attacks)("$what", (attack) => {
  const { gate, status, options = {}, method = "POST", path = "/v1/sessions", body = {} } = attack;
  const { call = method === "GET" ? "list" : "create" } = attack;
  async function tried(without: readonly GateName[]): Promise<{ readonly status: number; readonly headers: Headers }> {
    const server = await start({ ...options, without });
    const cookie = await cookieOf(server);
    heard.splice(0);
    const asked = { headers: attack.headers(cookie), ...(method === "GET" ? {} : { body }) };
    return server.send(method, path, asked);
  }

  test("is held before the host hears of it", async () => {
    const answer = await tried([]);
    expect(answer.status).toBe(status);
    expect(heard).toEqual([]);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  test(`gets through without the gate "${gate}"`, async () => {
    expect((await tried([gate])).status).toBeLessThan(300);
    expect(heard).toEqual([call]);
  });
});

describe("a path that leads elsewhere", () => {
  const tries = ["/etc", "/etc/passwd", "/..", "../../..", "/proc/self/cwd", "/proc/self/root/etc"];
  const directories = (server: TestServer, path: string) => server.ask("listDirectories", { query: { path } });

  test.each(tries)("%s is no workspace and is not listed", async (path) => {
    const server = await start({});
    expect((await directories(server, path)).json).toMatchObject({ status: 422, code: "bad-workspace" });
    expect((await server.ask("createSession", { body: { workspace: path } })).status).toBe(422);
    expect((await server.world.host.list({})).items).toEqual([]);
  });

  test("it is the roots that hold: under the root of everything it is listed", async () => {
    const server = await start({ roots: ["/"] });
    expect((await directories(server, "/etc")).json).toMatchObject({ path: "/etc" });
  });

  test.each(["..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "../../etc/passwd", "fil_..%2f..%2fsecrets.json"])(
    "no file is read by %s",
    async (name) => {
      const server = await start({});
      expect((await server.send("GET", `/v1/files/${name}`)).status).toBe(404);
    },
  );

  test.each(["../x", "/tmp/x", "a/b", "..", ".", ".hidden", "a\u0000b", ""])(
    "no backup is made at %j",
    async (name) => {
      const server = await start({ handler: { backupDir: "/nowhere" } });
      expect((await server.ask("backUp", { body: { name } })).status).toBe(400);
    },
  );
});

describe("other origins", () => {
  const allowed = "https://app.example";
  const origins = { handler: { allowedOrigins: [allowed] } };
  const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };

  test("an allowed one is let in by name, after it asked, and without our cookie", async () => {
    const server = await start(origins);
    const asked = await server.send("OPTIONS", "/v1/sessions", {
      headers: { ...noToken, ...preflight, origin: allowed },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-origin")).toBe(allowed);
    expect(asked.headers.get("access-control-allow-headers")).toContain("authorization");
    expect(asked.headers.get("access-control-allow-credentials")).toBeNull();
    expect(asked.headers.get("vary")).toBe("Origin");
    const headers = { origin: allowed, "sec-fetch-site": "cross-site" };
    const made = await server.send("POST", "/v1/sessions", { body: {}, headers });
    expect([made.status, made.headers.get("access-control-allow-origin")]).toEqual([201, allowed]);
    const wrong = await server.send("POST", "/v1/sessions", { body: { a: 1 }, headers });
    expect([wrong.status, wrong.headers.get("access-control-allow-origin")]).toEqual([400, allowed]);
  });

  test("another one is refused when it asks, and hears nothing", async () => {
    const server = await start(origins);
    const { status, headers } = await server.send("OPTIONS", "/v1/sessions", {
      headers: { ...noToken, ...preflight, origin: "https://other.example" },
    });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([403, null]);
    expect(heard).toEqual([]);
  });

  test("its own page is let in, behind a proxy that speaks https too", async () => {
    const server = await start({});
    for (const origin of ["http://localhost:4483", "https://localhost:4483"])
      expect((await server.send("POST", "/v1/sessions", { body: {}, headers: { origin } })).status).toBe(201);
  });

  test.each(["*", "app.example", "https://app.example/", "https://app.example/path", "null"])(
    "%s is no origin to allow",
    async (origin) => {
      const starting = start({ handler: { allowedOrigins: [origin] } });
      await expect(starting).rejects.toMatchObject({ code: "invalid-option" });
    },
  );
});

describe("names", () => {
  test.each(["localhost", "localhost:1", "127.0.0.1:4483", "[::1]:4483", "192.168.1.5", "LOCALHOST"])(
    "%s is ours",
    async (host) => {
      const server = await start({});
      expect((await server.send("GET", "/v1/sessions", { headers: { host } })).status).toBe(200);
    },
  );
  test.each(["", "localhost.", "localhost:x", "a b", "[::1", "evil@localhost", "localhost, rebound.example"])(
    "%j is not",
    async (host) => {
      const server = await start({});
      const request = requestOf("GET", "/v1/sessions", {});
      const headers = new Headers(request.headers);
      headers.set("host", host);
      expect((await server.handler.fetch(new Request(request, { headers }))).status).toBe(403);
    },
  );
  test("names that were allowed are, on every port or on one", async () => {
    const server = await start({
      handler: { allowedHosts: ["box.example:80", "Any.Example"], listenUrl: "http://here.example:4483" },
    });
    const statusFor = async (host: string) => (await server.send("GET", "/v1/sessions", { headers: { host } })).status;
    for (const host of ["box.example:80", "any.example:1", "any.example", "here.example"])
      expect(await statusFor(host), host).toBe(200);
    for (const host of ["box.example", "box.example:81", "x.any.example"])
      expect(await statusFor(host), host).toBe(403);
  });
});
