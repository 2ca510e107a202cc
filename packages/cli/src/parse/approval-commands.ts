/** `mooring approvals ls|allow|deny`. */
import type { Command as Commander } from "commander";
import { given, jsonOption, type Take } from "./options.ts";

type Json = { readonly json?: boolean };

export function addApprovalCommands(program: Commander, take: Take): void {
  const approvals = program.command("approvals").description("questions that block a tool call");
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
    .description("allow the call once, and show what comes of it")
    .argument("<id>", "approval")
    .addOption(eventsOption())
    .action((approval: string, { json = false }: Json) =>
      take({ kind: "approvals answer", approval, decision: "allow", json }),
    );
  approvals
    .command("deny")
    .description("deny the call, and show what comes of it")
    .argument("<id>", "approval")
    .option("--reason <text>", "what the agent is told")
    .addOption(eventsOption())
    .action((approval: string, { reason, json = false }: Json & { readonly reason?: string }) =>
      take({ kind: "approvals answer", approval, decision: "deny", ...given({ reason }), json }),
    );
}
