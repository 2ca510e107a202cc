/**
 * Writes docs/drivers.md from the results the drivers' contract tests recorded:
 *   npx vitest run -u contract     runs the suites and records their results
 *   node --conditions=mooring-source scripts/driver-matrix.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { driverMatrix } from "../test/drivers/driver-matrix.ts";
import { root } from "./workspace.ts";

writeFileSync(join(root, "docs/drivers.md"), driverMatrix(root));
