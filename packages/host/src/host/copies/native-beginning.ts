/**
 * Where the agent's own history goes on for a branch of a session: in a fork of it at the same place, or nowhere, and the
 * agent is told the transcript because that was asked for.
 */
import type { AgentSessionRuntimeDriver } from "../../ports/driver.ts";
import { MooringError, messageOf } from "../../protocol/errors.ts";
import type { MessageRow, SessionRow } from "../../protocol/rows.ts";
import type { Fork } from "../api.ts";
import { makeHome } from "../connections/agent-home.ts";
import { atMost } from "../connections/deadline.ts";
import { driverOf, SessionConfig } from "../connections/session-config.ts";
import type { HostContext } from "../host-context.ts";
import { redact } from "../redact.ts";
import { type NativePlace, nativePlace } from "./native-place.ts";

type Beginning = {
  readonly token: string | null;
  readonly native: boolean;
  /** The agent is told what was said. */
  readonly told: boolean;
};

export async function nativeBeginning(
  context: HostContext,
  row: SessionRow,
  branch: readonly MessageRow[],
  seed?: Fork["seed"],
): Promise<Beginning> {
  const driver = driverOf(context, row.driver);
  if (driver.capabilities.history === "host" || branch.length === 0) return { token: null, native: false, told: false };
  if (seed === "transcript") return { token: null, native: false, told: true };
  const place = nativePlace(branch, row.resumeToken);
  if (driver.fork === undefined || !driver.capabilities.fork || place === null) throw forkUnsupported(driver);
  return { token: await forkNative(context, driver, row, place), native: true, told: false };
}
export const forkUnsupported = ({ capabilities, fork }: AgentSessionRuntimeDriver): MooringError => {
  const why =
    capabilities.fork && fork !== undefined
      ? "The agent has no place in its own history where this branch ends. Fork at the end of another turn"
      : "This agent cannot fork its own history. Use a session of another agent";
  return new MooringError(
    "rewind-unsupported",
    `${why}, or ask for the seed "transcript": then a new native session is told what was said.`,
  );
};
async function forkNative(
  context: HostContext,
  { fork }: AgentSessionRuntimeDriver,
  row: SessionRow,
  place: NativePlace,
): Promise<string> {
  const config = new SessionConfig(context, row);
  const session = config.facts();
  const home = await makeHome(context.dataDir, row.agentId);
  const { clock, limits } = context;
  const late = () => new MooringError("fork-late", "The agent did not fork its history in time.", { retry: "later" });
  try {
    const forked = await atMost({ clock, ms: limits.forkMs, late }, async () => fork?.({ session, ...place, home }));
    if (typeof forked?.token === "string") return forked.token;
    throw new MooringError("fork-failed", "The agent forked its history and named no session.");
  } catch (cause) {
    if (MooringError.isInstance(cause)) throw cause;
    const why = redact(messageOf(cause), config.secrets());
    throw new MooringError("fork-failed", `The agent could not fork its history: ${why}`, { cause });
  }
}
