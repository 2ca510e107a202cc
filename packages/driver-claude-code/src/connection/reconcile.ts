/**
 * A changed target on a running process. Invariants: what is frozen at the start of a process is a rebuild, what can be
 * set is set and its answer awaited; a setting that is not confirmed in time has failed.
 */
import { type Clock, MooringError, type ReconcileVerdict, type SessionTarget } from "@mooring/host/driver";
import { limits } from "../limits.ts";
import { mcpProblems } from "../translate/mcp-answer.ts";
import type { AgentProcess } from "./agent-process.ts";
import { bounded } from "./bounded.ts";
import type { ModeWatch } from "./mode-watch.ts";
import { agentMode, effortOf } from "./settings.ts";

type Change = {
  readonly before: SessionTarget;
  readonly target: SessionTarget;
  /** Null: the session rests; the next process starts with the target. */
  readonly process: AgentProcess | null;
  readonly modes: ModeWatch;
  readonly clock: Clock;
};

export async function patch(change: Change): Promise<ReconcileVerdict> {
  const { before, target, process } = change;
  if (!isServable(target)) return "invalid";
  if (same(facts(before), facts(target))) return "current";
  if (
    before.effort !== target.effort ||
    !same([before.prompt.base, before.prompt.append], [target.prompt.base, target.prompt.append])
  )
    return "rebuild";
  if (process === null) return "patched";
  const steps = stepsOf(change, process);
  for (const step of steps) if (!(await confirmed(change.clock, step()))) return "failed";
  return "patched";
}

function stepsOf({ before, target, modes }: Change, { query }: AgentProcess): (() => Promise<boolean>)[] {
  const done = async (work: Promise<unknown>): Promise<boolean> => {
    await work;
    return true;
  };
  const steps: (() => Promise<boolean>)[] = [];
  if (before.model !== target.model) steps.push(() => done(query.setModel(target.model)));
  if (agentMode(before.permissionMode) !== agentMode(target.permissionMode)) {
    modes.set(target.permissionMode);
    steps.push(() => done(query.setPermissionMode(agentMode(target.permissionMode))));
  }
  if (!same(before.mcpServers, target.mcpServers))
    steps.push(async () => mcpProblems(await query.setMcpServers(target.mcpServers)).length === 0);
  return steps;
}

const confirmed = (clock: Clock, step: Promise<boolean>): Promise<boolean> =>
  bounded(clock, limits.patchMs, step, false);

function isServable({ model, effort }: SessionTarget): boolean {
  try {
    effortOf(effort);
    return model !== "";
  } catch (cause) {
    if (MooringError.isInstance(cause)) return false;
    throw cause;
  }
}

/** The order of disabled tools says nothing. */
const facts = ({ model, effort, permissionMode, disabledTools, prompt, mcpServers }: SessionTarget): unknown => [
  model,
  effort,
  permissionMode,
  [...disabledTools].sort(),
  [prompt.base, prompt.append],
  mcpServers,
];
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
