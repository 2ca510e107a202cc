/** A session's next process, started ahead when it came to rest. */
import { expect } from "vitest";
import type { Desk, DeskSetup, Link } from "./desk.ts";
import { oneDesk, realTest as test } from "./real-test.ts";

const place = oneDesk();
const warm: DeskSetup = { options: { prewarm: true } };
const pids = (desk: Desk): number[] => desk.supervisor.list().map(({ pid }) => pid);

async function rested(desk: Desk, link: Link, setup: DeskSetup): Promise<string | null> {
  await link.connection.close("idle");
  const { session } = desk.input({ ...setup, resumeToken: link.token });
  await desk.driver.onSessionIdle?.(session);
  return link.token;
}

test("the next connection goes on in it, asks its own policy, and it is used once", async () => {
  const { desk } = place;
  const before = await desk.connect(warm);
  await before.turn("#say marker-before");
  const resumeToken = await rested(desk, before, warm);
  const ahead = pids(desk);
  expect(ahead).toHaveLength(1);
  expect(desk.calls).toEqual([]);
  const after = await desk.connect({ ...warm, resumeToken, decide: async () => ({ deny: "the second policy" }) });
  await after.next("supported-commands");
  expect(pids(desk)).toEqual(ahead);
  const { turnId } = await after.send("#bash touch never\n#say marker-after");
  expect(await after.end(turnId)).toMatchObject({ outcome: "completed" });
  expect(after.said(turnId)).toContain("marker-after");
  expect(desk.lastRequest).toMatch(/marker-before.*the second policy/);
  expect(desk.calls).toHaveLength(1);
  await after.connection.close("shutdown");
  expect(pids(desk)).toEqual([]);
});

test("a connection that is given something else ends it and starts its own", async () => {
  const { desk } = place;
  const before = await desk.connect(warm);
  await before.turn("#say marker-one");
  const resumeToken = await rested(desk, before, warm);
  const ahead = pids(desk);
  const prompt = { base: null, append: "Speak plainly." };
  const after = await desk.connect({ ...warm, resumeToken, prompt });
  expect(pids(desk)).toHaveLength(1);
  expect(pids(desk)).not.toEqual(ahead);
  expect(await after.turn("#say marker-two")).toMatchObject({ outcome: "completed" });
  await after.connection.close("shutdown");
});

test("none is started for an agent that does not ask for it, nor in the place of a connection that was reaped", async () => {
  const { desk } = place;
  for (const [setup, reason] of [
    [{}, "idle"],
    [warm, "reap"],
  ] as const) {
    const link = await desk.connect(setup);
    await link.turn("#say hello");
    await link.connection.close(reason);
    await desk.driver.onSessionIdle?.(desk.input({ ...setup, resumeToken: link.token }).session);
    expect(pids(desk)).toEqual([]);
  }
});
