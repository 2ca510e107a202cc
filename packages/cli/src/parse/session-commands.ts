/** `mooring sessions ls|show|rm|restore|resume`. */
import { Argument, type Command as Commander } from "commander";
import type { ResumeCommand } from "../command.ts";
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
  sessions
    .command("restore")
    .description("take a removal back, within ten minutes")
    .argument("<id>", "session")
    .action((session: string) => take({ kind: "sessions restore", session }));
  addResume(sessions, take);
  addSessionCopyCommands(sessions, take);
}

const choices = ["retry", "fresh", "fresh-with-transcript"] as const satisfies readonly ResumeCommand["choice"][];

function addResume(sessions: Commander, take: Take): void {
  sessions
    .command("resume")
    .description("choose how to go on when the agent's own session is lost, and show what comes of it")
    .argument("<id>", "session")
    .addArgument(
      new Argument("<how>", "try it again, begin anew, or begin anew and tell the agent what was said").choices(
        choices,
      ),
    )
    .addOption(jsonOption("print the session's events, one JSON object a line"))
    .action((session: string, choice: ResumeCommand["choice"], { json = false }: { readonly json?: boolean }) =>
      take({ kind: "sessions resume", session, choice, json }),
    );
}
