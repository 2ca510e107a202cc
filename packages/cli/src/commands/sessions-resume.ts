/** `mooring sessions resume`: how to go on when the agent's own session is lost. What was held for it starts, and is followed. */
import type { InputRow } from "@mooring/host";
import type { ResumeCommand } from "../command.ts";
import { exitCodeOf } from "../exit-codes.ts";
import { withDeparture } from "../follow/departure.ts";
import { followSession } from "../follow/follow-session.ts";
import { type Context, turnsRequest } from "./host-request.ts";

/** Its message is in the conversation already: a lost session gave it back. */
const isGivenBack = ({ state, reason, messageId }: InputRow): boolean =>
  state === "held" && reason === "failed" && messageId !== null;

/** Resolves to the exit status. */
export function resumeSession({ kind, session, choice, json }: ResumeCommand, context: Context): Promise<number> {
  const { terminal } = context;
  return withDeparture(context, turnsRequest(context, kind), async ({ host }, departure) => {
    const { id: sessionId } = await host.get(session);
    const held = (await host.inputs(sessionId).list()).filter(isGivenBack);
    const state = await followSession({ host, sessionId, terminal, departure, json }, (follower) =>
      follower.free(
        () => host.resume(sessionId, choice),
        held.map(({ id }) => id),
      ),
    );
    return exitCodeOf(state.outcome);
  });
}
