/** The client against the real handler: each call reaches its route, and each refusal is told. */
import { openApiDocument } from "@mooring/host/http";
import { expect, test } from "vitest";
import { createClient, type MooringClient } from "./create-client.ts";
import { ProblemError } from "./problem-error.ts";
import { type World, world } from "./testing/world.ts";

/** Calls everything there is; what each call is given matters to nobody here. */
type Call = (...args: readonly unknown[]) => unknown;
async function callAll(value: unknown): Promise<void> {
  for (const [name, member] of Object.entries(Object(value) as Record<string, Call | object>)) {
    if (typeof member !== "function") await callAll(member);
    else if (name === "inputs") await callAll(member("a"));
    else await callOne(name, member as Call);
  }
}
async function callOne(name: string, call: Call): Promise<void> {
  if (name === "events") return begin(call("a"));
  if (name === "watch") return begin(call());
  const answered = call(...(given[name] ?? ["a", "b"]));
  await Promise.resolve(answered).catch(() => {}); // what it makes of the answer is not the point
}
const given: Readonly<Record<string, readonly unknown[]>> = {
  putFile: [{ mediaType: "text/plain", bytes: new Uint8Array(1) }],
  turns: ["a", ["b"]],
};
async function begin(events: unknown): Promise<void> {
  for await (const _ of events as AsyncIterable<unknown>) break;
}

const eventStream = { headers: { "content-type": "text/event-stream" } };

test("every route of the API has a call, and every call a route", async () => {
  const asked = new Set<string>();
  const client = createClient({
    url: "http://localhost:4483/",
    token: "t",
    fetch: async (request) => {
      asked.add(`${request.method} ${new URL(request.url).pathname}`);
      return request.headers.get("accept") === "text/event-stream"
        ? new Response('id: c\ndata: {"type":"snapshot"}\n\nid: d\ndata: {"type":"notice"}\n\n', eventStream)
        : new Response('{"items":[]}', { headers: { "content-type": "application/json" } });
    },
  });
  await callAll(client);
  const { paths = {} } = JSON.parse(JSON.stringify(await openApiDocument()));
  const operations = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      pattern: new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "[^/]+")}$`),
    })),
  );
  const reached = operations.filter(({ pattern }) => [...asked].some((one) => pattern.test(one)));
  expect(reached.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
  const strange = [...asked].filter((one) => !operations.some(({ pattern }) => pattern.test(one)));
  expect(strange).toEqual([]);
});

async function settled({ client }: World, id: string, text: string): Promise<string> {
  const { cursor } = await client.submit(id, { text });
  for await (const { event } of client.events(id, { after: cursor })) {
    if (event.type === "turn.settled") return event.outcome;
  }
  return "never";
}

test("a session from its beginning to its copy", async () => {
  const place = await world({ mode: "echo" });
  const { client } = place;
  const { id } = await client.create({ agent: "agent", title: "One" }, { key: "mine" });
  expect((await client.create({ agent: "agent", title: "One" }, { key: "mine" })).id).toBe(id);
  expect(await settled(place, id, "hello")).toBe("completed");
  const { messages } = await client.messages("mine", { limit: 10 });
  expect(messages.map(({ role, parts }) => [role, parts[0]?.["text"]])).toEqual([
    ["user", "hello"],
    ["assistant", "hello"],
  ]);
  expect((await client.list({ text: "One", limit: 5 })).items.map((row) => row.id)).toEqual([id]);
  expect((await client.update(id, { title: "Two" })).title).toBe("Two");
  expect(await client.export(id, "markdown")).toContain("# Two");
  const copy = await client.import({ document: await client.export(id, "json"), id: "copy" });
  expect((await client.messages(copy.id)).messages).toHaveLength(2);
  expect((await client.snapshot(id)).older).toBe(null);
  await client.remove(id);
  await expect(client.get(id)).rejects.toMatchObject({ code: "no-such-session" });
  expect((await client.restore(id)).title).toBe("Two");
});

test("files come back byte for byte; queues, pauses and rules do what they say", async () => {
  const { client } = await world({ mode: "echo" });
  const bytes = Uint8Array.from([0, 255, 13, 10, 128]);
  const file = await client.putFile({ name: "ü.bin", mediaType: "application/octet-stream", bytes });
  expect(new Uint8Array(await (await client.file(file.id)).arrayBuffer())).toEqual(bytes);
  await client.pause("a deploy");
  const { id } = await client.create();
  const [one, two] = [await client.submit(id, { text: "one" }), await client.submit(id, { text: "two" })];
  const inputs = client.inputs(id);
  await inputs.edit(one.inputId, [{ type: "text", text: "changed" }]);
  await inputs.move(one.inputId, null);
  expect((await inputs.list()).map((row) => row.id)).toEqual([two.inputId, one.inputId]);
  expect(await inputs.cancel(two.inputId)).toBe("cancelled");
  expect((await client.work()).holds).toEqual(["a deploy"]);
  await client.endPause("a deploy");
  expect(await client.drainInFlight({ timeoutMs: 5_000 })).toEqual({ stragglerIds: [] });
  const rule = await client.rules.add({ effect: "allow", tool: "bash", pattern: "git *", scope: "host" });
  expect((await client.rules.list()).map((row) => row.id)).toEqual([rule.id]);
  await client.rules.remove(rule.id);
  expect((await client.backup("first")).path).toMatch(/first$/);
});

test("what is refused says which rule, which field, and whether to try again", async () => {
  const { client, clientOver, fetch, handler } = await world();
  const refused = async (call: Promise<unknown>): Promise<ProblemError> => {
    const cause = await call.catch((problem: unknown) => problem);
    if (ProblemError.isInstance(cause)) return cause;
    throw cause;
  };
  expect(await refused(client.get("ses_none"))).toMatchObject({ code: "no-such-session", status: 404, retry: "never" });
  expect(await refused(client.agents.add({ name: "agent", driver: "fake" }))).toMatchObject({
    ...{ code: "bad-agent", status: 400, detail: { field: "name" } },
  });
  expect(await refused(client.create({ workspace: "/etc" }))).toMatchObject({ code: "bad-workspace", status: 422 });
  expect(await refused(clientOver(fetch, "another-token-xyz").list())).toMatchObject({ status: 401 });
  const gone = clientOver(() => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })));
  expect(await refused(gone.list())).toMatchObject({ code: "no-connection", retry: "later" });
  const page = clientOver(async () => new Response("<html>"));
  expect(await refused(page.list())).toMatchObject({ code: "bad-response" });
  handler.beginShutdown();
});

test("the types know what a session is", async () => {
  const { client }: { readonly client: MooringClient } = await world();
  const { items } = await client.list();
  const titles: readonly (string | null)[] = items.map(({ title }) => title);
  expect(titles).toEqual([]);
});
