/**
 * The driver contract on the real binary. A case starts one to four processes of about a second of a core each, so the
 * usual run plays those that other tests here do not; `MOORING_AGENTS=all` plays every case and checks the recorded
 * results.
 */
import { contractSuite, type RequirementId } from "@mooring/host/testing";
import { expect } from "vitest";
import { claudeCodeAdapter } from "./contract-adapter.ts";
import { realTest as test } from "./real-test.ts";

const usual: readonly RequirementId[] = [
  "capabilities/tested",
  "connect/no-replay",
  "environment/given",
  "environment/host-hidden",
  "environment/children",
  "environment/home",
  "doctor/problem",
  "input/image",
  "parts/closed",
  "reconcile/disabled-tool",
  "reconcile/model",
  "steer/one-end",
  "stop/policy",
  "stop/twice",
  "wire/noise",
  "wire/long-line",
];
const suite = contractSuite(claudeCodeAdapter);
const playsAll = process.env["MOORING_AGENTS"] === "all";

for (const { id, title, isAlone, run } of suite.cases)
  if (playsAll || usual.includes(id)) (isAlone ? test : test.concurrent)(title, run);

if (playsAll)
  test("its results are as recorded for the matrix of drivers", async () => {
    await expect(`${JSON.stringify(suite.results(), null, 2)}\n`).toMatchFileSnapshot("claude-code.contract.json");
  });
