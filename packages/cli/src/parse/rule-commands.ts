/** `mooring rules ls|add|rm`. */
import type { RuleEffect, RuleScope } from "@mooring/host";
import { Argument, type Command as Commander, Option } from "commander";
import { UsageError } from "../usage-error.ts";
import { given, jsonOption, type Take } from "./options.ts";

type Listing = { readonly session?: string; readonly agent?: string; readonly json?: boolean };
type Place = { readonly session?: string; readonly agent?: string; readonly host?: boolean };

const effects = ["allow", "ask", "deny"] as const satisfies readonly RuleEffect[];
const notes = `
A rule is a tool, or a tool and a pattern: bash(git status*), write(src/**), mcp__*. Deny wins over ask, ask over allow.
A new deny or ask binds the next call, a new allow the next turn.`;

export function addRuleCommands(program: Commander, take: Take): void {
  const rules = program.command("rules").description("what agents may do without asking, and what they may not");
  rules
    .command("ls")
    .description("list the stored rules")
    .option("--session <id>", "all that hold in this session: its own, its agent's and the host's")
    .addOption(new Option("--agent <name>", "only this agent's").conflicts("session"))
    .addOption(jsonOption("print a JSON array"))
    .action(({ session, agent, json = false }: Listing) =>
      take({ kind: "rules ls", ...given({ session, agent }), json }),
    );
  rules
    .command("add")
    .description("add a rule for one session, one agent, or everything on this host")
    .addArgument(new Argument("<effect>", "what it does").choices(effects))
    .argument("<rule>", "tool(pattern), or the tool alone for every call")
    .option("--session <id>", "holds in this session")
    .addOption(new Option("--agent <name>", "holds in every session of this agent").conflicts("session"))
    .addOption(new Option("--host", "holds everywhere").conflicts(["session", "agent"]))
    .addHelpText("after", notes)
    .action((effect: RuleEffect, rule: string, place: Place) =>
      take({ kind: "rules add", effect, ...targetOf(rule), ...placeOf(place) }),
    );
  rules
    .command("rm")
    .description("remove a rule")
    .argument("<id>", "rule (rules ls has them)")
    .action((rule: string) => take({ kind: "rules rm", rule }));
}

/** The host says what is wrong with a tool or a pattern. */
function targetOf(rule: string): { readonly tool: string; readonly pattern: string | null } {
  const [, tool = rule, pattern = null] = /^([^()]+)\((.*)\)$/s.exec(rule) ?? [];
  return { tool, pattern };
}

function placeOf({ session, agent, host }: Place): { scope: RuleScope; session?: string; agent?: string } {
  if (session !== undefined) return { scope: "session", session };
  if (agent !== undefined) return { scope: "agent", agent };
  if (host === true) return { scope: "host" };
  throw new UsageError("Say where the rule holds.", "One of --session ID, --agent NAME or --host.");
}
