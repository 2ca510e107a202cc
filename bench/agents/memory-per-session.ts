/**
 * What a session takes of the machine's memory while its agent is warm: its share of what is resident (PSS: a page that
 * several processes have counts once among them). Linux only: elsewhere there is no such figure, and no line.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { descendantsOf, readProcessTable } from "../../packages/host/src/host/processes/process-table.ts";
import type { Line } from "../bench.ts";
import { digits, exactly } from "../stats.ts";
import { RawAgent, rawPlace } from "./raw-agent.ts";
import type { Stage } from "./stage.ts";
import { hostedOf } from "./warm-turns.ts";

type Crowd = { readonly directory: string; readonly count: number };
const prompt = "#bash echo hello\n#say so it is";

export async function memoryPerSession(stage: Stage, { directory, count }: Crowd): Promise<readonly Line[]> {
  if (!existsSync("/proc/self/smaps_rollup")) return [];
  const empty = await residentOf([stage.served.pid]);
  const hosted = await Promise.all(Array.from({ length: count }, () => hostedOf(stage)));
  for (const agent of hosted) await agent.turn(prompt);
  const agents = descendantsOf(await readProcessTable(), [stage.served.pid]).map(({ pid }) => pid);
  const [inAgents, inHost] = [await residentOf(agents), (await residentOf([stage.served.pid])) - empty];
  for (const agent of hosted) await agent.end();
  const inRaw = await rawAgents(stage, { directory, count });
  const each = (kilobytes: number): number => kilobytes / count / 1_024;
  return [
    {
      what: `resident memory of each of ${count} sessions: agent and host`,
      against: "the raw SDK's agents alone",
      unit: "MB",
      measured: exactly(each(inAgents + inHost)),
      budget: null,
      note: `${digits(each(inAgents))} in the agent, ${digits(each(inHost))} in the host; raw ${digits(each(inRaw))} (${digits((inAgents + inHost) / inRaw)} x)`,
    },
  ];
}

async function rawAgents(stage: Stage, { directory, count }: Crowd): Promise<number> {
  const agents: RawAgent[] = [];
  for (let n = 0; n < count; n++)
    agents.push(await RawAgent.start(await rawPlace(directory, stage.baseUrl), { sessionId: randomUUID() }));
  for (const agent of agents) await agent.turn(prompt);
  const resident = await residentOf(await Promise.all(agents.map((agent) => agent.pid())));
  for (const agent of agents) await agent.end();
  return resident;
}

/** KB. */
async function residentOf(pids: readonly number[]): Promise<number> {
  let sum = 0;
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
    sum += Number(/^Pss: +(\d+) kB/m.exec(text)?.[1]);
  }
  return sum;
}
