/** From arguments to an exit status. Never rejects: what goes wrong is printed. */
import { commandName } from "./data-dir.ts";
import { failureStatus, failureText } from "./failure.ts";
import { parseCommand } from "./parse/parse-command.ts";
import { processTerminal } from "./terminal.ts";

export async function main(args: readonly string[]): Promise<number> {
  const terminal = processTerminal();
  const command = commandName(terminal.env);
  let debug = args.includes("--debug");
  try {
    const parsed = parseCommand(args, command);
    debug = parsed.debug;
    if (parsed.command.kind === "print") {
      terminal.out(parsed.command.text);
      return 0;
    }
    const { execute } = await import("./execute.ts");
    return await execute(parsed.command, { terminal, debug });
  } catch (cause) {
    terminal.err(failureText(cause, { debug, command }));
    return failureStatus(cause);
  }
}
