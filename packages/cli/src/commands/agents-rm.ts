/** `mooring agents rm`. A session keeps its agent, so whoever removes one is told first what cannot go on without it. */
import type { AgentsCommand } from "../command.ts";
import type { CommandHost } from "../command-host.ts";
import type { Terminal } from "../terminal.ts";
import { countText } from "../text/amounts.ts";
import { plainText } from "../text/plain-text.ts";
import { UsageError } from "../usage-error.ts";
import { sessionsWhere } from "./all-sessions.ts";

export async function removeAgent(
  host: CommandHost,
  { name, force }: Extract<AgentsCommand, { kind: "agents rm" }>,
  { out, command, look }: Terminal,
): Promise<void> {
  const agent = await host.agents.get(name);
  const { length } = await sessionsWhere(host, ({ agentId }) => agentId === agent.id);
  const shown = plainText(agent.name);
  if (length > 0 && !force) {
    throw new UsageError(
      `The agent "${shown}" has ${countText(length, "session")}: without it they can be read, and not go on.`,
      `${command} agents rm "${shown}" --force removes it all the same.`,
    );
  }
  await host.agents.remove(agent.id);
  out(`Removed the agent "${shown}".\n`);
  if (length === 0) return;
  const say = (text: string): void => out(`${look.dim(text)}\n`);
  say(`${countText(length, "session")} of it can still be read. To go on with one under another agent:`);
  say(`  ${command} sessions export SESSION --format json --out FILE`);
  say(`  ${command} sessions import FILE --agent OTHER`);
}
