/** `mooring queue ls|edit|rm|move|release`. */
import type { Command as Commander } from "commander";
import { Option } from "commander";
import { given, jsonOption, type Take } from "./options.ts";

type Json = { readonly json?: boolean };
type Move = { readonly before?: string; readonly last?: boolean };

export function addQueueCommands(program: Commander, take: Take): void {
  const queue = program.command("queue").description("inputs that wait for their turn, or are held");
  queue
    .command("ls")
    .description("list them")
    .argument("[session]", "only this session's")
    .addOption(jsonOption("print a JSON array"))
    .action((session: string | undefined, { json = false }: Json) =>
      take({ kind: "queue ls", ...given({ session }), json }),
    );
  onInput(queue, "edit")
    .description("change the text of an input")
    .argument("<text>", "the new text")
    .action((session: string, input: string, text: string) => take({ kind: "queue edit", session, input, text }));
  onInput(queue, "rm")
    .description("cancel an input")
    .action((session: string, input: string) => take({ kind: "queue rm", session, input }));
  onInput(queue, "move")
    .description("move an input before another, or to the end")
    .addOption(new Option("--before <input>", "the input that shall follow it").conflicts("last"))
    .option("--last", "to the end (the default)")
    .action((session: string, input: string, { before }: Move) =>
      take({ kind: "queue move", session, input, before: before ?? null }),
    );
  queue
    .command("release")
    .description("let held inputs start, and show what comes of it")
    .argument("<session>", "session")
    .argument("[input]", "only this input")
    .addOption(jsonOption("print the session's events, one JSON object a line"))
    .action((session: string, input: string | undefined, { json = false }: Json) =>
      take({ kind: "queue release", session, ...given({ input }), json }),
    );
}

const onInput = (queue: Commander, name: string): Commander =>
  queue.command(name).argument("<session>", "session").argument("<input>", "input (queue ls has them)");
