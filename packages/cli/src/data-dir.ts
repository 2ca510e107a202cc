/** Where Mooring keeps its data, and where `run` works: rules over the environment, pure. */
import { join, resolve } from "node:path";
import { UsageError } from "./usage-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** `MOORING_HOME`, else `mooring` in the XDG data directory. Absolute. Throws a `UsageError` when nothing says where. */
export function dataDirOf(env: Environment, cwd: string): string {
  const { MOORING_HOME: own, XDG_DATA_HOME: data, HOME: home } = env;
  if (own) return resolve(cwd, own);
  // The XDG specification has a relative path ignored.
  if (data?.startsWith("/")) return join(data, "mooring");
  if (home) return join(home, ".local", "share", "mooring");
  throw new UsageError("There is no place for the data: neither MOORING_HOME nor HOME is set.", "Set MOORING_HOME.");
}

/** Where the person is: npm starts scripts in the package's directory and says where it was called. */
export function callerDirectory(env: Environment, cwd: string): string {
  return env["npm_lifecycle_event"] && env["INIT_CWD"] ? env["INIT_CWD"] : cwd;
}
