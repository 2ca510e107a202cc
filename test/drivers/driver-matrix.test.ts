import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/workspace.ts";
import { driverMatrix } from "./driver-matrix.ts";

test("docs/drivers.md is what the drivers' results say: else run scripts/driver-matrix.ts", () => {
  expect(readFileSync(join(root, "docs/drivers.md"), "utf8")).toBe(driverMatrix(root));
});
