import { ContractBroken, contractSuite } from "@mooring/host/testing";
import { expect, test } from "vitest";
import { spoiled, type WireSabotage, wireSabotages } from "./wire-sabotages.ts";

/** For those that wait for what never comes. */
const deadlineMs = 1_500;

test.concurrent.for(Object.entries(wireSabotages))("%s is broken by a driver that …", async ([id, sabotage]) => {
  const findings = await caught(id, sabotage);
  expect(findings).not.toEqual([]);
  expect(findings.some((text) => text.includes("waited "))).toBe(sabotage.hangs ?? false);
});

async function caught(id: string, sabotage: WireSabotage): Promise<readonly string[]> {
  const { cases } = contractSuite({ ...spoiled(sabotage), ...(sabotage.hangs ? { deadlineMs } : {}) });
  const cause: unknown = await cases
    .find((one) => one.id === id)
    ?.run()
    .then(
      () => null,
      (reason: unknown) => reason,
    );
  if (!(cause instanceof ContractBroken)) return [];
  return cause.findings.filter(({ requirement }) => requirement === id).map(({ text }) => text);
}
