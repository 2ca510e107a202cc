/**
 * Sends made-up requests to every route and holds every answer to what all answers must be. The virtual clock passes
 * while an answer is waited for, so that whatever waits for time gets it.
 */
import { z } from "zod";
import { chatPaths } from "../../../packages/host/src/http/chat-mount.ts";
import type { Route } from "../../../packages/host/src/http/routes/route.ts";
import { routes } from "../../../packages/host/src/http/routes/routes.ts";
import { problem } from "../../../packages/host/src/http/schemas/problem.ts";
import { hold, origin, type TestServer, testToken } from "../../../packages/host/src/http/test-client.ts";
import { Generator, type Pools, type Schema } from "./generate.ts";
import { type Draft, mutateAround, mutateText, mutateValue } from "./mutate.ts";
import type { Random } from "./random.ts";
import type { Scene } from "./scene.ts";

/** What was sent to one route and how far it came. */
export type Reach = { sent: number; reached: number; ok: number; readonly statuses: Map<number, number> };
type Target = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Schema;
  readonly body?: Schema | "file";
};

const schemaOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
const targetOf = ({ name, method, path, query, body }: Route): Target => ({
  name,
  method,
  path,
  ...(query === undefined ? {} : { query: schemaOf(query) }),
  ...(body === undefined ? {} : { body: body === "file" ? body : schemaOf(body) }),
});
const chatMessage: Schema = {
  type: "object",
  required: ["id", "role", "parts"],
  properties: {
    id: { type: "string" },
    role: { enum: ["user", "user", "assistant"] },
    parts: {
      type: "array",
      items: {
        type: "object",
        required: ["type", "text"],
        properties: { type: { const: "text" }, text: { type: "string" } },
      },
    },
  },
};
const chatBody: Schema = {
  type: "object",
  required: ["id", "messages", "trigger"],
  properties: {
    id: { type: "string" },
    trigger: { enum: ["submit-message", "regenerate-message"] },
    messageId: { type: "string" },
    messages: { type: "array", items: chatMessage },
  },
};
const stopBody: Schema = { type: "object", required: ["turnId"], properties: { turnId: { type: "string" } } };
export const targets: readonly Target[] = [
  ...routes.map(targetOf),
  ...chatPaths.map(({ method, path }) => ({
    name: `chat ${method} ${path}`,
    method,
    path,
    ...(method === "POST" ? { body: path.endsWith("stop") ? stopBody : chatBody } : {}),
  })),
];

/** Milliseconds an answer may take. */
const patienceMs = 30_000;
/** Steps of the clock while one waits, in milliseconds. */
const step = 5_000;

export class Fuzz {
  readonly reach = new Map<string, Reach>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Throws when an answer is not what every answer must be. */
  async send(scene: Scene, target: Target): Promise<void> {
    const draft = this.#draft(target, scene.pools());
    const before = scene.heard();
    const response = await this.#answered(scene.server, draft);
    const text = await this.#read(scene.server, response);
    const said = `${draft.method} ${draft.path} -> ${response.status} ${text.slice(0, 300)}`;
    if (response.status === 500) throw new TypeError(`a 500: ${said}`);
    const route = routes.find(({ name }) => name === target.name);
    if (route !== undefined && draft.isPlain && response.status < 400) holdText(route, response, text);
    if (response.status >= 400 && draft.method !== "HEAD") problem.parse(JSON.parse(text));
    const reach = this.reach.get(target.name) ?? { sent: 0, reached: 0, ok: 0, statuses: new Map() };
    this.reach.set(target.name, reach);
    reach.sent++;
    if (scene.heard() > before || response.status < 400) reach.reached++;
    if (response.status < 400) reach.ok++;
    reach.statuses.set(response.status, (reach.statuses.get(response.status) ?? 0) + 1);
  }

  #draft({ method, path, query, body }: Target, pools: Pools): Draft {
    const random = this.#random;
    const generator = new Generator(random, pools);
    const filled = path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(random.of(pools[name] ?? []) ?? "x")),
    );
    const asked = query === undefined ? {} : (generator.value(query) as Readonly<Record<string, unknown>>);
    const search = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]));
    const draft: Draft = {
      method,
      path: search.size === 0 ? filled : `${filled}?${search}`,
      headers: { authorization: `Bearer ${testToken}` },
      body: null,
      isPlain: random.below(100) >= 15,
    };
    if (body === "file") {
      draft.headers["content-type"] = random.of(["text/plain", "image/png", "a/b; c=d", "nonsense"]);
      draft.body = new Uint8Array(random.below(2_000));
    } else if (body !== undefined) {
      draft.headers["content-type"] = "application/json";
      draft.body = this.#bodyText(generator.value(body));
    }
    if (!draft.isPlain) mutateAround(random, draft);
    return draft;
  }
  #bodyText(value: unknown): string | Uint8Array {
    const random = this.#random;
    const mutated = random.chance(35) ? mutateValue(random, value) : value;
    const text = JSON.stringify(mutated) ?? "";
    return random.chance(8) ? mutateText(random, text) : text;
  }
  async #answered(server: TestServer, { method, path, headers, body }: Draft): Promise<Response> {
    const bare = method === "GET" || method === "HEAD" || body === null;
    const request = new Request(`${origin}${path}`, {
      method,
      headers: latin1(headers),
      ...(bare ? {} : { body: body as BodyInit }),
    });
    return inTime(server, server.handler.fetch(request), `${method} ${path}`);
  }
  /** Of an endless stream its beginning. */
  async #read(server: TestServer, response: Response): Promise<string> {
    const isStream = response.headers.get("content-type") === "text/event-stream";
    if (!isStream) return response.text();
    const reader = response.body?.getReader();
    if (reader === undefined) return "";
    const first = await inTime(server, reader.read(), "the beginning of a stream");
    await reader.cancel();
    return Buffer.from(first.value ?? []).toString();
  }
}
async function inTime<T>({ world }: TestServer, promise: Promise<T>, what: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const patient = setTimeout(() => late.reject(new TypeError(`no answer: ${what}`)), patienceMs);
  const passing = setInterval(() => world.clock.advance(step), 10);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(patient);
    clearInterval(passing);
  }
}
/** What came is what the route says it answers. */
function holdText(route: Route, { status, headers }: Response, text: string): void {
  const isJson = headers.get("content-type") === "application/json" && text !== "";
  hold(route, { status, headers, text, json: isJson ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {} });
}
/** What a header can carry. */
const latin1 = (headers: Readonly<Record<string, string>>): Headers =>
  new Headers(Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\x20-\x7e\x80-\xff]/g, "")]));
