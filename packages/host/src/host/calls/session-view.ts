/** A session as people see it: from memory when it is loaded, else from the rows. Reading never loads it. */
import type { Store } from "../../ports/store.ts";
import type { SessionRow } from "../../protocol/rows.ts";
import { isBusy } from "../../session/look.ts";
import type { Session } from "../../session/state.ts";
import type { SessionView } from "../api.ts";
import type { HostContext } from "../host-context.ts";
import type { LoadedSession } from "../sessions/loaded-session.ts";
import type { Found } from "../sessions/sessions.ts";

type Life = Pick<SessionView, "state" | "turn">;

export async function viewOf(
  context: HostContext,
  { row, no }: Found,
  loaded: LoadedSession | undefined,
): Promise<SessionView> {
  const agentName = context.agents.byId(row.agentId)?.name ?? "";
  return { ...row, agentName, ...(loaded ? lifeOf(loaded) : await storedLife(context.store, row, no)) };
}
function lifeOf(session: LoadedSession): Life {
  const { state } = session;
  const turn = "turn" in state.phase && state.phase.kind !== "settling" ? state.phase.turn : null;
  const id = turn && session.turnId(turn.no);
  const status = state.phase.kind === "waiting" ? "waiting" : "open";
  return { state: stateOf(state), turn: id == null ? null : { id, status } };
}
function stateOf(s: Session): SessionView["state"] {
  if (s.phase.kind === "reloading" || s.phase.kind === "gone") return "unavailable";
  if (s.phase.kind === "waiting") return "waiting";
  if (isBusy(s)) return "busy";
  return s.queue.length > 0 ? "held" : "idle";
}
async function storedLife(store: Store, _row: SessionRow, no: number): Promise<Life> {
  const [newest] = await store.query.turns(no, { limit: 1 });
  if (newest?.status === "open") return { state: "busy", turn: { id: newest.id, status: "open" } };
  if (newest?.status === "waiting") return { state: "waiting", turn: { id: newest.id, status: "waiting" } };
  const held = (await store.query.inputs(no)).some((input) => input.state === "held");
  return { state: held ? "held" : "idle", turn: null };
}
