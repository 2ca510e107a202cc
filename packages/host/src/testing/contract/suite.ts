/**
 * The contract suite for one driver: a case per requirement that counts for it, for any test runner. Invariants: each
 * case has a world of its own and leaves nothing of it; a case fails on what its check found and on every rule the
 * driver broke meanwhile, except those listed as known exceptions; a listed exception that holds again fails.
 */
import { silentLog } from "../../host/silent-log.ts";
import { systemClock } from "../../host/system-clock.ts";
import { systemIds } from "../../host/system-ids.ts";
import type { DriverCapabilities, DriverPorts } from "../../ports/driver.ts";
import { MooringError, messageOf } from "../../protocol/errors.ts";
import type { ContractAdapter, KnownException } from "./adapter.ts";
import { ContractBroken, type Finding } from "./broken.ts";
import { checks } from "./checks.ts";
import { counts, lacking } from "./claims.ts";
import type { Requirement } from "./requirement.ts";
import { type RequirementId, requirementIds, requirements } from "./requirements.ts";
import { ContractScene } from "./scene.ts";

export type ContractCase = {
  readonly id: RequirementId;
  /** The id and the rule: the name of the test. */
  readonly title: string;
  /** It looks at the whole process: run it while no other case runs. The others may run side by side. */
  readonly isAlone: boolean;
  /** Rejects with `ContractBroken`, which names each requirement that is broken. */
  run(): Promise<void>;
};
/**
 * What is known of a requirement: `kept`, `broken: …` (a known exception), `not claimed: …` (a capability decides),
 * `not played: …` (the agent cannot do it), `no process`, or `no lines on stdio`.
 */
export type ContractResults = { readonly driver: string; readonly results: Readonly<Record<string, string>> };
export type ContractSuite = {
  readonly cases: readonly ContractCase[];
  /** After the cases ran: a requirement whose case did not run, or failed, is missing. For the matrix of drivers. */
  results(): ContractResults;
};

export function contractSuite(adapter: ContractAdapter): ContractSuite {
  const { capabilities } = adapter.driver(noPorts);
  const results = new Map<RequirementId, string>();
  const cases: ContractCase[] = [];
  for (const id of requirementIds) {
    const why = notCounting(requirements[id], adapter, capabilities);
    const exception = adapter.exceptions?.find(({ requirement }) => requirement === id);
    if (why !== null) {
      if (exception !== undefined) throw staleException(exception, `it does not count for this driver (${why})`);
      results.set(id, why);
      continue;
    }
    const run = async (): Promise<void> => {
      results.set(id, exception === undefined ? await kept(adapter, id) : await stillBroken(adapter, exception));
    };
    cases.push({ id, title: `${id}: ${requirements[id].rule}`, isAlone: id.startsWith("environment/"), run });
  }
  return { cases, results: () => ({ driver: adapter.name, results: inOrder(results) }) };
}

/** Nothing is opened with these: a factory that needs more than its ports' existence is told so. */
const noPorts: DriverPorts = {
  processes: {
    spawn: () => Promise.reject(new MooringError("too-early", "A driver starts nothing before it is asked to.")),
    list: () => [],
  },
  clock: systemClock,
  ids: systemIds,
  log: silentLog,
  dataDir: "/nonexistent",
};

/** Null: it counts. */
function notCounting(
  requirement: Requirement,
  adapter: ContractAdapter,
  capabilities: DriverCapabilities,
): string | null {
  const isChild = adapter.isChild === true || adapter.wire !== undefined;
  if (requirement.child === true && !isChild) return "no process";
  if (requirement.wire === true && adapter.wire === undefined) return isChild ? "no lines on stdio" : "no process";
  const { when } = requirement;
  if (when !== undefined && !counts(requirement, capabilities)) return `not claimed: ${when.capability}`;
  const [missing] = lacking(requirement, adapter);
  return missing === undefined ? null : `not played: ${missing}`;
}

async function kept(adapter: ContractAdapter, id: RequirementId): Promise<string> {
  const findings = await play(adapter, id);
  if (findings.length > 0) throw new ContractBroken(findings);
  return "kept";
}

async function stillBroken(adapter: ContractAdapter, exception: KnownException): Promise<string> {
  const findings = await play(adapter, exception.requirement);
  if (findings.length === 0) throw staleException(exception, "the driver keeps it now");
  return `broken: ${exception.reason}`;
}
function staleException({ requirement }: KnownException, why: string): MooringError {
  return new MooringError("stale-exception", `[${requirement}] is listed as a known exception; remove it: ${why}.`);
}

/** Plays one case to its end; what is broken by it, without what is known to be. */
async function play(adapter: ContractAdapter, id: RequirementId): Promise<readonly Finding[]> {
  const scene = await ContractScene.open(adapter, id);
  const failed: Finding[] = [];
  try {
    await checks[id](scene);
  } catch (cause) {
    failed.push(...findingsOf(id, cause));
  } finally {
    await scene.end();
  }
  const known = new Set(adapter.exceptions?.map(({ requirement }) => requirement).filter((other) => other !== id));
  return [...failed, ...scene.findings.filter(({ requirement }) => !known.has(requirement))];
}
const findingsOf = (requirement: RequirementId, cause: unknown): readonly Finding[] =>
  cause instanceof ContractBroken ? cause.findings : [{ requirement, text: `it failed with: ${messageOf(cause)}` }];

const inOrder = (results: ReadonlyMap<RequirementId, string>): Readonly<Record<string, string>> =>
  Object.fromEntries(requirementIds.flatMap((id) => (results.has(id) ? [[id, results.get(id) ?? ""]] : [])));
