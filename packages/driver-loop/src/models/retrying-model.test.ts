import { expect, test } from "vitest";
import { openHost } from "../testing/open-host.ts";

test("an overloaded provider is asked again after 2 s and 4 s", async () => {
  const host = await openHost();
  await host.send("#status 529 x2 overloaded\n#say at last");
  expect(await host.next("api-retry")).toEqual({
    type: "api-retry",
    turnId: "trn_1",
    attempt: 1,
    maxAttempts: 3,
    delayMs: 2_000,
    status: 529,
    message: "overloaded",
  });
  host.clock.advance(2_000);
  expect(await host.next("api-retry", 2)).toMatchObject({ attempt: 2, delayMs: 4_000 });
  host.clock.advance(4_000);
  expect(await host.end()).toMatchObject({ outcome: "completed" });
  expect(host.said).toBe("at last");
  expect(host.all("usage")).toHaveLength(1);
});

test("after three failures the turn fails in the provider's words", async () => {
  const host = await openHost();
  await host.send("#status 503 the servers are down\n#say never");
  await host.next("api-retry");
  host.clock.advance(2_000);
  await host.next("api-retry", 2);
  host.clock.advance(4_000);
  const end = await host.end();
  expect(end).toEqual({
    type: "error",
    turnId: "trn_1",
    code: "overloaded",
    message: "the servers are down",
    retry: "later",
  });
  expect(host.all("api-retry")).toHaveLength(2);
});

test("retry-after is honoured", async () => {
  const host = await openHost();
  await host.send("#status 429 x1 after=30 slow down\n#say ok");
  expect(await host.next("api-retry")).toMatchObject({ delayMs: 30_000, status: 429 });
  host.clock.advance(30_000);
  expect(await host.end()).toMatchObject({ outcome: "completed" });
});

test("a wait longer than the limit is not begun", async () => {
  const host = await openHost();
  const end = await host.turn("#status 429 after=3600 come back later\n#say ok");
  expect(end).toMatchObject({ type: "error", code: "rate-limited", message: "come back later", retry: "later" });
  expect(host.all("api-retry")).toEqual([]);
});

test("a bad key is not tried again", async () => {
  const host = await openHost();
  const end = await host.turn("#status 401 invalid x-api-key\n#say ok");
  expect(end).toMatchObject({ type: "error", code: "auth", message: "invalid x-api-key", retry: "never" });
  expect(host.all("api-retry")).toEqual([]);
});

test("a connection that breaks before any output is tried again", async () => {
  const host = await openHost();
  await host.send("#cut 0\n#say gone");
  expect(await host.next("api-retry")).toMatchObject({ status: null });
  await host.connection.abortTurn("trn_1");
  await host.end();
});

test("a connection that breaks within the answer fails the turn and is not tried again", async () => {
  const host = await openHost();
  const end = await host.turn("#cut 2\n#say one two three four");
  expect(end).toMatchObject({ type: "error", code: "model-unreachable", retry: "now" });
  expect(host.said).toBe("one two ");
  expect(host.all("api-retry")).toEqual([]);
});

test("a call cut off within the answer is closed and not made", async () => {
  const host = await openHost();
  const end = await host.turn("#cut 1\n#bash touch made");
  expect(end).toMatchObject({ type: "error", code: "model-unreachable" });
  expect(host.calls).toEqual([]);
  expect(host.results).toEqual(["error: The call was not made: the model's answer was cut off."]);
});

test("a step of the same turn can be repeated after earlier ones succeeded", async () => {
  const host = await openHost();
  await host.send("#bash true\n#status 500 x1 hiccup\n#say ok");
  await host.next("api-retry");
  host.clock.advance(2_000);
  expect(await host.end()).toMatchObject({ outcome: "completed" });
  expect(host.results).toHaveLength(1);
});
