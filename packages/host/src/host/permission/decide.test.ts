import fc from "fast-check";
import { expect, test } from "vitest";
import { type PermissionMode, permissionModes, type RuleEffect, toolCategories } from "../../protocol/permission.ts";
import { decide, modeTable } from "./decide.ts";
import { parseRule } from "./rule-notation.ts";
import { type JudgedCall, type Place, ruleFor } from "./subject.ts";
import { type JudgedRule, type Policy, stricterVerdict, type Verdict } from "./verdict.ts";

const place: Place = { workspace: "/w", home: "/d/homes/a", dataDir: "/d", userHome: "/home/me" };
const tools = { read: "read", write: "edit", shell: "bash", network: "fetch", other: "mcp__x__y" } as const;
const call = (category: JudgedCall["category"], more: Partial<JudgedCall> = {}): JudgedCall => ({
  toolName: tools[category],
  category,
  input: {},
  paths: [],
  needsPerson: false,
  ...more,
});
const bash = (command: string, more: object = {}): JudgedCall => call("shell", { input: { command, ...more } });
const file = (category: "read" | "write" | "other", ...paths: string[]): JudgedCall =>
  call(category, { paths: paths.map((path) => ({ given: path, real: path })) });
const rule = (effect: RuleEffect, text: string): JudgedRule => ({ ...parseRule(text), effect, stored: null });
const policy = (mode: PermissionMode, rules: readonly JudgedRule[] = [], more: Partial<Policy> = {}): Policy => ({
  mode,
  disabledTools: [],
  alwaysAsk: ["mcp__*"],
  rules,
  ...more,
});
const effect = (one: JudgedCall, by: Policy): RuleEffect => decide(one, place, by).effect;
const under = (mode: PermissionMode, one: JudgedCall, ...rules: JudgedRule[]) => effect(one, policy(mode, rules));

// --- every cell: mode x category x a rule about that very call ------------------------------------------------------

const cells = permissionModes.flatMap((mode) =>
  toolCategories.flatMap((category) =>
    (["none", "allow", "ask", "deny"] as const).map((by) => [mode, category, by] as const),
  ),
);
test.each(cells)("%s, %s, rule: %s", (mode, category, by) => {
  const one = call(category, { input: { command: "ls", url: "https://a.test/" } });
  const inMode = modeTable[mode][category];
  const tool = tools[category];
  const rules = by === "none" ? [] : [rule(by, tool)];
  const isAsked = category === "other"; // mcp__* always asks, unless a rule names it
  const expected: RuleEffect =
    by === "deny"
      ? "deny"
      : inMode === "deny"
        ? "deny"
        : by === "ask"
          ? "ask"
          : by === "allow"
            ? "allow"
            : isAsked
              ? "ask"
              : inMode;
  expect(effect(one, policy(mode, rules))).toBe(expected);
});
test("the table of modes", () => {
  expect(modeTable).toEqual({
    plan: { read: "allow", write: "deny", shell: "deny", network: "ask", other: "deny" },
    default: { read: "allow", write: "ask", shell: "ask", network: "ask", other: "ask" },
    acceptEdits: { read: "allow", write: "allow", shell: "ask", network: "ask", other: "ask" },
    bypassPermissions: { read: "allow", write: "allow", shell: "allow", network: "allow", other: "allow" },
  });
});

// --- the order ------------------------------------------------------------------------------------------------------

const every = policy("bypassPermissions", [rule("allow", "*")]);
test.each<[string, JudgedCall, Policy, RuleEffect, Verdict["by"]]>([
  ["a disabled tool", bash("ls"), { ...every, disabledTools: ["bash"] }, "deny", "disabled-tool"],
  ["a path outside", file("read", "/etc/passwd"), every, "deny", "containment"],
  ["a path that leads nowhere", call("read", { paths: [{ given: "x", real: null }] }), every, "deny", "containment"],
  ["one path of several", file("read", "/w/a", "/etc/passwd"), every, "deny", "containment"],
  ["what is never allowed", bash("rm -rf /"), every, "deny", "hard-deny"],
  [
    "a deny rule",
    bash("ls"),
    policy("bypassPermissions", [rule("allow", "bash(ls)"), rule("deny", "bash(ls)")]),
    "deny",
    "rule",
  ],
  ["the plan", file("write", "/w/a"), policy("plan", [rule("allow", "*")]), "deny", "mode"],
  [
    "a question to a person",
    call("read", { needsPerson: true }),
    policy("bypassPermissions", [rule("allow", "read")]),
    "ask",
    "always-ask",
  ],
  ["one in plan mode", call("other", { needsPerson: true }), policy("plan"), "ask", "always-ask"],
  ["an always-ask tool", call("other"), every, "ask", "always-ask"],
  ["one that a rule names", call("other"), policy("default", [rule("allow", "mcp__x__y")]), "allow", "rule"],
  [
    "one that a rule names by half",
    call("other"),
    policy("default", [rule("allow", "mcp__x__*")]),
    "ask",
    "always-ask",
  ],
  [
    "one that a rule names by its kind",
    call("other"),
    policy("default", [rule("allow", "@other")]),
    "ask",
    "always-ask",
  ],
  [
    "an ask rule",
    bash("ls"),
    policy("bypassPermissions", [rule("allow", "bash"), rule("ask", "bash(ls)")]),
    "ask",
    "rule",
  ],
  ["an allow rule", bash("ls"), policy("default", [rule("allow", "bash(ls)")]), "allow", "rule"],
  ["the mode", bash("ls"), policy("default"), "ask", "mode"],
])("%s decides", (_, one, by, expected, who) => {
  expect(decide(one, place, by)).toMatchObject({
    effect: expected,
    by: who,
    because: expect.stringMatching(/\w.*[.)]$/),
  });
});

test("a verdict names the rules it rests on", () => {
  const stored = { id: "rul_1", scope: "agent", approvalId: null } as const;
  const by = policy("default", [{ ...rule("allow", "bash(git *)"), stored }, rule("allow", "bash(ls)")]);
  expect(decide(bash("git status && ls"), place, by)).toEqual({
    effect: "allow",
    by: "rule",
    because: "Allowed by the rules bash(git *) of this agent, bash(ls) of the agent's configuration.",
    rules: ["rul_1"],
  });
});

// --- commands -------------------------------------------------------------------------------------------------------

test.each<[string, RuleEffect]>([
  ["git status", "allow"],
  ["git status -s && git status", "allow"],
  ["git status > /dev/null 2>&1", "allow"],
  ["git status; rm x", "ask"],
  ["git status && rm x", "ask"],
  ["git status || rm x", "ask"],
  ["git status | sh", "ask"],
  ["git status & rm x", "ask"],
  ["git status\nrm x", "ask"],
  ["git status $(rm x)", "ask"],
  ["git status `rm x`", "ask"],
  ['git status "$(rm x)"', "ask"],
  ["git status > x", "ask"],
  ["git status < x", "ask"],
  ["git status <(rm x)", "ask"],
  ["git status # '\nrm x #'", "ask"],
  ["git status $'\\'' ; rm x ; echo '", "ask"],
  ["GIT_PAGER=x git status", "ask"],
  ["sudo git status", "ask"],
  ["Git status", "ask"],
  ["git  status", "ask"],
  ["git stat\\us", "ask"],
  ["gıt status", "ask"],
])("with git status* allowed, %j: %s", (command, expected) => {
  expect(under("default", bash(command), rule("allow", "bash(git status*)"))).toBe(expected);
});

test("each part of a command may be allowed by another rule", () => {
  const rules = [rule("allow", "bash(git *)"), rule("allow", "bash(npm test)")];
  expect(under("default", bash("git pull && npm test"), ...rules)).toBe("allow");
  expect(under("default", bash("git pull && npm test && npm publish"), ...rules)).toBe("ask");
});

test("a rule without a star allows its very text, whatever it is", () => {
  const exact = 'for f in *; do echo $(cat "$f") > out; done';
  const made = ruleFor(bash(exact), place);
  expect(made?.pattern).toContain("\\*");
  const rules = [{ ...(made ?? parseRule("x")), effect: "allow", stored: null } as const];
  expect(under("default", bash(exact), ...rules)).toBe("allow");
  expect(under("default", bash(`${exact} `), ...rules)).toBe("ask");
  expect(under("default", bash('for f in a; do echo $(cat "$f") > out; done'), ...rules)).toBe("ask");
});

test("more in a shell tool's input than its command is not allowed by the command", () => {
  const rules = [rule("allow", "bash(ls)")];
  expect(under("default", bash("ls", { timeout: 5, description: "list" }), ...rules)).toBe("allow");
  expect(under("default", bash("ls", { dangerouslyDisableSandbox: true }), ...rules)).toBe("ask");
  expect(under("default", bash("ls", { cwd: "/elsewhere" }), rule("allow", "bash"))).toBe("allow");
  expect(ruleFor(bash("ls", { cwd: "/elsewhere" }), place)).toBeNull();
});

test.each(["rm x", "ls; rm x", "echo $(rm x)", "sudo rm x", "bash -c 'rm x'", "RM x", "/bin/rm x", "A=1 rm x"])(
  "with rm * denied, %j is, in every mode and whatever else is allowed",
  (command) => {
    for (const mode of permissionModes)
      expect(under(mode, bash(command), rule("allow", "*"), rule("allow", "bash"), rule("deny", "bash(rm *)"))).toBe(
        "deny",
      );
  },
);

test("a command nobody can read asks, when a rule may be about it", () => {
  const deny = rule("deny", "bash(rm *)");
  expect(under("bypassPermissions", call("shell", { input: { script: 1 } }), deny)).toBe("ask");
  expect(under("bypassPermissions", bash(`echo ${"a".repeat(30_000)}`), deny)).toBe("ask");
  expect(under("bypassPermissions", bash(`echo ${"a".repeat(30_000)}`), rule("deny", "edit"))).toBe("allow");
  expect(under("bypassPermissions", call("write"), rule("deny", "edit(src/**)"))).toBe("ask");
});

// --- paths ----------------------------------------------------------------------------------------------------------

test.each<[string, string, RuleEffect]>([
  ["edit(src/**)", "/w/src/a/b.ts", "allow"],
  ["edit(./src/**)", "/w/src/a/b.ts", "allow"],
  ["edit(src/*.ts)", "/w/src/a.ts", "allow"],
  ["edit(src/*.ts)", "/w/src/a/b.ts", "ask"],
  ["edit(src/**)", "/w/other/a.ts", "ask"],
  ["edit(src/**)", "/w/SRC/a.ts", "ask"],
  ["edit(a.ts)", "/w/deep/a.ts", "ask"],
  ["edit(/w/a.ts)", "/w/a.ts", "allow"],
  ["@write(src/**)", "/w/src/a.ts", "allow"],
  ["write(src/**)", "/w/src/a.ts", "ask"], // the tool is called edit
  ["EDIT(src/**)", "/w/src/a.ts", "allow"],
])("allow %s on %s: %s", (text, path, expected) => {
  expect(under("default", file("write", path), rule("allow", text))).toBe(expected);
});

test("all paths of a call must be allowed, by any rules", () => {
  const one = file("write", "/w/src/a", "/w/doc/b");
  expect(under("default", one, rule("allow", "edit(src/**)"))).toBe("ask");
  expect(under("default", one, rule("allow", "edit(src/**)"), rule("allow", "edit(doc/**)"))).toBe("allow");
});

test.each<[string, string]>([
  ["write(.env)", "/w/.env"], // a restriction on `write` is one on every tool that writes
  ["@write(.env)", "/w/deep/.env"],
  ["edit(.env)", "/w/.ENV"],
  ["edit(secrets)", "/w/secrets/a"],
  ["edit(secrets/)", "/w/secrets/a/b"],
  ["edit(/w/secrets)", "/w/secrets/a/b"],
  ["*(caf\u00e9)", "/w/cafe\u0301"],
  ["edit(**/*.pem)", "/w/a/b.pem"],
  ["edit", "/w/a"],
])("deny %s touches %s", (text, path) => {
  expect(under("bypassPermissions", file("write", path), rule("deny", text))).toBe("deny");
  expect(under("bypassPermissions", file("write", "/w/fine"), ...(text === "edit" ? [] : [rule("deny", text)]))).toBe(
    "allow",
  );
});

// --- other tools ----------------------------------------------------------------------------------------------------

test("a tool with a url is judged by it, one with anything else by its input", () => {
  const fetch = (url: string) => call("network", { input: { url, prompt: "x" } });
  const docs = rule("allow", "fetch(https://docs.test/*)");
  expect(under("default", fetch("https://docs.test/a"), docs)).toBe("allow");
  expect(under("default", fetch("https://docs.test@evil.test/a"), docs)).toBe("ask");
  expect(under("default", fetch("https://docs.test.evil.test/a"), docs)).toBe("ask");
  expect(under("default", fetch("https://DOCS.test:443/a"), docs)).toBe("allow");
  const one = call("other", { toolName: "db", input: { b: 1, a: [{ d: 1, c: 2 }] } });
  expect(ruleFor(one, place)).toEqual({ tool: "db", pattern: '{"a":[{"c":2,"d":1}],"b":1}' });
});

test("the rule that says exactly a call", () => {
  expect(ruleFor(bash("git status"), place)).toEqual({ tool: "bash", pattern: "git status" });
  expect(ruleFor(file("write", "/w/a*b"), place)).toEqual({ tool: "edit", pattern: "/w/a\\*b" });
  expect(ruleFor(file("write", "/w/a", "/w/b"), place)).toBeNull();
  expect(ruleFor(call("write"), place)).toBeNull(); // it writes, nobody knows what
  expect(ruleFor(call("other", { needsPerson: true }), place)).toBeNull();
  expect(ruleFor(call("other", { toolName: "a b" }), place)).toBeNull();
  expect(ruleFor(bash("x".repeat(30_000)), place)).toBeNull();
});

// --- laws -----------------------------------------------------------------------------------------------------------

const words = ["git status", "git push", "rm x", "ls", "a > b", "$(rm x)"];
const anyCommand = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
  .chain((parts) => fc.constantFrom(" && ", "; ", "\n", " | ", " ").map((between) => parts.join(between)));
const anyPath = fc.constantFrom(
  "/w/a",
  "/w/src/a",
  "/w/.git/hooks/x",
  "/d/secrets.json",
  "/d/homes/a/x",
  "/etc/x",
  "/w/../x",
);
const anyCall: fc.Arbitrary<JudgedCall> = fc.oneof(
  anyCommand.map((command) => bash(command)),
  fc
    .tuple(fc.constantFrom("read" as const, "write" as const, "other" as const), fc.array(anyPath, { maxLength: 2 }))
    .map(([category, paths]) => file(category, ...paths)),
  fc.record({ url: fc.constantFrom("https://a.test/x", "no url") }).map((input) => call("network", { input })),
  fc.boolean().map((needsPerson) => call("other", { needsPerson })),
);
const anyRule: fc.Arbitrary<JudgedRule> = fc
  .tuple(
    fc.constantFrom<RuleEffect>("allow", "ask", "deny"),
    fc.constantFrom("bash", "edit", "read", "*", "@write", "@shell", "mcp__x__y", "mcp__*", "BASH", "write", "fetch"),
    fc.constantFrom(null, "git *", "git status", "rm *", "*x", "src/**", "a", "https://a.test/*", "**/a"),
  )
  .map(([how, tool, pattern]) => ({ effect: how, tool, pattern, stored: null }));
const anyPolicy: fc.Arbitrary<Policy> = fc.record({
  mode: fc.constantFrom(...permissionModes),
  disabledTools: fc.subarray(["bash", "edit"]),
  alwaysAsk: fc.subarray(["mcp__*", "bash", "@write"]),
  rules: fc.array(anyRule, { maxLength: 5 }),
});
const rank = { allow: 0, ask: 1, deny: 2 };
const isNoLooser = (a: RuleEffect, b: RuleEffect): boolean => rank[a] >= rank[b];

test("a deny rule about the tool always wins", () => {
  fc.assert(
    fc.property(anyCall, anyPolicy, (one, by) => {
      const deny: JudgedRule = { effect: "deny", tool: one.toolName, pattern: null, stored: null };
      expect(effect(one, { ...by, rules: [...by.rules, deny] })).toBe("deny");
    }),
    { numRuns: 500 },
  );
});
test("another allow rule never allows what is denied, and never makes anything stricter", () => {
  fc.assert(
    fc.property(anyCall, anyPolicy, anyRule, (one, by, other) => {
      const before = effect(one, by);
      const after = effect(one, { ...by, rules: [{ ...other, effect: "allow" }, ...by.rules] });
      expect(isNoLooser(before, after)).toBe(true);
      if (before === "deny") expect(after).toBe("deny");
    }),
    { numRuns: 1_000 },
  );
});
test("tightening anything never loosens a verdict", () => {
  const tighter: fc.Arbitrary<(by: Policy) => Policy> = fc.oneof(
    fc.constantFrom(...permissionModes).map((mode) => (by: Policy) => ({
      ...by,
      mode: permissionModes.indexOf(mode) < permissionModes.indexOf(by.mode) ? mode : by.mode,
    })),
    anyRule.map((one) => (by: Policy) => ({ ...by, rules: [...by.rules, { ...one, effect: "deny" as const }] })),
    anyRule.map((one) => (by: Policy) => ({ ...by, rules: [{ ...one, effect: "ask" as const }, ...by.rules] })),
    fc
      .nat(5)
      .map((at) => (by: Policy) => ({ ...by, rules: by.rules.filter((one, n) => n !== at || one.effect !== "allow") })),
    fc
      .constantFrom("bash", "read", "fetch")
      .map((tool) => (by: Policy) => ({ ...by, disabledTools: [...by.disabledTools, tool] })),
    fc
      .constantFrom("*", "bash", "@read")
      .map((tool) => (by: Policy) => ({ ...by, alwaysAsk: [...by.alwaysAsk, tool] })),
  );
  fc.assert(
    fc.property(anyCall, anyPolicy, tighter, (one, by, tighten) => {
      const [before, after] = [effect(one, by), effect(one, tighten(by))];
      expect([isNoLooser(after, before), before, after]).toEqual([true, before, after]);
    }),
    { numRuns: 2_000 },
  );
});
test("the stricter of two verdicts, and the first of two that are as strict", () => {
  const one = (how: RuleEffect, because: string): Verdict => ({ effect: how, by: "mode", because });
  expect(stricterVerdict(one("allow", "a"), one("ask", "b")).because).toBe("b");
  expect(stricterVerdict(one("deny", "a"), one("ask", "b")).because).toBe("a");
  expect(stricterVerdict(one("ask", "a"), one("ask", "b")).because).toBe("a");
});
test("the rule made of a call matches that call and no other one drawn", () => {
  fc.assert(
    fc.property(anyCall, anyCall, (one, other) => {
      const made = ruleFor(one, place);
      if (made === null) return;
      const by = policy("default", [{ ...made, effect: "allow", stored: null }]);
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      const verdict = decide(other, place, by);
      if (verdict.by === "rule" && verdict.effect === "allow")
        expect([one, other]).toEqual([one, isSame ? one : sameSubject(one, other)]);
    }),
    { numRuns: 500 },
  );
});
/** Parts of a command that are the command: `ls && ls` is covered by `ls`. */
function sameSubject(one: JudgedCall, other: JudgedCall): JudgedCall {
  const text = (each: JudgedCall): string => String((each.input as { command?: string }).command);
  const parts = text(other).split(/ && |; |\n| \| /);
  return one.category === "shell" && parts.every((part) => part === text(one)) ? other : one;
}
