import { expect } from "vitest";
import { oneProcess, realTest as test } from "./real-test.ts";

const at = oneProcess();

test("a steer during a tool is a boundary of its turn, before what the agent says next", async () => {
  const { desk, link } = at;
  const gate = desk.pipe("gate1");
  const { turnId, inputId } = await link.send("#bash cat gate1\n#say after the tool");
  await link.chunk("tool-input-available");
  const first = await link.steer(turnId, "marker-one");
  const second = await link.steer(turnId, "marker-two");
  expect([first.answer, second.answer]).toEqual(["offered", "offered"]);
  await gate.write();
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed", answered: [inputId] });
  expect(link.all("steer-boundary")).toEqual([
    { type: "steer-boundary", turnId, taken: [first.inputId, second.inputId] },
  ]);
  const boundary = link.events.findIndex(({ type }) => type === "steer-boundary");
  expect(link.events[boundary - 1]).toMatchObject({ chunk: { type: "finish-step" } });
  expect(link.events[boundary + 1]).toMatchObject({ chunk: { type: "start-step" } });
  expect(desk.lastRequest.match(/marker-(one|two)/g)).toEqual(["marker-one", "marker-two"]);
});

test("a steer that no tool follows becomes a turn of its own, and is not sent again", async () => {
  const { desk, link } = at;
  const { turnId } = await link.send("#slow 60 some words that are slow to come here");
  await link.chunk("text-delta", link.events.length);
  const steer = await link.steer(turnId, "#say adopted marker-three");
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed" });
  const started = await link.next("autonomous-turn-state");
  expect(started).toMatchObject({ state: "started", origin: "steer", inputId: steer.inputId });
  expect(await link.end(started.turnId)).toMatchObject({ outcome: "completed" });
  expect(link.said(started.turnId)).toContain("adopted marker-three");
  expect(desk.lastRequest.match(/marker-three/g)).toHaveLength(1);
});

test("a steer that is taken back never reaches the agent; one for another turn is refused", async () => {
  const { desk, link } = at;
  const gate = desk.pipe("gate2");
  const { turnId } = await link.send("#bash cat gate2\n#say went on");
  await link.chunk("tool-input-available", link.events.length);
  const steer = await link.steer(turnId, "marker-four");
  expect((await link.steer("trn_other", "marker-five")).answer).toBe("refused");
  expect(await link.connection.withdraw?.(steer.inputId)).toBe(true);
  expect(await link.connection.withdraw?.(steer.inputId)).toBe(false);
  await gate.write();
  await link.end(turnId);
  expect(desk.lastRequest).not.toMatch(/marker-(four|five)/);
  expect((await link.steer(turnId, "marker-six")).answer).toBe("refused");
});

test("a prompt under a key the agent knows is not run again", async () => {
  const { desk, link } = at;
  const sent = await link.send("#say once");
  await link.end(sent.turnId);
  const before = desk.modelRequests;
  const again = await link.send("#say once", { agentKey: sent.agentKey });
  expect(await link.end(again.turnId)).toMatchObject({ type: "error", code: "input-known" });
  expect(desk.modelRequests).toBe(before);
});
