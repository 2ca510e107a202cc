/** Which requirements hold a driver to each of its claims. A claim none of them tests is not one. */
import type { DriverCapabilities } from "../../ports/driver.ts";
import type { ContractAdapter } from "./adapter.ts";
import type { Requirement } from "./requirement.ts";
import { type RequirementId, requirements } from "./requirements.ts";

type Tested = { readonly [K in keyof DriverCapabilities]-?: readonly RequirementId[] };

const claimTests: Tested = {
  history: ["connect/history", "connect/resumes"],
  resume: ["connect/resumes", "connect/resume-refused"],
  idempotentInput: ["turn/idempotent"],
  durableApproval: ["approval/durable-allowed", "approval/durable-denied"],
  steer: ["steer/taken", "steer/none"],
  steerStartsOwnTurn: ["steer/adopted"],
  secondPrompt: ["turn/second-prompt"],
  rewind: ["rewind/earlier"],
  fork: ["fork/branches"],
  interruptStopsTools: ["stop/tool-ended"],
  liveModel: ["reconcile/model"],
  liveMode: ["reconcile/mode"],
  modes: ["connect/modes"],
  tools: ["session/tools", "approval/policy"],
  steeringModes: ["steer/one-at-a-time", "steer/together"],
  ownTools: ["tools/own", "tools/own-ends"],
  images: ["input/image"],
  fileTypes: ["input/file-bytes"],
  filePaths: ["input/file-path"],
  contextUsage: ["context/usage"],
  compaction: ["compaction/asked"],
  autonomousTurns: ["autonomous/announced", "autonomous/ends"],
  hooks: ["compaction/hook"],
  workspaceText: ["connect/workspace-text"],
  multiSession: ["connect/two-sessions"],
};

/** Each claim that no requirement tests with this adapter, with the reason. */
export function untestedClaims(adapter: ContractAdapter, capabilities: DriverCapabilities): readonly string[] {
  return (Object.keys(claimTests) as (keyof DriverCapabilities)[]).flatMap((name) => {
    if (!isClaimed(capabilities[name])) return [];
    const tests = claimTests[name].filter((id) => counts(requirements[id], capabilities));
    const missing = tests.flatMap((id) => lacking(requirements[id], adapter));
    if (tests.length > 0 && missing.length < tests.length) return [];
    return [`${name} (${missing.join(", ") || "no requirement is about this value"})`];
  });
}

/** Whether a requirement counts for a driver with these capabilities. */
export function counts({ when }: Requirement, capabilities: DriverCapabilities): boolean {
  if (when === undefined) return true;
  const { capability } = when;
  const is: readonly unknown[] | "any" = when.is;
  const value: unknown = capabilities[capability];
  if (is === "any") return isClaimed(value);
  return is.some((wanted) => (Array.isArray(wanted) ? includesAll(value, wanted) : wanted === value));
}
const includesAll = (value: unknown, wanted: readonly unknown[]): boolean =>
  Array.isArray(value) && wanted.every((one) => value.includes(one));

/** The scenarios a requirement needs and the adapter says its agent cannot play, with the reasons. */
export function lacking({ needs = [] }: Requirement, { cannot = {} }: ContractAdapter): readonly string[] {
  return needs.flatMap((name) => (cannot[name] === undefined ? [] : [`${name}: ${cannot[name]}`]));
}
const isClaimed = (value: unknown): boolean =>
  value !== undefined && value !== false && value !== "none" && !(Array.isArray(value) && value.length === 0);
