import { expect, test } from "vitest";
import { plainLook } from "./look.ts";
import { answerKeys, inputLines, parseAnswer, questionText } from "./question.ts";

test.each([
  ["a", { decision: "allow" }],
  [" Allow ", { decision: "allow" }],
  ["a session", { decision: "allow", scope: "session" }],
  ["allow, Host", { decision: "allow", scope: "host" }],
  ["yes", { decision: "allow" }],
  ["d", { decision: "deny" }],
  ["no", { decision: "deny" }],
  ["d use git mv", { decision: "deny", reason: "use git mv" }],
  ["no, use git mv ", { decision: "deny", reason: "use git mv" }],
])("%j is an answer", (line, answer) => expect(parseAnswer(line)).toEqual(answer));

test.each(["", "allow everything", "add tests", "ok", "dont", "a b"])("%j is none", (line) => {
  expect(parseAnswer(line)).toBeNull();
});

test("the whole input is shown, field by field", () => {
  expect(inputLines({ command: "echo a\necho b", timeout: 5, env: { A: "1" } })).toEqual([
    "command:",
    "  echo a",
    "  echo b",
    "timeout: 5",
    "env:",
    "  {",
    '    "A": "1"',
    "  }",
  ]);
});

test("a cut says that it is one", () => {
  const lines = inputLines({ content: Array.from({ length: 100 }, (_, n) => `line ${n}`).join("\n") });
  expect(lines).toHaveLength(62);
  expect(lines.at(-1)).toBe("  … and 40 more lines that are not shown here");
});

test("what could hide a part of the command is visible", () => {
  const question = { id: "apr_1", toolName: "bash\u001b[8m", input: { command: "ls\r\u001b[1Arm -rf ." }, asked: null };
  expect(questionText(question, plainLook)).toBe(
    "? bash[8m asks to run apr_1\n    command: ls\\u{d}\\u{1b}[1Arm -rf .\n",
  );
});

test("why it is asked is said, and what an answer may be for", () => {
  const rule = { tool: "bash", pattern: "ls" };
  const asked = { because: "mode default asks before a command", category: "shell", paths: [], rule } as const;
  const question = { id: "apr_1", toolName: "bash", input: { command: "ls" }, asked };
  expect(questionText(question, plainLook)).toContain("command: ls\n    (mode default asks before a command)\n");
  expect(answerKeys(question)).toContain("a session (or agent, host)");
  expect(answerKeys({ asked: { ...asked, rule: null } })).not.toContain("session");
});
