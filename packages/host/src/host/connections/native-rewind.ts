/**
 * A turn that begins from an earlier place, for an agent that keeps its history itself: its conversation is forked there,
 * and the session goes on in the fork. Invariants: a turn forks once, unless the fork never began; what was taken back
 * stays in the conversation it was in.
 */
import type { MessageId, SessionNo, TurnId } from "../../protocol/ids.ts";
import type { Branch, Input } from "../../protocol/input.ts";
import type { MessageRow, SessionRow } from "../../protocol/rows.ts";
import { forkUnsupported, nativeBeginning } from "../copies/native-beginning.ts";
import { nativePlace } from "../copies/native-place.ts";
import { wholeBranch } from "../copies/whole-branch.ts";
import type { HostContext } from "../host-context.ts";
import { driverOf, type SessionConfig } from "./session-config.ts";

type Order = { readonly token: string | null; readonly waiting: unknown };
type Facts = { readonly context: HostContext; readonly session: SessionNo; readonly config: SessionConfig };

export class NativeRewind {
  /** `from`: the token it was to be taken back from; absent: nobody connected for it yet. */
  #pending: { readonly turn: TurnId; readonly branch: Branch; from?: string | null } | null = null;

  turnOpened(turn: TurnId, input: Input | null): void {
    if (input?.branch) this.#pending = { turn, branch: input.branch };
  }
  turnSettled(turn: TurnId): void {
    if (this.#pending?.turn === turn) this.#pending = null;
  }

  /** What the connection resumes. Rejects with `rewind-unsupported` or what the driver's fork says. */
  async token({ context, session, config }: Facts, { token, waiting }: Order): Promise<string | null> {
    const pending = this.#pending;
    if (pending === null || token === null || waiting !== null || !forksToRewind(context, config.row)) return token;
    if (pending.from !== undefined && pending.from !== token) return token; // it goes on in the fork
    pending.from = token;
    const branch = await branchTo(context, session, pending.branch);
    return (await nativeBeginning(context, config.row, branch)).token;
  }
}
/** Its own history goes back by a fork. */
export function forksToRewind(context: Pick<HostContext, "drivers">, { driver }: SessionRow): boolean {
  const { history, rewind } = driverOf(context, driver).capabilities;
  return history === "native" && !rewind;
}
/** Rejects with `rewind-unsupported` when the agent has no place in its own history where the branch ends. */
export async function checkNativePlace(context: HostContext, session: SessionNo, row: SessionRow, branch: Branch) {
  const before = await branchTo(context, session, branch);
  if (before.length > 0 && nativePlace(before, row.resumeToken) === null)
    throw forkUnsupported(driverOf(context, row.driver));
}

async function branchTo(
  { store }: Pick<HostContext, "store">,
  session: SessionNo,
  { messageId, position }: Branch,
): Promise<readonly MessageRow[]> {
  const leaf: MessageId | null =
    position === "at" ? messageId : ((await store.query.message(session, messageId))?.parentId ?? null);
  return wholeBranch(store, session, leaf);
}
