/** `mooring doctor`: what works, what does not, and what fixes it. Exit status 1 when no agent can be used. */
import { readFileSync } from "node:fs";
import type { DoctorCommand } from "../command.ts";
import type { OpenHost } from "../command-host.ts";
import { dataDirOf } from "../data-dir.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Terminal } from "../terminal.ts";
import type { Look } from "../text/look.ts";
import { jsonText, plainText } from "../text/plain-text.ts";
import { agentFinding, driverFinding, type Finding, nodeFinding } from "./findings.ts";
import { type Context, listingRequest } from "./host-request.ts";

/** Resolves to the exit status. */
export async function doctor({ json }: DoctorCommand, context: Context): Promise<number> {
  const { terminal } = context;
  const node = nodeFinding(process.versions.node, neededNode());
  const dataDir = dataDirOf(terminal.env, terminal.cwd);
  const { findings, isReady } = await context
    .withHost(listingRequest(context, "doctor"), (opened) => examine(opened, terminal))
    .catch((cause: unknown) => ({ findings: [unopened(dataDir, cause)], isReady: false }));
  const all = [node, ...findings];
  if (json) terminal.out(`${jsonText({ ready: isReady, findings: all }, 2)}\n`);
  else terminal.out(report(all, isReady, terminal));
  return isReady ? exitCodes.done : exitCodes.failed;
}

async function examine(
  { host, dataDir }: OpenHost,
  { env, command }: Terminal,
): Promise<{ readonly findings: readonly Finding[]; readonly isReady: boolean }> {
  const drivers = await host.drivers();
  const facts = { drivers, env, command };
  const agents = (await host.agents.list()).map((agent) => agentFinding(agent, facts));
  const data: Finding = { what: "data", isOk: true, detail: `${dataDir}, the database opens`, fix: null };
  return { findings: [data, ...drivers.map(driverFinding), ...agents], isReady: agents.some(({ isOk }) => isOk) };
}

const unopened = (dataDir: string, cause: unknown): Finding => ({
  what: "data",
  isOk: false,
  detail: `${dataDir}: ${cause instanceof Error ? cause.message : String(cause)}`,
  fix: null,
});

function report(findings: readonly Finding[], isReady: boolean, { look, command }: Terminal): string {
  const lines = findings.map((finding) => findingText(finding, look));
  const last = isReady ? `Ready: ${command} run "…"` : "No agent can be used yet.";
  return `${lines.join("")}\n${last}\n`;
}

function findingText({ what, isOk, detail, fix }: Finding, look: Look): string {
  const mark = isOk ? look.green("✓") : look.red("✗");
  const fixed = fix === null ? "" : `    ${look.bold("fix:")} ${plainText(fix)}\n`;
  return `${mark} ${plainText(what)}: ${plainText(detail)}\n${fixed}`;
}

/** The oldest Node.js that this package promises to run on. */
function neededNode(): string {
  const found: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const [version = ""] = /[\d.]+/.exec(JSON.stringify(Object(found).engines)) ?? [];
  return version;
}
