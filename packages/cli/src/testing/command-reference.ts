/** The commands there are, from the parser itself: for the reference people read, and for tests that must miss none. */
import type { Command as Commander } from "commander";
import { programFor } from "../parse/parse-command.ts";

export type ReferencePage = {
  /** Without the program: `sessions ls`; empty for the program itself. */
  readonly path: string;
  readonly help: string;
  /** It does something, and has no subcommands. */
  readonly isLeaf: boolean;
};

const columns = 100;

/** Each command before its subcommands, in the order of the help. */
export function commandReference(): readonly ReferencePage[] {
  const printed: string[] = [];
  const program = programFor("mooring", () => {}, printed);
  const visit = (command: Commander, path: string): readonly ReferencePage[] => {
    const page = { path, help: helpOf(command, printed), isLeaf: command.commands.length === 0 };
    return [page, ...command.commands.flatMap((each) => visit(each, `${path} ${each.name()}`.trim()))];
  };
  return visit(program, "");
}

/** As it is printed, with the notes after it. */
function helpOf(command: Commander, printed: string[]): string {
  printed.length = 0;
  command.configureOutput({ getOutHelpWidth: () => columns }); // whatever terminal this runs at
  command.outputHelp();
  return printed.join("").trim();
}
