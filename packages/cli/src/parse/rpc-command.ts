/** `mooring rpc`. */
import type { Command as Commander } from "commander";
import { given, type Take } from "./options.ts";

type Options = { readonly agent?: string; readonly workspace?: string; readonly session?: string };

const notes = `
One JSON object a line on standard input is a command, for example {"id": "1", "type": "prompt", "message": "hi"}; answers
and events are lines of standard output. The end of standard input ends it in order: what runs is stopped and settled.
It is a host of its own: while a server runs, give it a MOORING_HOME of its own too.
Exit status: 0 at the end of the input, 143 after a signal.`;

export function addRpcCommand(program: Commander, take: Take): void {
  program
    .command("rpc")
    .description("serve one session to another program, in lines of JSON")
    .option("--agent <name>", "agent of new sessions (agents ls has them)")
    .option("--workspace <dir>", "directory new sessions work in (default: the current one)")
    .option("--session <id>", "begin with this session")
    .addHelpText("after", notes)
    .action((options: Options) => take({ kind: "rpc", ...given(options) }));
}
