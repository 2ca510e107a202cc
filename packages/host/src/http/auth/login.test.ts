/** How a page logs in: with a code, once, within minutes; the token is never in an address, a cookie or a log. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Log } from "../../ports/log.ts";
import { defaultHttpLimits } from "../limits.ts";
import { type Answered, type TestServer, testHandler, testServer, testToken } from "../test-client.ts";

let server: TestServer;
const logged: string[] = [];
const record = (event: string, fields: object = {}): void => void logged.push(JSON.stringify({ event, ...fields }));
const log: Log = { debug: record, info: record, warn: record, error: record };
beforeEach(async () => {
  logged.splice(0);
  server = await testServer({ handler: { log } });
});
afterEach(() => server.end());

const stranger = { authorization: undefined };
const login = (code: string, headers: Readonly<Record<string, string>> = {}): Promise<Answered> =>
  server.send("GET", `/login?code=${code}`, { headers: { ...stranger, ...headers } });
const cookieOf = ({ headers }: Answered): string => headers.get("set-cookie") ?? "";

test("a code is exchanged once for a cookie that pages cannot read and other sites do not send", async () => {
  const code = server.handler.loginCode();
  const answer = await login(code);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
  expect(cookieOf(answer)).toMatch(/^mooring-[\w-]+=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
  const cookie = cookieOf(answer).split(";")[0] ?? "";
  expect((await server.send("GET", "/v1/sessions", { headers: { ...stranger, cookie } })).status).toBe(200);
  expect((await login(code)).json).toMatchObject({ status: 401, code: "login-code-invalid" });
});

test("a link to it may be followed from anywhere; asking for its head uses nothing up", async () => {
  const code = server.handler.loginCode();
  const head = await server.send("HEAD", `/login?code=${code}`, { headers: stranger });
  expect(head.status).toBe(401);
  const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  expect((await login(code, link)).status).toBe(303);
});

test("a code is short-lived, and of many only the newest are kept", async () => {
  const old = server.handler.loginCode();
  server.world.clock.advance(defaultHttpLimits.loginCodeMs);
  expect((await login(old)).status).toBe(401);
  const codes = Array.from({ length: defaultHttpLimits.loginCodes + 1 }, () => server.handler.loginCode());
  expect((await login(codes[0] ?? "")).status).toBe(401);
  expect((await login(codes[1] ?? "")).status).toBe(303);
  for (const wrong of ["", "x", codes[2]?.slice(0, -1) ?? ""]) expect((await login(wrong)).status).toBe(401);
});

test("the cookie is not the token, lives as long as the token does, and is secure over https", async () => {
  const cookie = cookieOf(await login(server.handler.loginCode()));
  expect(cookie).not.toContain(testToken);
  const again = testHandler(server.world);
  const same = await again.fetch(new Request(`http://localhost/login?code=${again.loginCode()}`));
  expect(same.headers.get("set-cookie")).toBe(cookie);
  const other = testHandler(server.world, { handler: { auth: { token: "another-token-of-the-tests" } } });
  const headers = { cookie: cookie.split(";")[0] ?? "" };
  expect((await other.fetch(new Request("http://localhost/v1/sessions", { headers }))).status).toBe(401);
  const secure = await again.fetch(new Request(`https://localhost/login?code=${again.loginCode()}`));
  expect(secure.headers.get("set-cookie")).toContain("Secure");
});

test("nothing secret is logged, whatever goes wrong", async () => {
  const cookie = cookieOf(await login(server.handler.loginCode())).split(";")[0] ?? "";
  const code = server.handler.loginCode();
  server.world.host.list = () => Promise.reject(new TypeError(`Bearer ${testToken}`));
  for (const headers of [{}, stranger, { ...stranger, cookie }])
    await server.send("GET", `/v1/sessions?code=${code}`, { headers });
  await server.send("GET", `/readyz?code=${code}`);
  await login("wrong");
  expect(logged.some((line) => line.includes("http-failed"))).toBe(true);
  const secrets = [testToken, code, cookie.split("=")[1] ?? ""];
  for (const secret of secrets) expect(logged.join("\n")).not.toContain(secret);
});

describe("an embedder's own way to know who asks", () => {
  test("takes the place of the token; inputs and answers carry the name", async () => {
    const handler = testHandler(server.world, {
      handler: {
        auth: {
          authenticate: async ({ headers }) =>
            headers.get("x-user") === null ? null : { name: `user ${headers.get("x-user")}` },
        },
      },
    });
    expect(() => handler.loginCode()).toThrow(/another way/);
    const session = await server.session();
    const say = (headers: Readonly<Record<string, string>>) =>
      handler.fetch(
        new Request(`http://localhost/v1/sessions/${session}/inputs`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ text: "hi" }),
        }),
      );
    expect((await say({ authorization: `Bearer ${testToken}` })).status).toBe(401);
    expect((await say({ "x-user": "7" })).status).toBe(202);
    expect(await server.world.host.inputs(session).list()).toMatchObject([{ input: { author: "user 7" } }]);
  });

  test.each([new TypeError("password1"), "password1", null])(
    "what it throws is a 500 that says nothing",
    async (cause) => {
      const handler = testHandler(server.world, {
        handler: { log, auth: { authenticate: () => Promise.reject(cause) } },
      });
      const response = await handler.fetch(new Request("http://localhost/v1/sessions"));
      expect([response.status, response.headers.get("content-type")]).toEqual([500, "application/problem+json"]);
      expect(await response.text()).not.toContain("password1");
      expect(logged.filter((line) => line.includes("http-failed"))).toHaveLength(1);
    },
  );

  test("a token that is short is refused", () => {
    expect(() => testHandler(server.world, { handler: { auth: { token: "short" } } })).toThrow(/at least 16/);
  });
});
