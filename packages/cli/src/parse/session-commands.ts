/** `mooring sessions ls|show|rm`. */
import type { Command as Commander } from "commander";
import { limits } from "../limits.ts";
import { given, jsonOption, positiveInteger, type Take } from "./options.ts";
import { addSessionCopyCommands } from "./session-copy-commands.ts";

type Listing = { readonly search?: string; readonly limit: number; readonly json?: boolean };
type Showing = { readonly limit: number; readonly json?: boolean };

export function addSessionCommands(program: Commander, take: Take): void {
  const sessions = program.command("sessions").description("the stored conversations");
  sessions
    .command("ls")
    .description("list them, the newest first")
    .option("--search <text>", "only those with this text in title, directory or id")
    .option("--limit <n>", "rows", positiveInteger, limits.sessionRows)
    .addOption(jsonOption("print a JSON array"))
    .action(({ search, limit, json = false }: Listing) =>
      take({ kind: "sessions ls", ...given({ search }), limit, json }),
    );
  sessions
    .command("show")
    .description("print a conversation")
    .argument("<id>", "session")
    .option("--limit <n>", "messages, the newest", positiveInteger, limits.shownMessages)
    .addOption(jsonOption("print the messages as a JSON array"))
    .action((session: string, { limit, json = false }: Showing) =>
      take({ kind: "sessions show", session, limit, json }),
    );
  sessions
    .command("rm")
    .description("remove a session: hidden at once, gone for ever ten minutes later")
    .argument("<id>", "session")
    .action((session: string) => take({ kind: "sessions rm", session }));
  addSessionCopyCommands(sessions, take);
}
