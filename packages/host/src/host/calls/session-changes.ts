/** Changes of a session from outside its turns: its title, its mode, its removal and the way back. */
import type { Write } from "../../ports/store.ts";
import { MooringError } from "../../protocol/errors.ts";
import { type PermissionMode, permissionModes } from "../../protocol/permission.ts";
import type { AgentRow, SessionRow } from "../../protocol/rows.ts";
import type { HostContext } from "../host-context.ts";
import { stricter } from "../permission/decide.ts";
import type { LoadedSession } from "../sessions/loaded-session.ts";
import type { Found, Sessions } from "../sessions/sessions.ts";
import { checkTitle } from "./title.ts";

export type SessionPatch = { readonly title?: string; readonly permissionMode?: PermissionMode | null };
type Change = Partial<Pick<SessionRow, "title" | "permissionMode" | "removedAt">>;

/** Stored and told before the next tool call is judged by it. */
export async function updateSession(
  context: HostContext,
  sessions: Sessions,
  id: string,
  patch: SessionPatch,
): Promise<Found> {
  checkTitle(patch.title);
  const mode = patch.permissionMode;
  if (mode !== undefined && mode !== null && !permissionModes.includes(mode))
    throw new MooringError("bad-session", `A permission mode is one of ${permissionModes.join(", ")}.`, {
      detail: { field: "permissionMode" },
    });
  const { no } = await sessions.find(id);
  const session = await sessions.use(no);
  const before = session.config.mode;
  await write(context, session, patch);
  const now = session.config.mode;
  if (now !== before) session.retarget(isTighter(before, now));
  return { row: session.config.row, no };
}
/** A move down binds the next tool call, a move up the next turn. */
const isTighter = (before: PermissionMode, now: PermissionMode): boolean =>
  before !== now && stricter(before, now) === now;
/** Whether a changed agent binds what runs already. */
export const agentTightens = (before: AgentRow, after: AgentRow): boolean =>
  isTighter(before.permissionMode, after.permissionMode) ||
  after.disabledTools.some((tool) => !before.disabledTools.includes(tool));

/** Hides it; a running turn is stopped and an idle connection closed. */
export async function removeSession(context: HostContext, sessions: Sessions, id: string): Promise<void> {
  const { no } = await sessions.find(id);
  const session = await sessions.use(no);
  await write(context, session, { removedAt: context.clock.now() });
  const { phase, parked } = session.state;
  const turns = [parked, "turn" in phase ? phase.turn : null].flatMap((turn) => (turn ? [turn.no] : []));
  for (const turn of turns) await session.ask((to) => ({ type: "stop", to, turn }));
  await session.ask((to) => ({ type: "close", to }));
}
export async function restoreSession(context: HostContext, sessions: Sessions, id: string): Promise<Found> {
  const { no } = await sessions.find(id, "included");
  const session = await sessions.use(no);
  await write(context, session, { removedAt: null });
  return { row: session.config.row, no };
}
async function write({ clock }: HostContext, session: LoadedSession, change: Change): Promise<void> {
  const at = clock.now();
  const writes: readonly Write[] = [
    { write: "session", set: { ...change, updatedAt: at } },
    { write: "event", event: { type: "session.changed", sessionId: session.id, change }, at },
  ];
  await session.change(writes, { ...change, updatedAt: at });
}
