/** Options that several commands share, and how their values are checked. */
import type { PermissionMode } from "@mooring/host";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "../command.ts";

/** Hands over the command that was recognised. */
export type Take = (command: Command) => void;

// Not imported from the host: that would load all of it to print a help text.
const modes = ["plan", "default", "acceptEdits", "bypassPermissions"] as const satisfies readonly PermissionMode[];

export const jsonOption = (what: string): Option => new Option("--json", what);

export const modeOption = (): Option =>
  new Option("--mode <mode>", "permission mode: what may happen without asking").choices(modes);

export function positiveInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("It is a whole number above 0.");
}

/** The options that were given: commander leaves absent ones out, or undefined. */
export function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
