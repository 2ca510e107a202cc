/** What an agent of this driver may set in `driverOptions`, checked before anything starts. */
import { isAbsolute } from "node:path";
import { MooringError } from "@mooring/host/driver";

export type DriverOptions = {
  /** A Claude Code configuration directory to use instead of a private one, for example with a login in it. */
  readonly configDir: string | null;
  /** Settings files Claude Code reads: of the user, of the project, local ones. None by default. */
  readonly settingSources: readonly string[];
  /** Tries of a failed model request; null: Claude Code's own ten. */
  readonly maxRetries: number | null;
  /** Built-in tools beyond the usual ones, by Claude Code's names. */
  readonly extraTools: readonly string[];
  /** After a session came to rest its next process is started ahead. False by default: it costs the memory of one. */
  readonly prewarm: boolean;
  /** Transcripts are copied to the data directory: sessions go on when `configDir` lost them. False by default. */
  readonly mirror: boolean;
};

const sources = ["user", "project", "local"];

/** Throws `invalid-option`. Options it does not know are left to others. */
export function driverOptions(options: Readonly<Record<string, unknown>>): DriverOptions {
  const {
    configDir = null,
    settingSources = [],
    maxRetries = null,
    extraTools = [],
    prewarm = false,
    mirror = false,
  } = options;
  if (configDir !== null && !(typeof configDir === "string" && isAbsolute(configDir)))
    throw invalid("configDir", "an absolute path");
  if (!isTexts(settingSources) || settingSources.some((source) => !sources.includes(source)))
    throw invalid("settingSources", `a list of ${sources.join(", ")}`);
  if (maxRetries !== null && !(Number.isInteger(maxRetries) && Number(maxRetries) >= 0))
    throw invalid("maxRetries", "a whole number from 0");
  if (!isTexts(extraTools)) throw invalid("extraTools", "a list of tool names");
  if (typeof prewarm !== "boolean") throw invalid("prewarm", "true or false");
  if (typeof mirror !== "boolean") throw invalid("mirror", "true or false");
  const tries = maxRetries === null ? null : Number(maxRetries);
  return { configDir, settingSources, maxRetries: tries, extraTools, prewarm, mirror };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const invalid = (name: string, needed: string): MooringError =>
  new MooringError("invalid-option", `driverOptions.${name} must be ${needed}.`);
