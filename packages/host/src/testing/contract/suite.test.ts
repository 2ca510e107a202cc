import { afterAll, expect, test, vi } from "vitest";
import { ContractBroken } from "./broken.ts";
import { checks, uncited } from "./checks.ts";
import { fakeAdapter } from "./fake/fake-adapter.ts";
import { sabotaged } from "./fake/sabotage.ts";
import { sabotageIds, sabotages, type UnwiredId } from "./fake/sabotages.ts";
import { requirementIds } from "./requirements.ts";
import { contractSuite } from "./suite.ts";

vi.setConfig({ maxConcurrency: 20 });
afterAll(() => vi.resetConfig());
/** For those that wait for what never comes. */
const deadlineMs = 600;

test("every requirement is cited by a check, and every check cites one", () => {
  expect(uncited(requirementIds, Object.keys(checks))).toEqual([]);
  expect(uncited(["a/new", "b/old"], ["b/old", "c/gone"])).toEqual([
    "a/new is cited by no check",
    "c/gone is cited and no requirement",
  ]);
});

test("every requirement has a fake that breaks it, but for those that need a process", () => {
  expect([...sabotageIds].sort()).toEqual(requirementIds.filter((id) => !/^(wire|child)\//.test(id)).sort());
});

/** How the suite fails for the fake that breaks `id`, as its findings. */
async function caught(id: UnwiredId): Promise<readonly string[]> {
  const sabotage = sabotages[id];
  const adapter = sabotaged(fakeAdapter(sabotage.kind ?? "fake"), sabotage);
  const bounded = sabotage.hangs ? { ...adapter, deadlineMs } : adapter;
  const found = contractSuite(bounded).cases.find((one) => one.id === id);
  const cause: unknown = await found?.run().then(
    () => null,
    (reason: unknown) => reason,
  );
  return cause instanceof ContractBroken
    ? cause.findings.map(({ requirement, text }) => `${requirement}: ${text}`)
    : [];
}

for (const id of sabotageIds) {
  const run = id.startsWith("environment/") ? test : test.concurrent;
  run(`a driver that ${sabotages[id].what} breaks ${id}`, async () => {
    const findings = await caught(id);
    const mine = findings.filter((text) => text.startsWith(`${id}: `));
    expect(mine).not.toEqual([]);
    expect(mine.some((text) => text.includes("waited "))).toBe(sabotages[id].hangs ?? false);
  });
}
