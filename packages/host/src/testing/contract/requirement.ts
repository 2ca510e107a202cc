/** The shape of one requirement of the driver contract. */
import type { DriverCapabilities } from "../../ports/driver.ts";
import type { ScenarioName } from "./scenarios.ts";

/** The requirement counts only for drivers that claim one of the values; a list claims each value in it. */
export type Claim = {
  [K in keyof DriverCapabilities]-?: { readonly capability: K; readonly is: readonly DriverCapabilities[K][] | "any" };
}[keyof DriverCapabilities];

/** `must`: the host relies on it. `should`: a user notices. Both are checked; either may be a known exception. */
export type Level = "must" | "should";

export type Requirement = {
  /** The rule of the contract, in one or two sentences. */
  readonly rule: string;
  readonly level: Level;
  /** Absent: it counts for every driver. */
  readonly when?: Claim;
  /** What the agent must be able to do, beyond what every agent must be able to. */
  readonly needs?: readonly ScenarioName[];
  /** It is about an agent that is a child started by `connect`. */
  readonly child?: true;
  /** It is about the line between the driver and an agent that is a process of its own. */
  readonly wire?: true;
};

/** Gives the literal ids of a table their type, and each row its shape. */
export const requirementsOf = <Id extends string>(
  table: { readonly [K in Id]: Requirement },
): {
  readonly [K in Id]: Requirement;
} => table;
