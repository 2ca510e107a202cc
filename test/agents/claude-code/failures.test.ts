import { expect } from "vitest";
import { oneDesk, oneProcess, realTest as test } from "./real-test.ts";

const at = oneProcess({ options: { maxRetries: 1 } });
const elsewhere = oneDesk();

test("usage is told per request with the provider's figures, and once", async () => {
  const { link } = at;
  const { turnId } = await link.send("#usage 1000 50\n#bash true\n#usage 2000 70\n#say counted");
  await link.end(turnId);
  const usage = link.all("usage").map(({ usage: report }) => report);
  expect(usage.filter(({ tokens }) => tokens.input > 0).map(({ tokens }) => [tokens.input, tokens.output])).toEqual([
    [1000, 50],
    [2000, 70],
  ]);
  expect(usage[0]).toMatchObject({ timing: { firstTokenMs: expect.any(Number), totalMs: expect.any(Number) } });
  const ids = usage.map(({ requestId }) => requestId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => id.startsWith("claude-code:"))).toBe(true);
  // What the turn cost is known at its end, and counts no token again.
  expect(usage.at(-1)).toMatchObject({ tokens: { input: 0, output: 0 }, cost: { currency: "USD" } });
});

test("a request that is tried again is told, and the turn succeeds", async () => {
  const { link } = at;
  expect(await link.turn("#status 529 x1 busy\n#say in the end")).toMatchObject({ outcome: "completed" });
  expect(link.all("api-retry")).toMatchObject([{ attempt: 1, maxAttempts: 1, status: 529 }]);
});

test("a failure that arrives as a success is a failure, with the provider's words, and the next turn runs", async () => {
  const { link } = at;
  const failed = await link.turn("#status 400 marker-refused\n#say never");
  expect(failed).toMatchObject({
    type: "error",
    code: "request-refused",
    message: expect.stringContaining("marker-refused"),
  });
  expect(await link.turn("#status 529 always busy\n#say never")).toMatchObject({
    type: "error",
    code: "provider-unavailable",
    retry: "later",
  });
  expect(await link.turn("#say better")).toMatchObject({ outcome: "completed" });
});

test("a refused key ends the turn at its first refusal", async () => {
  const link = await elsewhere.desk.connect();
  const { turnId } = await link.send("#status 401 bad key\n#say never");
  expect(await link.end(turnId)).toMatchObject({ type: "error", code: "no-credentials", retry: "never" });
  expect(link.all("api-retry").length).toBeLessThanOrEqual(1);
  await link.connection.close("failure");
});

test("a stream that was cut is told as cut, and its text has an end", async () => {
  const { link } = at;
  const { turnId } = await link.send("#cut 3\n#slow 80 one two three four");
  await link.end(turnId);
  const kinds = link.chunks(turnId).map(({ type }) => type);
  expect(link.said(turnId)).toContain("one two ");
  const begun = kinds.filter((kind) => kind === "text-start").length;
  const ended = kinds.filter((kind) => kind === "text-end").length;
  expect(ended + link.all("part-abandoned").filter((event) => event.turnId === turnId).length).toBe(begun);
});

test("an agent that does not start is an error that says so, and leaves nothing", async () => {
  const { desk } = elsewhere;
  const gone = { ...desk.input(), workspace: `${desk.workspace}/gone` };
  await expect(desk.driver.connect(gone)).rejects.toMatchObject({ code: "workspace-missing" });
  await desk.supervisor.stop(0);
  await expect(desk.connect()).rejects.toMatchObject({
    code: "agent-start-failed",
    message: expect.stringContaining("shutting down"),
  });
  expect(desk.supervisor.list()).toEqual([]);
});
