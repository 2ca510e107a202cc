/** `mooring sessions fork|export|import`. */
import { type Command as Commander, Option } from "commander";
import { given, type Take } from "./options.ts";

type Forking = { readonly at?: string; readonly before?: string; readonly transcript?: boolean };
type Exporting = { readonly format: "markdown" | "json"; readonly out?: string };
type Importing = { readonly agent?: string; readonly workspace?: string; readonly again?: boolean };

export function addSessionCopyCommands(sessions: Commander, take: Take): void {
  sessions
    .command("fork")
    .description("make another session that goes on from here, or from an earlier message")
    .argument("<id>", "session")
    .addOption(new Option("--at <message>", "end with this message (sessions show --json has the ids)"))
    .addOption(new Option("--before <message>", "end before this message of yours").conflicts("at"))
    .option("--transcript", "for an agent that cannot fork its own history: it begins anew and is told what was said")
    .action((session: string, { at, before, transcript = false }: Forking) =>
      take({ kind: "sessions fork", session, ...given({ at, before }), transcript }),
    );
  sessions
    .command("export")
    .description("write a session for people, or as JSON that can be imported")
    .argument("<id>", "session")
    .addOption(new Option("--format <format>", "what is written").choices(["markdown", "json"]).default("markdown"))
    .option("--out <file>", "file to write; it must not exist (default: standard output)")
    .action((session: string, { format, out }: Exporting) =>
      take({ kind: "sessions export", session, format, ...given({ out }) }),
    );
  sessions
    .command("import")
    .description("make a session of an exported one")
    .argument("<file>", "JSON of an export; - is standard input")
    .option("--agent <name>", "agent that goes on with it (default: the default agent)")
    .option("--workspace <dir>", "directory it works in (default: one of its own)")
    .option("--again", "although it was imported before: make another session of it")
    .action((file: string, { agent, workspace, again = false }: Importing) =>
      take({ kind: "sessions import", file, ...given({ agent, workspace }), again }),
    );
}
