/** Where the runtime keeps what is the person's and not one program's: keys, models, settings. */
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** `MOORING_AGENT_DIR`, else `agent` in the XDG configuration directory. Absolute. */
export function getAgentDir(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const named = env["MOORING_AGENT_DIR"];
  if (named !== undefined && named !== "") return resolve(named);
  const xdg = env["XDG_CONFIG_HOME"];
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), ".config"), "mooring", "agent");
}
