import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DriverCapabilities } from "@mooring/host/driver";
import { fakeCapabilities, requirements } from "@mooring/host/testing";
import { expect, test } from "vitest";
import { root } from "../../scripts/workspace.ts";

const page = readFileSync(join(root, "docs/writing-a-driver.md"), "utf8");
/** What a driver may claim and the fake does not. */
const optional: readonly (keyof DriverCapabilities)[] = ["fileTypes", "filePaths", "workspaceText"];

test("the page names every capability and every scenario", () => {
  const capabilities = [...Object.keys(fakeCapabilities), ...optional];
  const needed = Object.values(requirements).flatMap(({ needs = [] }) => needs);
  const scenarios = new Set(["text", "slowText", "silence", ...needed]);
  const missing = [
    ...capabilities.filter((name) => !page.includes(`\n| \`${name}\``)),
    ...[...scenarios].filter((name) => !page.includes(`\`${name}(`)),
  ];
  expect(missing).toEqual([]);
});

test("what the page shows of a file is in the file", () => {
  const shown = [...page.matchAll(/```ts\n\/\/ (\S+)\n([^`]*(?:`[^`]+`[^`]*)*?)```/g)];
  expect(shown.length).toBeGreaterThan(1);
  for (const [, path = "", code = ""] of shown) {
    expect(readFileSync(join(root, path), "utf8")).toContain(code.trim());
  }
});
