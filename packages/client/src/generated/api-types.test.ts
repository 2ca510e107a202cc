import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiTypes, apiTypesFile } from "../testing/api-types.ts";

test("the generated types are those of the API as it is", async () => {
  const isCurrent = readFileSync(apiTypesFile, "utf8") === (await apiTypes());
  expect(isCurrent, "stale: npm run generate --workspace @mooring/client").toBe(true);
});
