/** `mooring approvals ls|allow|deny`. */
import type { AnswerScope } from "@mooring/host";
import { type Command as Commander, Option } from "commander";
import { given, jsonOption, type Take } from "./options.ts";

type Json = { readonly json?: boolean };
type Answering = Json & { readonly scope?: AnswerScope; readonly reason?: string };

const scopes = ["once", "session", "agent", "host"] as const satisfies readonly AnswerScope[];

export function addApprovalCommands(program: Commander, take: Take): void {
  const approvals = program.command("approvals").description("questions that block a tool call");
  const scopeOption = () =>
    new Option(
      "--scope <scope>",
      "decide the same call from now on: in this session, for its agent, everywhere",
    ).choices(scopes);
  const eventsOption = () => jsonOption("print the session's events, one JSON object a line");
  approvals
    .command("ls")
    .description("list the open ones")
    .argument("[session]", "only this session's")
    .addOption(jsonOption("print a JSON array"))
    .action((session: string | undefined, { json = false }: Json) =>
      take({ kind: "approvals ls", ...given({ session }), json }),
    );
  approvals
    .command("allow")
    .description("allow the call, once or from now on, and show what comes of it")
    .argument("<id>", "approval")
    .addOption(scopeOption())
    .addOption(eventsOption())
    .action((approval: string, { scope, json = false }: Answering) =>
      take({ kind: "approvals answer", approval, decision: "allow", ...given({ scope }), json }),
    );
  approvals
    .command("deny")
    .description("deny the call, and show what comes of it")
    .argument("<id>", "approval")
    .option("--reason <text>", "what the agent is told")
    .addOption(scopeOption())
    .addOption(eventsOption())
    .action((approval: string, { reason, scope, json = false }: Answering) =>
      take({ kind: "approvals answer", approval, decision: "deny", ...given({ reason, scope }), json }),
    );
}
