/** The table of routes against the host: nothing it can be asked is forgotten. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Host } from "../../host/session-host.ts";
import { type TestServer, testServer } from "../test-client.ts";
import { routes, unreached } from "./routes.ts";

let server: TestServer;
const heard: string[] = [];
beforeEach(async () => {
  server = await testServer({ heard: (call) => heard.push(call) });
  heard.splice(0);
});
afterEach(() => server.end());

/** Every method of a live host, as routes name them. */
function callsOf({ host }: TestServer["world"], session: string): string[] {
  const lists: Record<string, object> = { ...host, inputs: host.inputs(session) };
  const own = Object.getOwnPropertyNames(Host.prototype).filter((name) => name !== "constructor" && name !== "inputs");
  const nested = Object.entries(lists).flatMap(([list, methods]) =>
    Object.keys(methods).map((name) => `${list}.${name}`),
  );
  return [...own, ...nested].sort();
}

test("every method is asked by a route, or is listed with the reason why not", async () => {
  const reached = new Set<string>(routes.flatMap(({ calls }) => calls));
  expect([...reached, ...Object.keys(unreached)].sort()).toEqual(callsOf(server.world, await server.session()));
  for (const reason of Object.values(unreached)) expect(reason.length).toBeGreaterThan(10);
});

test("every route asks something, under one name and one address", () => {
  for (const { calls } of routes) expect(calls.length).toBeGreaterThan(0);
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length);
  expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length);
});

test.each(routes)(
  "$method $path is closed to strangers, and asks the host nothing for them",
  async ({ method, path }) => {
    const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
    const { status, headers } = await server.send(method, path, { ...body, headers: { authorization: undefined } });
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(heard).toEqual([]);
  },
);
