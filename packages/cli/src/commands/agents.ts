/** `mooring agents ls|add|set|rm`. Invariant: a key is read from standard input and goes to the host, nowhere else. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { AgentRow, NewAgent } from "@mooring/host";
import type { AgentSettings, AgentsCommand } from "../command.ts";
import type { CommandHost } from "../command-host.ts";
import type { Terminal } from "../terminal.ts";
import { plainText } from "../text/plain-text.ts";
import { table } from "../text/table.ts";
import { UsageError } from "../usage-error.ts";
import { removeAgent } from "./agents-rm.ts";
import { type Context, listingRequest } from "./host-request.ts";
import { listing } from "./listing.ts";

type Change = Partial<NewAgent>;

export async function agents(request: AgentsCommand, context: Context): Promise<void> {
  const change = "settings" in request ? await changeOf(request.settings, context.terminal) : {};
  return context.withHost(listingRequest(context, request.kind), ({ host }) =>
    carryOut(host, request, change, context.terminal),
  );
}

async function carryOut(host: CommandHost, request: AgentsCommand, change: Change, terminal: Terminal): Promise<void> {
  switch (request.kind) {
    case "agents ls":
      return list(host, request.json, terminal);
    case "agents add":
      return added(await host.agents.add({ driver: "loop", ...change, name: request.name }), "Added", terminal);
    case "agents set":
      return added(await set(host, request, change, terminal), "Changed", terminal);
    case "agents rm":
      return removeAgent(host, request, terminal);
  }
}

async function set(
  host: CommandHost,
  { name, isDefault }: Extract<AgentsCommand, { kind: "agents set" }>,
  change: Change,
  { command }: Terminal,
): Promise<AgentRow> {
  const before = await host.agents.get(name);
  // What is not named stays: the host replaces a provider whole.
  const provider = change.provider === undefined ? {} : { provider: { ...before.provider, ...change.provider } };
  const isChanged = Object.keys(change).length > 0;
  if (!isChanged && !isDefault)
    throw new UsageError("There is nothing to change.", `See: ${command} agents set --help`);
  const row = isChanged ? await host.agents.update(name, { ...change, ...provider }) : before;
  if (isDefault) await host.agents.setDefault(row.id);
  return row;
}

async function list(host: CommandHost, json: boolean, { out, look }: Terminal): Promise<void> {
  const rows = await host.agents.list();
  if (json) return out(listing(rows));
  const byDefault = await host.agents.default();
  const cells = rows.map((row) => [
    row.name,
    row.driver,
    row.provider.kind ?? "",
    row.model ?? "(none)",
    row.permissionMode,
    row.id === byDefault?.id ? "default" : "",
  ]);
  out(table(["NAME", "DRIVER", "PROVIDER", "MODEL", "MODE", ""], cells, look));
}

function added(row: AgentRow, what: string, { out }: Terminal): void {
  out(`${what}: ${plainText(row.name)} (${row.driver}, ${plainText(row.model ?? "no model yet")})\n`);
}

async function changeOf(settings: AgentSettings, terminal: Terminal): Promise<Change> {
  const { driver, model, effort, mode, instructions } = settings;
  const provider = await providerOf(settings, terminal);
  return {
    ...(driver === undefined ? {} : { driver }),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(mode === undefined ? {} : { permissionMode: mode }),
    ...(instructions === undefined ? {} : { instructions: await instructionsOf(instructions, terminal) }),
    ...(Object.keys(provider).length === 0 ? {} : { provider }),
  };
}

async function providerOf(settings: AgentSettings, terminal: Terminal): Promise<NonNullable<NewAgent["provider"]>> {
  const { provider: kind, apiKeyEnv, apiKeyStdin, baseUrl } = settings;
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) {
    throw new UsageError(`"${baseUrl}" is no address.`, "For example: --base-url http://127.0.0.1:11434/v1");
  }
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv: variableName(apiKeyEnv) }),
    ...(apiKeyStdin ? { apiKey: await keyFrom(terminal) } : {}),
  };
}

/** Whoever gives the key itself is told before it is stored as a name. */
function variableName(text: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return text;
  throw new UsageError("--api-key-env takes the name of a variable, not a key.", "For example: ANTHROPIC_API_KEY");
}

async function keyFrom(terminal: Terminal): Promise<string> {
  const key = (await terminal.readSecret("API key (it is not shown): ")).trim();
  if (key === "") throw new UsageError("Standard input had no key.", "For example: --api-key-stdin < key.txt");
  return key;
}

async function instructionsOf(text: string, { cwd }: Terminal): Promise<string> {
  if (!text.startsWith("@")) return text;
  const file = resolve(cwd, text.slice(1));
  return readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read (${cause.code ?? cause.message}).`, "Name a text file after the @.");
  });
}
