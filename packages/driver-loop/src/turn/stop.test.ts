import { expect, test } from "vitest";
import { openHost } from "../testing/open-host.ts";
import { heldPolicy, makePipe, type TestHost } from "../testing/test-host.ts";

async function expectStopped(host: TestHost): Promise<void> {
  expect(await host.connection.abortTurn("trn_1")).toBe("aborted");
  expect(await host.end()).toEqual({ type: "turn-complete", turnId: "trn_1", outcome: "stopped", answered: [] });
  expect(host.ports.processes.list()).toEqual([]);
}
test("a stop ends the model's answer", async () => {
  const host = await openHost();
  await host.send("#slow 1000 a very slow answer indeed");
  await host.chunk("text-delta");
  await expectStopped(host);
  expect(host.said).toBe("a ");
});

test("a stop ends a request that never answers", async () => {
  const host = await openHost();
  await host.send("#hang");
  await expectStopped(host);
  expect(host.chunks).toEqual([]);
});

test("a stop ends a tool with its whole process tree", async () => {
  const host = await openHost();
  const [ready, held] = [makePipe(host, "ready"), makePipe(host, "held")];
  const gone = held.read(); // ends when nobody has it open for writing any more
  await host.send("#bash (exec 3> held; sleep 300 & echo $! > ready; wait) & wait\n#say ok");
  expect(Number(await ready.read())).toBeGreaterThan(1);
  await expectStopped(host);
  await gone;
  expect(host.results).toEqual(["error: Stopped before it was done."]);
});

test("a stop withdraws the open questions", async () => {
  const host = await openHost({ decide: async () => "ask" });
  await host.send("#bash touch made\n#say ok");
  const { approvalId } = await host.next("tool-approval-request");
  await expectStopped(host);
  expect(host.all("approval-withdrawn")).toEqual([
    { type: "approval-withdrawn", approvalId, reason: "The turn was stopped." },
  ]);
  await expect(host.connection.answerApproval(approvalId, { decision: "allow" })).rejects.toMatchObject({
    code: "approval-unknown",
  });
});

test("a stop wins over a policy that does not answer", async () => {
  const host = await openHost({ decide: () => new Promise(() => {}) });
  await host.send("#bash touch made\n#say ok");
  await host.chunk("tool-input-available");
  await expectStopped(host);
});

test("a stop wins over the wait for a retry", async () => {
  const host = await openHost();
  await host.send("#status 529 overloaded\n#say ok");
  await host.next("api-retry");
  await expectStopped(host);
  expect(host.clock.pending()).toEqual([]);
});

test("a stop wins over a history that does not come", async () => {
  const host = await openHost({ history: () => new Promise(() => {}) });
  await host.send("#say ok");
  await expectStopped(host);
});

test("a stop of another turn, or of one that is over, does nothing", async () => {
  const { decide, release } = heldPolicy();
  const host = await openHost({ decide });
  await host.send("#bash true\n#say ok");
  expect(await host.connection.abortTurn("trn_9")).toBe("already-settled");
  release();
  await host.end();
  expect(await host.connection.abortTurn("trn_1")).toBe("already-settled");
  expect(host.said).toBe("ok");
});

test("the session goes on after a stop, with what was said before it", async () => {
  const host = await openHost();
  await host.send("#bash sleep 300\n#say ok");
  await host.chunk("tool-input-available");
  await expectStopped(host);
  expect(await host.turn("#say back again", "trn_2")).toMatchObject({ outcome: "completed" });
  expect(host.said).toBe("back again");
});

test("close ends a running turn and its tool, and says nothing more", async () => {
  const host = await openHost();
  await host.send("#bash sleep 300\n#say ok");
  await host.chunk("tool-input-available");
  await host.connection.close("shutdown");
  expect(host.ports.processes.list()).toEqual([]);
  expect(host.all("turn-complete")).toEqual([]);
  const parts = [{ type: "text", text: "#say hi" }] as const;
  const next = { turnId: "trn_2", inputId: "inp_2", agentKey: "key", parts, arrivedMidTurn: false, headless: false };
  await expect(host.connection.send(next)).rejects.toMatchObject({ code: "connection-closed" });
});
