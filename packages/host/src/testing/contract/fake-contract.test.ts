import { describe, expect, test } from "vitest";
import { type FakeKind, fakeAdapter, fakeKinds } from "./fake/fake-adapter.ts";
import { contractSuite } from "./suite.ts";

describe.each(Object.keys(fakeKinds) as FakeKind[])("%s", (kind) => {
  const suite = contractSuite(fakeAdapter(kind));

  for (const { title, isAlone, run } of suite.cases) (isAlone ? test : test.concurrent)(title, run);

  test("its results are as recorded for the matrix of drivers", async () => {
    await expect(`${JSON.stringify(suite.results(), null, 2)}\n`).toMatchFileSnapshot(`fake/${kind}.contract.json`);
  });
});
