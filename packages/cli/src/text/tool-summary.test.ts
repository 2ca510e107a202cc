import { expect, test } from "vitest";
import { resultSummary, toolLabel } from "./tool-summary.ts";

test.each([
  ["read", { path: "README.md", offset: 4 }, "read README.md"],
  ["Read", { file_path: "/a/b.ts" }, "Read /a/b.ts"],
  ["grep", { pattern: "TODO", path: "src" }, "grep TODO in src"],
  ["bash", { command: "npm\n  test" }, "bash npm test"],
  ["list", {}, "list"],
  ["odd", { depth: 2 }, 'odd {"depth":2}'],
  ["odd", "text", "odd text"],
  ["odd", undefined, "odd"],
])("%s %j", (name, input, label) => expect(toolLabel(name, input)).toBe(label));

test.each([
  ["", "no output"],
  ["hello\n", "hello"],
  ["one\ntwo\n", "2 lines, 8 B"],
  ["é".repeat(1_500), "1 line, 3.0 kB"],
  [{ stdout: "x" }, "x"],
  [{ ok: true }, '{"ok":true}'],
  [null, "no output"],
])("result %#", (output, summary) => expect(resultSummary(output)).toBe(summary));
