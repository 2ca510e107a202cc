/** `mooring doctor`: what works, what does not, and what fixes it. Exit status 1 when something needed does not work. */
import { readFileSync } from "node:fs";
import type { DoctorCommand } from "../command.ts";
import type { OpenHost, RunningServer } from "../command-host.ts";
import { dataDirOf } from "../data-dir.ts";
import { exitCodes } from "../exit-codes.ts";
import { messageOf } from "../failure.ts";
import { ownVersion } from "../own-version.ts";
import type { Terminal } from "../terminal.ts";
import { countText } from "../text/amounts.ts";
import type { Look } from "../text/look.ts";
import { jsonText, plainText } from "../text/plain-text.ts";
import {
  agentFinding,
  dataFinding,
  driverFinding,
  type Finding,
  nodeFinding,
  pauseFinding,
  serverFinding,
} from "./findings.ts";
import { type Context, listingRequest } from "./host-request.ts";

type Examined = {
  readonly findings: readonly Finding[];
  /** An agent can be used. */
  readonly isReady: boolean;
};

/** Resolves to the exit status. */
export async function doctor({ json }: DoctorCommand, context: Context): Promise<number> {
  const { terminal } = context;
  const node = nodeFinding(process.versions.node, neededNode());
  const { findings, isReady } = await examine(context);
  const all = [node, ...findings];
  const broken = all.filter(({ isOk, isNeeded }) => !isOk && isNeeded).length;
  if (json) terminal.out(`${jsonText({ ready: isReady, broken, findings: all }, 2)}\n`);
  else terminal.out(report(all, { isReady, broken }, terminal));
  return broken === 0 ? exitCodes.done : exitCodes.failed;
}

async function examine(context: Context): Promise<Examined> {
  const { terminal } = context;
  const dataDir = dataDirOf(terminal.env, terminal.cwd);
  try {
    return await context.withHost(listingRequest(context, "doctor"), (opened) => examineHost(opened, terminal));
  } catch (cause) {
    return { findings: [unopened(dataDir, cause)], isReady: false };
  }
}

async function examineHost({ host, dataDir, server }: OpenHost, { env, command }: Terminal): Promise<Examined> {
  const [drivers, rows] = await Promise.all([host.drivers(), host.agents.list()]);
  // The keys of a server are in its environment, which nobody sees from here.
  const facts = { drivers, env: server === null ? env : null, command };
  const agents = rows.map((agent) => agentFinding(agent, facts));
  const places = server === null ? [] : await serverFindings(server, command);
  return {
    findings: [dataFinding(dataDir), ...places, ...drivers.map(driverFinding), ...agents],
    isReady: agents.some(({ isOk }) => isOk),
  };
}

async function serverFindings(server: RunningServer, command: string): Promise<readonly Finding[]> {
  return [
    serverFinding(server, ownVersion()),
    ...(await server.pauses()).map((reason) => pauseFinding(reason, command)),
  ];
}

const unopened = (dataDir: string, cause: unknown): Finding => ({
  ...{ what: "data", isOk: false, isNeeded: true, fix: null },
  detail: `${messageOf(cause)}${messageOf(cause).includes(dataDir) ? "" : ` (${dataDir})`}`,
});

type Verdict = { readonly isReady: boolean; readonly broken: number };

function report(findings: readonly Finding[], { isReady, broken }: Verdict, { look, command }: Terminal): string {
  const lines = findings.map((finding) => findingText(finding, look));
  const ready = isReady ? `Ready: ${command} run "…"` : "No agent can be used yet.";
  const rest = broken === 0 ? "" : ` ${countText(broken, "thing")} to mend, see above.`;
  return `${lines.join("")}\n${ready}${rest}\n`;
}

function findingText({ what, isOk, isNeeded, detail, fix }: Finding, look: Look): string {
  const mark = isOk ? look.green("✓") : isNeeded ? look.red("✗") : look.dim("-");
  const fixed = fix === null ? "" : `    ${look.bold("fix:")} ${plainText(fix)}\n`;
  return `${mark} ${plainText(what)}: ${plainText(detail)}\n${fixed}`;
}

/** The oldest Node.js that this package promises to run on. */
function neededNode(): string {
  const found: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const [version = ""] = /[\d.]+/.exec(JSON.stringify(Object(found).engines)) ?? [];
  return version;
}
