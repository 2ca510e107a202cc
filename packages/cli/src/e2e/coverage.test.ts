/**
 * What of the session host the command reaches. The compiler holds both tables complete: every command says what it
 * calls, every method of the host is called or has a reason; the test holds them true.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@mooring/client";
import type { InputsOf, SessionHost } from "@mooring/host";
import { expect, test } from "vitest";
import type { HostCommand } from "../command.ts";
import type { OpenHost, WithHost } from "../command-host.ts";
import { withHost } from "../compose.ts";
import { execute } from "../execute.ts";
import { parseCommand } from "../parse/parse-command.ts";
import { commandReference } from "../testing/command-reference.ts";
import { sessionIn } from "../testing/json-lines.ts";
import { sandbox } from "../testing/sandbox.ts";
import { testTerminal } from "../testing/test-terminal.ts";

type Methods<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T] & string;
type HostCall =
  | Exclude<Methods<SessionHost>, "inputs">
  | `inputs.${Methods<InputsOf>}`
  | `agents.${Methods<SessionHost["agents"]>}`
  | `rules.${Methods<SessionHost["rules"]>}`;

const calls = {
  run: ["create", "get", "update", "submit", "messages", "inputs.list", "snapshot", "events", "stop", "answer"],
  "sessions ls": ["list", "agents.list", "messages"],
  "sessions show": ["messages", "turns"],
  "sessions rm": ["remove"],
  "sessions restore": ["restore"],
  "sessions resume": ["get", "inputs.list", "snapshot", "events", "resume"],
  "sessions fork": ["fork"],
  "sessions export": ["export"],
  "sessions import": ["import", "get"],
  "agents ls": ["agents.list", "agents.default"],
  "agents add": ["agents.add"],
  "agents set": ["agents.get", "agents.update", "agents.setDefault"],
  "agents rm": ["agents.get", "agents.remove", "list"],
  "agents install": [],
  "queue ls": ["get", "list", "inputs.list"],
  "queue edit": ["inputs.edit"],
  "queue rm": ["inputs.cancel"],
  "queue move": ["inputs.move"],
  "queue release": ["get", "inputs.list", "inputs.release", "snapshot", "events"],
  "approvals ls": ["get", "list", "approvals"],
  "approvals answer": ["list", "approvals", "answer", "snapshot", "events"],
  "rules ls": ["rules.list", "agents.list"],
  "rules add": ["rules.add"],
  "rules rm": ["rules.remove"],
  pause: ["pause", "listActiveWork", "drainInFlight"],
  resume: ["listActiveWork", "pause"],
  doctor: ["drivers", "agents.list", "listActiveWork"],
  backup: ["backup"],
  serve: ["shutdown"],
  rpc: [], // the session runtime's: packages/host/src/runtime
} as const satisfies { readonly [Kind in HostCommand["kind"]]: readonly HostCall[] };

type Reached = (typeof calls)[keyof typeof calls][number];
/** What a host can be asked and no command asks. */
const unreached: { readonly [Call in Exclude<HostCall, Reached>]: string } = {
  bytes: "The server's, for its streams.",
  writeBytes: "The server's, for its streams.",
  watch: "For pages, which show all sessions at once.",
  capabilities: "For a session runtime inside a program.",
  chat: "For chat clients.",
  cursor: "A snapshot carries it.",
  "inputs.get": "A listing shows all of it.",
  "inputs.extend": "For a session runtime inside a program; a person edits.",
  usage: "The page shows it; the outcome of each turn says what it used.",
  usageTotals: "The page shows them.",
  context: "The page shows it.",
  tools: "The page shows them; an agent says them when asked.",
  compact: "For pages; agents compact by themselves when they must.",
  stopCompaction: "As compact.",
  close: "An idle connection closes by itself.",
  putFile: "A terminal has paths, which agents read themselves.",
  file: "As putFile.",
  directories: "The shell completes paths.",
};

/** What stands behind a call of `RunningServer`. */
const behind: Readonly<Record<string, HostCall>> = {
  ...{ pauses: "listActiveWork", work: "listActiveWork", pause: "pause", resume: "pause", drain: "drainInFlight" },
};
/** The same host, and what is asked of it. */
function listened(heard: Set<string>): WithHost {
  const telling = <T extends object>(target: T, name: (key: string) => string): T =>
    new Proxy(target, {
      get: (_, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof key !== "string") return value;
        if (typeof value === "object" && value !== null) return telling(value, (inner) => `${key}.${inner}`);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          const result: unknown = Reflect.apply(value, target, args);
          if (key === "inputs") return telling(Object(result), (inner) => `inputs.${inner}`);
          heard.add(name(key));
          return result;
        };
      },
    });
  const open = (opened: OpenHost): OpenHost => ({
    ...opened,
    host: telling(opened.host, (key) => key),
    server: opened.server && telling(opened.server, (key) => behind[key] ?? key),
  });
  return (request, work) => withHost(request, (opened) => work(open(opened)));
}

test("every command of the parser is in the table", () => {
  const kinds = commandReference()
    .filter(({ isLeaf }) => isLeaf)
    .map(({ path }) => path.replace(/^approvals (allow|deny)$/, "approvals answer"));
  expect([...new Set(kinds)].sort()).toEqual(Object.keys(calls).sort());
});

/** Called when a person types or signals, or when something is left to follow: other tests do that. */
const elsewhere: Partial<Record<string, readonly string[]>> = {
  ...{ run: ["answer", "stop"], serve: ["shutdown"], "sessions resume": ["events"], "queue release": ["events"] },
};

test("each command calls what the table says, and nothing else", async () => {
  const { serve, work, data, sit } = await sandbox();
  const { url } = await serve();
  const env = { MOORING_HOME: data, HOME: work, PATH: process.env["PATH"] };
  const heard = new Map<string, Set<string>>(Object.keys(calls).map((kind) => [kind, new Set()]));
  const call = async (...args: readonly string[]): Promise<string> => {
    const terminal = testTerminal({ cwd: work, env }, "");
    const { command } = parseCommand(args, "mooring");
    if (command.kind === "print") return expect.unreachable();
    await execute(command, { terminal, debug: false, withHost: listened(heard.get(command.kind) ?? new Set()) });
    return terminal.printed.out;
  };
  const client = createClient({ url, token: (await readFile(join(data, "token"), "utf8")).trim() });

  const session = sessionIn(await call("run", "#say hello"));
  await call("run", "--session", session, "--mode", "default", "#say again");
  await call("run", "--session", session, "#say and again");
  const person = sit(["run", "--mode", "default", "#bash echo hi\n#say after"]);
  const approval = /apr_[\w-]+/.exec(await person.terminal.until(/d REASON/))?.[0] ?? "";
  await call("approvals", "ls");
  await call("approvals", "ls", session);
  await call("approvals", "deny", approval);
  await person.ended;

  await call("pause", "a");
  await call("pause", "b", "--drain", "1");
  const [one = "", two = ""] = [
    await client.submit(session, { text: "#say 1" }),
    await client.submit(session, { text: "2" }),
  ].map(({ inputId }) => inputId);
  await call("queue", "ls");
  await call("queue", "ls", session);
  await call("queue", "edit", session, one, "#say changed");
  await call("queue", "move", session, one);
  await call("queue", "rm", session, two);
  await call("doctor");
  await call("resume");
  await call("queue", "release", session);
  await call("sessions", "resume", session, "retry");

  await client.create();
  await call("sessions", "ls");
  await call("sessions", "show", session);
  await call("sessions", "fork", session);
  await call("sessions", "export", session, "--format", "json", "--out", "one.json");
  await call("sessions", "import", "one.json");
  await expect(call("sessions", "import", "one.json")).rejects.toThrow("already");
  await call("sessions", "rm", session);
  await call("sessions", "restore", session);

  await call("agents", "add", "other", "--provider", "scripted");
  await call("agents", "set", "other", "--model", "scripted", "--default");
  await call("agents", "ls");
  await call("agents", "rm", "other");
  await call("rules", "add", "deny", "bash(rm *)", "--agent", "demo");
  const rule = /rul_[\w-]+/.exec(await call("rules", "ls"))?.[0] ?? "";
  await call("rules", "rm", rule);
  await call("backup", "copy");

  for (const [kind, expected] of Object.entries(calls)) {
    const here = (names: readonly string[]) => names.filter((name) => !elsewhere[kind]?.includes(name)).sort();
    expect([kind, ...here([...(heard.get(kind) ?? [])])]).toEqual([kind, ...here(expected)]);
  }
  expect(Object.values(unreached).every((reason) => reason.endsWith("."))).toBe(true);
});
