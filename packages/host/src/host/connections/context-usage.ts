/**
 * How full a session's context is: what its open connection says, else what was told last. Asking opens no connection.
 * What was told before a compaction is no answer: the context is another one since.
 */
import type { ContextUsage } from "../../ports/driver.ts";
import type { Store } from "../../ports/store.ts";
import type { SessionNo } from "../../protocol/ids.ts";
import type { HostContext } from "../host-context.ts";
import type { LoadedSession } from "../sessions/loaded-session.ts";
import { within } from "./deadline.ts";

/** Events looked through for the newest report, in pages; what is older is not known any more. */
const pageEvents = 500;
const pages = 4;

/** Null when it is not known. */
export async function contextUsage(
  { store, clock, log, limits }: HostContext,
  no: SessionNo,
  loaded: LoadedSession | undefined,
): Promise<ContextUsage | null> {
  const patience = { clock, log, ms: limits.contextMs, what: "context-usage", otherwise: null };
  const said = loaded ? await within<unknown>(patience, () => loaded.contextUsage()) : null;
  return isUsage(said) ? said : lastTold(store, no);
}

async function lastTold(store: Store, no: SessionNo): Promise<ContextUsage | null> {
  const { horizon, last } = await store.bounds(no);
  for (let page = 1; page <= pages && last - (page - 1) * pageEvents > horizon; page++) {
    const events = await store.events(no, Math.max(horizon, last - page * pageEvents), pageEvents);
    for (const { event } of events.toReversed()) {
      if (event.type === "compaction" && event.state === "completed") return null;
      if (event.type === "context" && isUsage(event.usage)) return event.usage;
    }
  }
  return null;
}
const isUsage = (value: unknown): value is ContextUsage =>
  typeof value === "object" &&
  value !== null &&
  "used" in value &&
  "window" in value &&
  typeof value.used === "number" &&
  typeof value.window === "number";
