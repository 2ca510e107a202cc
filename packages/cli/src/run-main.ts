/** From arguments to an exit status. Never rejects: what goes wrong is printed. */
import { failureStatus, failureText } from "./failure.ts";
import { parseCommand } from "./parse/parse-command.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

export async function main(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { command } = terminal;
  let debug = args.includes("--debug");
  try {
    // `npm start` without a word is the server.
    const words = args.length === 0 && command === "npm start --" ? ["serve"] : args;
    const parsed = parseCommand(words, command);
    debug = parsed.debug;
    if (parsed.command.kind === "print") {
      terminal.out(parsed.command.text);
      return 0;
    }
    const [{ execute }, { withHost }] = await Promise.all([import("./execute.ts"), import("./compose.ts")]);
    return await execute(parsed.command, { terminal, debug, withHost });
  } catch (cause) {
    terminal.err(failureText(cause, { debug, command }));
    return failureStatus(cause);
  }
}
