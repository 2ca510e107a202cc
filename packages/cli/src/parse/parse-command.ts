/**
 * The command line, as commander reads it, to a value. Nothing is done here and nothing heavy is loaded, so that help
 * and mistakes cost no start-up.
 */
import { Command as Commander, CommanderError } from "commander";
import type { Command, Parsed } from "../command.ts";
import { ownVersion } from "../own-version.ts";
import { UsageError } from "../usage-error.ts";
import { addAgentCommands } from "./agent-commands.ts";
import { addApprovalCommands } from "./approval-commands.ts";
import { jsonOption, type Take } from "./options.ts";
import { addQueueCommands } from "./queue-commands.ts";
import { addRpcCommand } from "./rpc-command.ts";
import { addRuleCommands } from "./rule-commands.ts";
import { addRunCommand } from "./run-command.ts";
import { addServerCommands } from "./server-commands.ts";
import { addSessionCommands } from "./session-commands.ts";

/** `args`: without the program. `name`: what the person types for it. Throws a `UsageError`. */
export function parseCommand(args: readonly string[], name: string): Parsed {
  const found: Command[] = [];
  const printed: string[] = [];
  const program = programFor(name, (command) => found.push(command), printed);
  try {
    program.parse(args.length === 0 ? ["--help"] : args, { from: "user" });
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    if (cause.exitCode !== 0 && !isHelp(cause)) throw usageError(cause, name, args);
    const text = printed.join("");
    return { command: { kind: "print", text: args.length === 0 ? text + firstSteps(name) : text }, debug: false };
  }
  const command = found[0];
  if (command === undefined) throw new UsageError("No command was named.", `Try: ${name} --help`);
  return { command, debug: program.opts<{ debug?: boolean }>().debug === true };
}

/** `take`: hears of the command that was recognised. `printed`: collects what commander would write. */
export function programFor(name: string, take: Take, printed: string[]): Commander {
  const program = new Commander(name)
    .description("Durable agent sessions: run agents, answer them, and come back to what they did.")
    .version(ownVersion(), "-V, --version")
    .option("--debug", "print the host's log and the stack of an error")
    .exitOverride()
    // Commands made from here on inherit it: everything is collected, nothing is written.
    .configureOutput({ writeOut: (text) => printed.push(text), writeErr: (text) => printed.push(text) });
  addRunCommand(program, take);
  addSessionCommands(program, take);
  addAgentCommands(program, take);
  addQueueCommands(program, take);
  addApprovalCommands(program, take);
  addRuleCommands(program, take);
  addServerCommands(program, take);
  addRpcCommand(program, take);
  program
    .command("doctor")
    .description("say what works, what does not, and the command that fixes it")
    .addOption(jsonOption("print a JSON object"))
    .action(({ json = false }: { readonly json?: boolean }) => take({ kind: "doctor", json }));
  return program;
}

/** Asked for, or shown because a command has only subcommands. */
const isHelp = ({ code }: CommanderError): boolean => code === "commander.help";

function usageError(cause: CommanderError, name: string, args: readonly string[]): UsageError {
  const [message = "", ...more] = cause.message.replace(/^error: /, "").split("\n");
  const isKnown = cause.code !== "commander.unknownCommand";
  const command = isKnown ? args.filter((arg) => /^[a-z]+$/.test(arg)).slice(0, 1) : [];
  const hint = cause.code === "commander.excessArguments" ? "Put the prompt in quotes. " : more.join(" ");
  return new UsageError(message, [hint, `See: ${[name, ...command, "--help"].join(" ")}`].join(" ").trim());
}

const firstSteps = (name: string): string => `
Start here; it needs no key and no network:
  ${name} run "Show me how a session works"
`;
