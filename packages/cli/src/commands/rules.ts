/** `mooring rules ls|add|rm`. */
import type { RuleRow } from "@mooring/host";
import type { RulesCommand } from "../command.ts";
import type { CommandHost } from "../command-host.ts";
import type { Terminal } from "../terminal.ts";
import { agoText } from "../text/amounts.ts";
import { oneLine } from "../text/plain-text.ts";
import { table } from "../text/table.ts";
import { type Context, listingRequest } from "./host-request.ts";
import { listing } from "./listing.ts";

/** Characters of a rule in the table. */
const ruleChars = 80;

export function rules(request: RulesCommand, context: Context): Promise<void> {
  const { terminal } = context;
  return context.withHost(listingRequest(context, request.kind), async ({ host }) => {
    switch (request.kind) {
      case "rules ls":
        return list(host, request, terminal);
      case "rules add": {
        const { kind: _, session, ...rule } = request;
        const of = session === undefined ? {} : { sessionId: session };
        const { id } = await host.rules.add({ ...rule, ...of, by: "terminal" });
        return terminal.out(`Added: ${id}\n`);
      }
      case "rules rm":
        await host.rules.remove(request.rule);
        return terminal.out("Removed.\n");
    }
  });
}

async function list(
  host: CommandHost,
  { session, agent, json }: Extract<RulesCommand, { kind: "rules ls" }>,
  { out, look }: Terminal,
): Promise<void> {
  const rows = await host.rules.list({
    ...(session === undefined ? {} : { sessionId: session }),
    ...(agent === undefined ? {} : { agent }),
  });
  if (json) return out(listing(rows));
  if (rows.length === 0) return out("There are no stored rules.\n");
  const names = new Map((await host.agents.list()).map(({ id, name }) => [id, name]));
  const place = ({ scope, sessionId, agentId }: RuleRow): string =>
    sessionId ?? (agentId === null ? "everywhere" : `${scope} ${names.get(agentId) ?? agentId}`);
  const cells = rows.map((row) => [
    row.id,
    row.effect,
    oneLine(row.pattern === null ? row.tool : `${row.tool}(${row.pattern})`, ruleChars),
    place(row),
    oneLine(row.by, 40),
    agoText(row.createdAt, Date.now()),
  ]);
  out(table(["ID", "EFFECT", "RULE", "WHERE", "BY", "SINCE"], cells, look));
}
