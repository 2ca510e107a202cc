/** The core and the protocol are values and functions: no clock, no chance, no timer, no process (DESIGN section 4). */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const impure = /\b(Date\.now|new Date\(\)|Math\.random|set(Timeout|Interval|Immediate)|crypto|performance|process)\b/;
const files = globSync("packages/host/src/{session,protocol}/**/*.ts", { cwd: root }).filter(
  (file) => !file.endsWith(".test.ts"),
);

/** Comments and texts may name what the code must not use. */
const codeOf = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|"(\\.|[^"\\\n])*"/g, (part) => part.replaceAll(/[^\n]/g, " "));

function impuritiesOf(text: string): readonly string[] {
  const lines = codeOf(text).split("\n");
  return lines.flatMap((line, index) => (impure.test(line) ? [`${index + 1}: ${line.trim()}`] : []));
}

test("the core and the protocol are pure", () => {
  expect(files.length).toBeGreaterThan(20);
  const found = files.map((file) => [file, impuritiesOf(readFileSync(join(root, file), "utf8"))] as const);
  expect(found.filter(([, lines]) => lines.length > 0)).toEqual([]);
});

test.each(["const at = Date.now();", "if (Math.random() < 1) {", "process.exit(1);", "await crypto.subtle"])(
  "%s would be found",
  (line) => {
    expect(impuritiesOf(`/* process */ const x = "crypto"; // performance\n${line}`)).toHaveLength(1);
  },
);
