import type { DriverFactory } from "@mooring/host/driver";
import { type ContractAdapter, ContractScene, type Fault, hastyClock, passLine, WireTap } from "@mooring/host/testing";
import { afterEach, expect, test } from "vitest";
import { limits } from "./limits.ts";
import { minimalAdapter } from "./minimal-adapter.ts";
import { minimalDriver } from "./minimal-driver.ts";

const scenes: ContractScene[] = [];
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.end();
});

async function openScene(change: Partial<ContractAdapter> = {}): Promise<{ scene: ContractScene; tap: WireTap }> {
  const scene = await ContractScene.open({ ...minimalAdapter, ...change }, "wire/late");
  scenes.push(scene);
  const tap = new WireTap();
  scene.processes.tamper = (child) => tap.wrap(child);
  return { scene, tap };
}
const isOf = (type: string) => (line: Buffer) => line.includes(`"type":"${type}"`);

/** What `isHeld` picks comes after the end of its turn, or never. */
const heldBack = (isHeld: (line: Buffer) => boolean, comes: boolean): Fault => {
  const held: Buffer[] = [];
  return (line, wire, nth) => {
    if (isHeld(line)) return void held.push(line);
    passLine(line, wire, nth);
    if (comes && isOf("done")(line)) for (const late of held.splice(0)) passLine(late, wire, nth);
  };
};

test("C35: the result of a call that comes after the end of its turn is the call's", async () => {
  const { scene, tap } = await openScene();
  tap.arm(heldBack(isOf("result"), true));
  const link = await scene.connect();
  const { turnId } = await link.send(scene.scenario("tool")().prompt);
  expect(await link.end(turnId)).toMatchObject({ type: "turn-complete", outcome: "completed" });
  expect(link.chunks(turnId, "tool-output-available")).toHaveLength(1);
  expect(link.chunks(turnId, "tool-output-error")).toEqual([]);
});

test("C35: a result that never comes leaves no call open", async () => {
  const { scene, tap } = await openScene({ clock: () => hastyClock(20) });
  tap.arm(heldBack(isOf("result"), false));
  const link = await scene.connect();
  const { turnId } = await link.send(scene.scenario("tool")().prompt);
  expect(await link.end(turnId)).toMatchObject({ type: "turn-complete", outcome: "completed" });
  expect(link.chunks(turnId, "tool-output-error")).toMatchObject([{ errorText: "The outcome is unknown." }]);
});

test("C35: what the agent says before it is ready is told", async () => {
  const { scene } = await openScene();
  const link = await scene.connect();
  expect(await link.next("supported-commands")).toMatchObject({ commands: ["say", "slow", "run"] });
});

test.each([
  [0.3, "🙂", 75_000],
  [1.5, "é🙂x", 214_000],
  [20, "x", 20_000_000],
])("C36: a line of %d MB is read", async (_, text, times) => {
  const { scene } = await openScene();
  const link = await scene.connect();
  const { turnId } = await link.send(`big ${times} ${text}`);
  expect(await link.end(turnId)).toMatchObject({ type: "turn-complete" });
  expect(link.said(turnId) === text.repeat(times)).toBe(true);
});

test("C36: a line of 70 MB fails its turn, which names the limit, and the next turn works", async () => {
  const { scene } = await openScene();
  const link = await scene.connect();
  const end = await link.turn({ prompt: "big 70000000 x" });
  expect(end).toMatchObject({ type: "error", code: "line-too-long" });
  expect(end.type === "error" && end.message).toContain(String(limits.lineBytes));
  const { turnId } = await link.send("say well");
  await link.end(turnId);
  expect(link.said(turnId)).toBe("well");
});

test("C37: lines that are no records are counted, the first is logged, and the session goes on", async () => {
  const logged: unknown[] = [];
  const driver: DriverFactory = (ports) =>
    minimalDriver()({ ...ports, log: { ...ports.log, warn: (event, fields) => logged.push([event, fields]) } });
  const { scene, tap } = await openScene({ driver });
  const link = await scene.connect();
  tap.inject('Debugger attached\n\n{"type":"text"}\nBye\n');
  const { turnId } = await link.send('say "a" \u2028 \u2029 \u0085 b');
  await link.end(turnId);
  expect(link.said(turnId)).toBe('"a" \u2028 \u2029 \u0085 b');
  expect(logged).toEqual([["minimal.not-a-record", { line: "Debugger attached" }]]);
});
