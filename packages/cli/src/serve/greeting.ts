/** What `serve` prints once it is there: where, how to get in, what is ready, how it ends. */
import type { AgentRow, DriverInfo } from "@mooring/host";
import { agentFinding } from "../commands/findings.ts";
import type { Terminal } from "../terminal.ts";
import { oneLine, plainText } from "../text/plain-text.ts";

export type Greeting = {
  readonly url: string;
  /** Where a page is logged in once; null: there is no page. */
  readonly login: string | null;
  /** In words: never the token itself. */
  readonly token: string;
  readonly dataDir: string;
  readonly roots: readonly string[];
  readonly agents: readonly AgentRow[];
  readonly drivers: readonly DriverInfo[];
  readonly version: string;
};

export function greetingText(greeting: Greeting, { look, env, command }: Terminal): string {
  const { url, login, token, dataDir, roots, version } = greeting;
  const line = (name: string, text: string): string => `${look.dim(name.padEnd(9))} ${text}\n`;
  return [
    `${look.bold(`Mooring ${version}`)} at ${look.bold(url)}\n`,
    login === null
      ? line("page", "not built here: npm run build")
      : line("open", `${login} ${look.dim("(logs in once, within 5 minutes)")}`),
    line("token", plainText(token)),
    line("data", plainText(dataDir)),
    ...roots.map((root) => line("root", plainText(root))),
    agentLines(greeting, line, { env, command }),
    line("stop", "Ctrl-C"),
  ].join("");
}

function agentLines(
  { agents, drivers }: Greeting,
  line: (name: string, text: string) => string,
  facts: Pick<Terminal, "env" | "command">,
): string {
  const findings = agents.map((agent) => ({ agent, ...agentFinding(agent, { drivers, ...facts }) }));
  const ready = findings.filter(({ isOk }) => isOk).map(({ agent }) => oneLine(agent.name, 64));
  const rest = findings.filter(({ isOk }) => !isOk);
  const first = line("agents", ready.length === 0 ? "none is ready yet" : ready.join(", "));
  return first + rest.map(({ agent, detail }) => line("", `${oneLine(agent.name, 64)}: ${plainText(detail)}`)).join("");
}
