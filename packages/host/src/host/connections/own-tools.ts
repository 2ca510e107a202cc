/** The program's own tools of one session, as of now. Invariant: a driver that does not take them is given none. */
import type { OwnTool, ToolInfo } from "../../ports/driver.ts";
import type { SessionRow } from "../../protocol/rows.ts";
import type { HostContext } from "../host-context.ts";
import { driverOf } from "./session-config.ts";

export function ownToolsOf(
  context: Pick<HostContext, "drivers" | "hooks">,
  { id, driver }: Pick<SessionRow, "id" | "driver">,
): readonly OwnTool[] {
  if (driverOf(context, driver).capabilities.ownTools !== true) return [];
  return context.hooks.ownTools?.({ sessionId: id }) ?? [];
}
export const toolInfo = ({ name, description, category }: ToolInfo): ToolInfo => ({ name, description, category });
