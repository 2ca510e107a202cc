import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandDocs, commandDocsFile } from "../testing/command-docs.ts";

test("the reference for people is that of the parser as it is", () => {
  const isCurrent = readFileSync(commandDocsFile, "utf8") === commandDocs();
  expect(isCurrent, "stale: npm run docs --workspace @mooring/cli").toBe(true);
});
