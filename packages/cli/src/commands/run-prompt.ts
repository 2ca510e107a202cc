/** What `run` was asked, with its words read and its contradictions refused. Throws a `UsageError`. */
import type { RunCommand } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** Null: there is none; a session to continue was named. */
export async function promptOf(request: RunCommand, terminal: Terminal): Promise<string | null> {
  checkSession(request);
  const text = await textOf(request, terminal);
  if (text !== null && text.trim() !== "") return text;
  if (request.session !== undefined && request.prompt === undefined) return null;
  throw new UsageError("There is no prompt.", `Say what to do: ${terminal.command} run "Show me how a session works"`);
}

async function textOf({ prompt }: RunCommand, terminal: Terminal): Promise<string | null> {
  if (prompt === "-") return terminal.readAll();
  if (prompt !== undefined) return prompt;
  return terminal.hasPipedInput() ? terminal.readAll() : null;
}

function checkSession({ session, agent, workspace }: RunCommand): void {
  if (session === undefined) return;
  if (agent !== undefined) throw keeps("agent");
  if (workspace !== undefined) throw keeps("workspace");
}
const keeps = (what: string): UsageError =>
  new UsageError(`A session keeps its ${what}: --${what} and --session do not go together.`, "Leave one of them out.");
