/** Inputs the host makes itself. Nobody waits for their receipt, and no client id or hash stands behind them. */
import type { Input, Part } from "../../protocol/input.ts";
import type { SessionRow } from "../../protocol/rows.ts";
import type { HostContext } from "../host-context.ts";
import { continueInterrupted } from "../prompt/told-parts.ts";

export function hostInput(
  { ids }: HostContext,
  parts: readonly Part[],
  origin: "hook" | "continue",
  headless: boolean,
): Input {
  const plain = { delivery: "queue", model: null, effort: null, branch: null, author: null } as const;
  return { id: ids.make("inp"), agentKey: ids.uuid(), parts, headless, origin, ...plain };
}
/** What an agent with `onInterrupted: continue` is told after a crash; null: a person decides. */
export const continuationOf = (context: HostContext, row: SessionRow): Input | null =>
  context.agents.byId(row.agentId)?.onInterrupted === "continue"
    ? hostInput(context, continueInterrupted, "continue", false)
    : null;
