import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { oneProcess, realTest as test } from "./real-test.ts";

const at = oneProcess({ decide: async ({ input }) => (JSON.stringify(input).includes("ask-me") ? "ask" : "allow") });

test("a stop during a tool ends the tool, and says that its outcome is not known", async () => {
  const { desk, link } = at;
  const never = desk.pipe("never");
  const { turnId } = await link.send("#bash cat never; touch after-stop\n#say never");
  await link.chunk("tool-input-available");
  const steer = await link.steer(turnId, "untaken");
  const held = await never.hold();
  expect(await link.connection.abortTurn(turnId)).toBe("aborted");
  expect(await link.end(turnId)).toMatchObject({ outcome: "stopped", answered: [] });
  expect(link.all("steer-undelivered")).toEqual([{ type: "steer-undelivered", turnId, inputs: [steer.inputId] }]);
  expect(link.chunks(turnId).find(({ type }) => type === "tool-output-error")).toMatchObject({
    errorText: expect.stringMatching(/^Stopped/),
  });
  expect(existsSync(join(desk.workspace, "after-stop"))).toBe(false);
  await held.close();
});

test("a stop during text, and right behind the send, ends the turn; the next one runs", async () => {
  const { link } = at;
  const slow = await link.send("#slow 200 some words that come slowly now");
  await link.chunk("text-delta", link.events.length);
  await link.connection.abortTurn(slow.turnId);
  expect(await link.end(slow.turnId)).toMatchObject({ outcome: "stopped" });
  const quick = await link.send("#slow 300 one two three four five");
  expect(await link.connection.abortTurn(quick.turnId)).toBe("aborted");
  expect(await link.end(quick.turnId)).toMatchObject({ outcome: "stopped" });
  expect(await link.connection.abortTurn(quick.turnId)).toBe("already-settled");
  expect(await link.turn("#say still here")).toMatchObject({ outcome: "completed" });
});

test("a stop wins over a provider that is tried again", async () => {
  const { link } = at;
  const { turnId } = await link.send("#status 529 after=30 busy\n#say never");
  expect(await link.next("api-retry")).toMatchObject({ turnId, status: 529, attempt: 1 });
  await link.connection.abortTurn(turnId);
  expect(await link.end(turnId)).toMatchObject({ outcome: "stopped" });
});

test("a stop wins over an approval: the question is withdrawn, the call does not run, the next turn is clean", async () => {
  const { desk, link } = at;
  const { turnId } = await link.send("#bash touch ask-me\n#say never said");
  const asked = await link.next("tool-approval-request");
  expect(await link.connection.abortTurn(turnId)).toBe("aborted");
  expect(await link.end(turnId)).toMatchObject({ outcome: "stopped" });
  expect(link.all("approval-withdrawn")).toMatchObject([{ approvalId: asked.approvalId }]);
  const from = link.events.length;
  const next = await link.send("#say clean again");
  expect(await link.end(next.turnId)).toMatchObject({ outcome: "completed" });
  expect(link.said(next.turnId)).toBe("clean again");
  expect(link.events.slice(from).filter(({ type }) => type === "autonomous-turn-state")).toEqual([]);
  expect(existsSync(join(desk.workspace, "ask-me"))).toBe(false);
});

test("close in a turn returns the steers it held and leaves no process", async () => {
  const { desk } = at;
  const link = await desk.connect();
  const gate = desk.pipe("held");
  const { turnId } = await link.send("#bash cat held\n#say never");
  await link.chunk("tool-input-available");
  const steer = await link.steer(turnId, "held");
  const held = await gate.hold();
  const before = desk.supervisor.list().length;
  expect(await link.connection.close("rebuild")).toEqual({ returned: [steer.inputId] });
  await link.over;
  expect(desk.supervisor.list().length).toBe(before - 1);
  await expect(link.send("#say late")).rejects.toMatchObject({ code: "connection-closed" });
  await held.close();
});
