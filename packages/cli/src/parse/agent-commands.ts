/** `mooring agents ls|add|set|rm|install`. A key is never an argument: other users see those, and shells remember them. */
import type { Command as Commander } from "commander";
import { Option } from "commander";
import type { AgentSettings } from "../command.ts";
import { given, jsonOption, modeOption, type Take } from "./options.ts";

type Changes = AgentSettings & { readonly default?: boolean };

export function addAgentCommands(program: Commander, take: Take): void {
  const agents = program.command("agents").description("the named configurations sessions run with");
  agents
    .command("ls")
    .description("list them")
    .addOption(jsonOption("print a JSON array"))
    .action(({ json = false }: { readonly json?: boolean }) => take({ kind: "agents ls", json }));
  withSettings(agents.command("add"))
    .description("add an agent")
    .argument("<name>", "name of the agent")
    .action((name: string, settings: AgentSettings) => take({ kind: "agents add", name, settings: given(settings) }));
  withSettings(agents.command("set"))
    .description("change an agent")
    .argument("<name>", "name of the agent")
    .option("--default", "sessions that name no agent get this one")
    .action((name: string, { default: isDefault = false, ...settings }: Changes) =>
      take({ kind: "agents set", name, settings: given(settings), isDefault }),
    );
  agents
    .command("rm")
    .description("remove an agent; its sessions stay readable")
    .argument("<name>", "name of the agent")
    .option("--force", "although sessions use it: they cannot go on then")
    .action((name: string, { force = false }: { readonly force?: boolean }) =>
      take({ kind: "agents rm", name, force }),
    );
  agents
    .command("install")
    .description("put an agent's program into the data directory, for example claude-code")
    .argument("<driver>", "kind of agent runtime")
    .action((name: string) => take({ kind: "agents install", name }));
}

const withSettings = (command: Commander): Commander =>
  command
    .option("--driver <driver>", "kind of agent runtime (default for a new agent: loop)")
    .option("--provider <kind>", "anthropic, openai, google, openai-compatible or scripted")
    .option("--model <model>", "model, as the provider names it")
    .option("--effort <effort>", "reasoning effort")
    .addOption(new Option("--api-key-env <var>", "variable that holds the key: only its name is stored"))
    .addOption(new Option("--api-key-stdin", "read the key from standard input").conflicts("apiKeyEnv"))
    .option("--base-url <url>", "address of the provider, if not its usual one")
    .option("--instructions <text>", "standing instructions; @FILE reads them from a file")
    .addOption(modeOption());
