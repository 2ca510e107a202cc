import { expect, test } from "vitest";
import { UsageError } from "../usage-error.ts";
import { parseCommand } from "./parse-command.ts";

const parsed = (...args: string[]) => parseCommand(args, "mooring");
const command = (...args: string[]) => parsed(...args).command;
function mistake(...args: string[]): UsageError {
  try {
    parsed(...args);
  } catch (cause) {
    if (cause instanceof UsageError) return cause;
    throw cause;
  }
  return expect.unreachable("it was understood");
}

test.each([
  [["run", "do it"], { kind: "run", prompt: "do it", json: false }],
  [["run", "-", "--json"], { kind: "run", prompt: "-", json: true }],
  [["run", "--session", "ses_1"], { kind: "run", session: "ses_1", json: false }],
  [
    ["run", "x", "--agent", "a", "--workspace", "w", "--mode", "plan"],
    { kind: "run", prompt: "x", agent: "a", workspace: "w", mode: "plan", json: false },
  ],
  [["run", "--", "--not an option"], { kind: "run", prompt: "--not an option", json: false }],
  [["sessions", "ls"], { kind: "sessions ls", limit: 50, json: false }],
  [["sessions", "show", "s", "--limit", "3"], { kind: "sessions show", session: "s", limit: 3, json: false }],
  [["sessions", "fork", "s"], { kind: "sessions fork", session: "s", transcript: false }],
  [
    ["sessions", "fork", "s", "--before", "m", "--transcript"],
    { kind: "sessions fork", session: "s", before: "m", transcript: true },
  ],
  [["sessions", "export", "s"], { kind: "sessions export", session: "s", format: "markdown" }],
  [
    ["sessions", "export", "s", "--format", "json", "--out", "f"],
    { kind: "sessions export", session: "s", format: "json", out: "f" },
  ],
  [["sessions", "import", "f", "--agent", "a"], { kind: "sessions import", file: "f", agent: "a", again: false }],
  [["agents", "rm", "a"], { kind: "agents rm", name: "a", force: false }],
  [["agents", "set", "a", "--default"], { kind: "agents set", name: "a", settings: {}, isDefault: true }],
  [
    ["agents", "add", "a", "--provider", "openai", "--model", "m", "--api-key-env", "V", "--base-url", "http://x"],
    {
      kind: "agents add",
      name: "a",
      settings: { provider: "openai", model: "m", apiKeyEnv: "V", baseUrl: "http://x" },
    },
  ],
  [["queue", "ls"], { kind: "queue ls", json: false }],
  [["queue", "edit", "s", "i", "t"], { kind: "queue edit", session: "s", input: "i", text: "t" }],
  [["queue", "move", "s", "i"], { kind: "queue move", session: "s", input: "i", before: null }],
  [["queue", "move", "s", "i", "--before", "j"], { kind: "queue move", session: "s", input: "i", before: "j" }],
  [["queue", "release", "s"], { kind: "queue release", session: "s", json: false }],
  [["approvals", "allow", "p"], { kind: "approvals answer", approval: "p", decision: "allow", json: false }],
  [
    ["approvals", "deny", "p", "--reason", "r"],
    { kind: "approvals answer", approval: "p", decision: "deny", reason: "r", json: false },
  ],
  [
    ["approvals", "allow", "p", "--scope", "agent"],
    { kind: "approvals answer", approval: "p", decision: "allow", scope: "agent", json: false },
  ],
  [["rules", "ls", "--session", "s"], { kind: "rules ls", session: "s", json: false }],
  [
    ["rules", "add", "allow", "bash(git status (x)*)", "--agent", "a"],
    { kind: "rules add", effect: "allow", tool: "bash", pattern: "git status (x)*", scope: "agent", agent: "a" },
  ],
  [
    ["rules", "add", "deny", "mcp__*", "--host"],
    { kind: "rules add", effect: "deny", tool: "mcp__*", pattern: null, scope: "host" },
  ],
  [["rules", "rm", "r"], { kind: "rules rm", rule: "r" }],
  [["sessions", "restore", "s"], { kind: "sessions restore", session: "s" }],
  [["sessions", "resume", "s", "fresh"], { kind: "sessions resume", session: "s", choice: "fresh", json: false }],
  [["serve"], { kind: "serve", port: 4_483, host: "127.0.0.1", roots: [], origins: [] }],
  [
    ["serve", "--port", "0", "--host", "::1", "--root", "a", "--root", "b", "--data-dir", "d"],
    { kind: "serve", port: 0, host: "::1", roots: ["a", "b"], origins: [], dataDir: "d" },
  ],
  [["pause", "r", "--drain", "5"], { kind: "pause", reason: "r", drain: 5 }],
  [["resume"], { kind: "resume" }],
  [["doctor", "--json"], { kind: "doctor", json: true }],
  [["backup", "f"], { kind: "backup", path: "f" }],
] as const)("%j", (args, expected) => expect(command(...args)).toEqual(expected));

test("--debug counts wherever it stands", () => {
  expect(
    [parsed("--debug", "doctor"), parsed("doctor", "--debug"), parsed("doctor")].map(({ debug }) => debug),
  ).toEqual([true, true, false]);
});

test("no arguments print the help and what to run first", () => {
  const { kind, ...rest } = command();
  expect(kind).toBe("print");
  expect(JSON.stringify(rest)).toContain('mooring run \\"Show me how a session works\\"');
});

test("help and version are printed", () => {
  expect(command("run", "--help")).toMatchObject({ kind: "print", text: expect.stringContaining("--workspace <dir>") });
  expect(command("--version")).toMatchObject({ text: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(command("sessions")).toMatchObject({ text: expect.stringContaining("show") });
});

test("mistakes name themselves and where to look", () => {
  expect(mistake("run", "x", "--bogus")).toMatchObject({
    message: "unknown option '--bogus'",
    hint: "See: mooring run --help",
  });
  expect(mistake("run", "fix", "the", "bug").hint).toContain("Put the prompt in quotes.");
  expect(mistake("run", "x", "--mode", "yolo").message).toContain("Allowed choices are plan, default, acceptEdits");
  expect(mistake("sessions", "ls", "--limit", "-1").message).toContain("a whole number above 0");
  expect(mistake("sessions", "fork", "s", "--at", "m", "--before", "n").message).toContain("cannot be used with");
  expect(mistake("sessions", "export", "s", "--format", "pdf").message).toContain("Allowed choices are markdown, json");
  expect(mistake("sesions", "ls").hint).toMatch(/Did you mean sessions\?.* See: mooring --help/);
  expect(mistake("agents", "add", "a", "--api-key-env", "V", "--api-key-stdin").message).toContain(
    "cannot be used with",
  );
});

test("a key is no argument", () => {
  expect(mistake("agents", "add", "a", "--api-key", "sk-1").message).toContain("unknown option");
});

test("where a rule holds must be said, and one place only", () => {
  expect(mistake("rules", "add", "allow", "bash(ls)")).toMatchObject({
    hint: "One of --session ID, --agent NAME or --host.",
  });
  expect(mistake("rules", "add", "allow", "x", "--host", "--agent", "a").message).toContain("cannot be used with");
});

test("an address of a page is an origin", () => {
  expect(command("serve", "--allow-origin", "https://chat.example/path?x")).toMatchObject({
    origins: ["https://chat.example"],
  });
  expect(mistake("serve", "--allow-origin", "file:///x").message).toContain("For example: https://chat.example");
});
