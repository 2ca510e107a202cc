/**
 * Everything that must hold before a change lands, cheapest first; stops at the first failure.
 *   npm run verify                      all steps
 *   npm run verify -- --skip tests      all but one, for a caller that runs it itself
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root, run } from "./workspace.ts";

const folders = ["test", "bench", "examples", "scripts"].filter((name) => existsSync(join(root, name)));
const sources = ["packages/*/src", ...folders].map((folder) => `${folder}/**/*.{ts,tsx}`);

const steps = {
  lint: ["biome", "ci", "--colors=off", "."],
  types: ["tsc", "--noEmit", "-p", "."],
  dependencies: ["depcruise", ...sources],
  "dead-code": ["knip", "--no-progress"],
  sizes: ["node", "scripts/sizes.ts"],
  tests: ["vitest", "run", "--project=!benchmarks"],
  benchmarks: ["vitest", "run", "--project=benchmarks"],
  build: ["node", "scripts/build.ts"],
  packages: ["node", "scripts/check-packages.ts"],
} as const;

const { values } = parseArgs({ options: { skip: { type: "string", multiple: true, default: [] } } });
const seconds = (from: number): string => `${((performance.now() - from) / 1_000).toFixed(1)} s`;

const begin = performance.now();
for (const [name, [command, ...args]] of Object.entries(steps)) {
  if (values.skip.includes(name)) continue;
  console.log(`\n> ${name}: ${command} ${args.join(" ")}`);
  const from = performance.now();
  const passed = await run(command, args);
  console.log(`${passed ? "ok" : "FAILED"} ${name} (${seconds(from)})`);
  if (!passed) process.exit(1);
}
console.log(`\nverified in ${seconds(begin)}`);
