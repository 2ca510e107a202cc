/** `mooring run`. */
import type { PermissionMode } from "@mooring/host";
import type { Command as Commander } from "commander";
import { given, jsonOption, modeOption, type Take } from "./options.ts";

type Options = {
  readonly agent?: string;
  readonly workspace?: string;
  readonly session?: string;
  readonly mode?: PermissionMode;
  readonly json?: boolean;
};

const notes = `
The session's directory is --workspace, else the current one; a continued session keeps its own.
In a terminal a line you type while the agent works steers it, approvals are asked, Ctrl-C stops the turn and a second
Ctrl-C leaves. Without a terminal nobody can be asked: what needs an answer is denied, with the reason.
Exit status: 0 completed, 1 failed or interrupted, 2 wrong usage, 130 stopped, 143 ended by SIGTERM.`;

export function addRunCommand(program: Commander, take: Take): void {
  program
    .command("run")
    .description("give an agent a prompt and show what it does")
    .argument("[prompt]", "what to do; - or nothing reads standard input")
    .option("--agent <name>", "agent of the new session (agents ls has them)")
    .option("--workspace <dir>", "directory the new session works in")
    .option("--session <id>", "continue this session; without a prompt, answer what it asks")
    .addOption(modeOption())
    .addOption(jsonOption("print the session's events, one JSON object a line"))
    .addHelpText("after", notes)
    .action((prompt: string | undefined, options: Options) =>
      take({ kind: "run", ...given({ prompt }), ...given(options), json: options.json === true }),
    );
}
