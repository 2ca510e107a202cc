import { contractSuite } from "@mooring/host/testing";
import { expect, test } from "vitest";
import { minimalAdapter } from "./minimal-adapter.ts";

const suite = contractSuite(minimalAdapter);

for (const { title, isAlone, run } of suite.cases) (isAlone ? test : test.concurrent)(title, run);

test("its results are as recorded for the matrix of drivers", async () => {
  await expect(`${JSON.stringify(suite.results(), null, 2)}\n`).toMatchFileSnapshot("minimal.contract.json");
});
