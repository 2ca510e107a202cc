/** Documents that were changed anywhere: an import ends well or with a typed error, and what it took in can be used. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MooringError } from "../../protocol/errors.ts";
import { type TestHost, testHost } from "../../testing/test-host.ts";
import { storeSession } from "./test-session.ts";

let world: TestHost;
let workspace = "";
let original = "";
beforeAll(async () => {
  world = await testHost();
  workspace = join(world.dataDir, "workspaces", "shared");
  await mkdir(workspace, { recursive: true });
  original = await world.host.export(
    await storeSession(world.store, (await world.host.agents.get("agent")).id),
    "json",
  );
});
afterAll(() => world.end());

type Place = { readonly holder: object; readonly key: string };

/** Every field and element of a value, in order. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...placesIn(inner)]);
}

type Mutation =
  | { readonly do: "set"; readonly at: number; readonly value: unknown }
  | { readonly do: "remove" | "repeat"; readonly at: number }
  | { readonly do: "copy"; readonly at: number; readonly from: number };
const place = fc.nat(10_000);
const odd = fc.constantFrom<unknown>(null, true, -1, 0.5, 1e300, 2 ** 53, "", "msg_a", "open", "\ud800", [], {}, [[]]);
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ do: fc.constant("set" as const), at: place, value: fc.oneof(odd, fc.jsonValue({ maxDepth: 2 })) }),
  fc.record({ do: fc.constantFrom("remove" as const, "repeat" as const), at: place }),
  fc.record({ do: fc.constant("copy" as const), at: place, from: place }),
);

function apply(document: object, mutation: Mutation): void {
  const places = placesIn(document);
  const at = places[mutation.at % places.length];
  if (at === undefined) return;
  const { holder, key } = at;
  switch (mutation.do) {
    case "set":
      return void Reflect.set(holder, key, mutation.value);
    case "remove":
      return void (Array.isArray(holder) ? holder.splice(Number(key), 1) : Reflect.deleteProperty(holder, key));
    case "repeat":
      return void (Array.isArray(holder) && holder.push(structuredClone(holder[Number(key)])));
    case "copy": {
      const from = places[mutation.from % places.length];
      if (from) Reflect.set(holder, key, structuredClone(Reflect.get(from.holder, from.key)));
    }
  }
}

/** The code of the refusal; null: it was imported, and everything that reads it works. */
async function imported(document: string): Promise<string | null> {
  const { host, driver } = world;
  try {
    const { id } = await host.import({ document, workspace });
    await host.export(id, "markdown");
    JSON.parse(await host.export(id, "json"));
    await host.messages(id);
    for (const by of ["day", "agent", "model"] as const) await host.usageTotals({ by });
    const before = driver.connects.all.length;
    const { turnId } = await host.submit(id, { text: "and now" });
    while (driver.connects.all.length === before) await driver.connects.next();
    await driver.connects.all.at(-1)?.history();
    await host.stop(id, turnId ?? "");
    await host.remove(id);
    return null;
  } catch (cause) {
    if (MooringError.isInstance(cause)) return cause.code;
    throw cause;
  }
}

test("changed fields end in a session that works, or in an error that says what is wrong", async () => {
  const seen = new Map<string | null, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 0, maxLength: 4 }), async (mutations) => {
      const document = JSON.parse(original) as object;
      for (const one of mutations) apply(document, one);
      const code = await imported(JSON.stringify(document));
      seen.set(code, (seen.get(code) ?? 0) + 1);
    }),
    { numRuns: 400 },
  );
  expect([...seen.keys()].sort()).toEqual(["bad-export", null]); // null comes last
  for (const count of seen.values()) expect(count).toBeGreaterThan(20);
});

test("so do damaged texts", async () => {
  const cut = fc.nat(original.length).map((at) => original.slice(0, at));
  const swapped = fc.tuple(fc.nat(original.length), fc.string({ maxLength: 3, unit: "binary" })).map(([at, text]) => {
    return original.slice(0, at) + text + original.slice(at + text.length);
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(cut, swapped), async (document) => {
      expect([null, "bad-export"]).toContain(await imported(document));
    }),
    { numRuns: 200 },
  );
});
