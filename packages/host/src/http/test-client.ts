/**
 * A client for tests of the surface, in process. Invariant: whatever a route answers is held against what the route says
 * it answers, so a description that is not true fails the test that asked.
 */
import { expect } from "vitest";
import type { SessionHost } from "../host/api.ts";
import { type TestHost, type TestHostOptions, testHost } from "../testing/test-host.ts";
import { type Handler, type HandlerOptions, handlerWith } from "./create-handler.ts";
import type { Gate, GateName } from "./gates/gate.ts";
import { allGates } from "./gates/gates.ts";
import type { Route } from "./routes/route.ts";
import { routes } from "./routes/routes.ts";
import { problem } from "./schemas/problem.ts";

export const testToken = "a-token-of-the-tests";
export const origin = "http://localhost:4483";

export type Asked = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** JSON; a string or bytes are sent as they are. */
  readonly body?: unknown;
  /** Undefined takes one of the usual headers away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
};
export type Answered = {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed when it is JSON; else null. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
};
export type TestServer = {
  readonly world: TestHost;
  readonly handler: Handler;
  /** Asks a route by its name. */
  ask(name: string, asked?: Asked): Promise<Answered>;
  send(method: string, path: string, asked?: Asked): Promise<Answered>;
  /** A new session's id. */
  session(): Promise<string>;
  end(): Promise<void>;
};
export type TestServerOptions = TestHostOptions & {
  readonly handler?: Partial<HandlerOptions>;
  /** Gates left out. */
  readonly without?: readonly GateName[];
  /** Hears of every call of the host, by the name that routes give it. */
  readonly heard?: (call: string) => void;
};

export function testHandler(world: TestHost, options: TestServerOptions = {}): Handler {
  const { without = [], heard } = options;
  return handlerWith(
    heard === undefined ? world.host : listened(world.host, heard),
    { auth: { token: testToken }, clock: world.clock, ...options.handler },
    (given) => [
      ...(without.includes("token") ? [{ name: "token", gate: anyone } as const] : []),
      ...allGates(given).filter(({ name }) => !without.includes(name)),
    ],
  );
}
/** In place of the gate that asks who it is: routes know that somebody was let in. */
const anyone: Gate = () => (c, next) => {
  c.set("principal", { name: "anyone" });
  return next();
};
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  return serverOver(await testHost(options), options);
}
/** Of a host that is there already, as after its restart. */
export function serverOver(world: TestHost, options: TestServerOptions = {}): TestServer {
  const handler = testHandler(world, options);
  const send: TestServer["send"] = async (method, path, asked = {}) =>
    answered(await handler.fetch(requestOf(method, path, asked)));
  return {
    world,
    handler,
    send,
    ask: async (name, asked = {}) => {
      const route = routeNamed(name);
      const answer = await send(route.method, pathOf(route, asked), asked);
      hold(route, answer);
      return answer;
    },
    session: () => world.session(),
    end: async () => {
      handler.close();
      await world.end();
    },
  };
}
/** The same host; its methods, and those of its lists, tell that they are called. */
function listened(host: SessionHost, heard: (call: string) => void): SessionHost {
  const telling = <T extends object>(target: T, prefix: string): T =>
    new Proxy(target, {
      get: (_, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof key !== "string") return value;
        if (typeof value === "object" && value !== null) return telling(value, `${key}.`);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          if (prefix !== "" || key !== "inputs") heard(`${prefix}${key}`);
          const result: unknown = Reflect.apply(value, target, args);
          return prefix === "" && key === "inputs" ? telling(result as object, "inputs.") : result;
        };
      },
    });
  return telling(host, "");
}
export function routeNamed(name: string): Route {
  const route = routes.find((each) => each.name === name);
  if (route === undefined) throw new TypeError(`no route "${name}"`);
  return route;
}
export function pathOf({ path }: Route, { params = {}, query }: Asked): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  return query === undefined ? filled : `${filled}?${new URLSearchParams(query)}`;
}
export function requestOf(method: string, path: string, { body, headers = {} }: Asked): Request {
  const given = new Headers();
  const usual = {
    authorization: `Bearer ${testToken}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  for (const [name, value] of Object.entries({ ...usual, ...headers })) if (value !== undefined) given.set(name, value);
  const raw = typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
  const sent =
    body === undefined ? {} : { body: (raw ? body : JSON.stringify(body)) as BodyInit, duplex: "half" as const };
  return new Request(`${origin}${path}`, { method, headers: given, ...sent });
}
async function answered(response: Response): Promise<Answered> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = /json/.test(headers.get("content-type") ?? "") && text !== "";
  return { status, headers, text, json: isJson ? JSON.parse(text) : null };
}
/** What came is what the route says, no more and no less. */
export function hold(route: Route, { status, headers, json, text }: Answered): void {
  if (status >= 400) {
    expect(headers.get("content-type")).toBe("application/problem+json");
    expect(problem.parse(json)).toMatchObject({ status });
    return;
  }
  expect(Object.keys(route.replies)).toContain(String(status));
  const content = route.replies[status];
  if (content === null || content === undefined) expect(text).toBe("");
  else if ("parse" in content) expect(content.parse(json)).toEqual(json);
}
