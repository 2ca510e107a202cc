/** Follows a session on this terminal until its run is over, and says what is left to do. */
import type { SessionId } from "@mooring/host";
import type { CommandHost } from "../command-host.ts";
import type { Terminal } from "../terminal.ts";
import type { Departure } from "./departure.ts";
import { Follower } from "./follower.ts";
import { outputFor } from "./output.ts";
import { type RunState, waitsForPerson } from "./run-state.ts";

export type FollowRequest = {
  readonly host: CommandHost;
  readonly sessionId: SessionId;
  readonly terminal: Terminal;
  readonly departure: Departure;
  readonly json: boolean;
};

/** `begin` sets off what is followed; it rejects if that fails, and nothing is followed then. */
export async function followSession(
  { host, sessionId, terminal, departure, json }: FollowRequest,
  begin: (follower: Follower) => Promise<void>,
): Promise<RunState> {
  const snapshot = await host.snapshot(sessionId);
  const output = outputFor(terminal, { json, sessionId, snapshot });
  const { isInteractive } = terminal;
  const follower = new Follower({ host, sessionId, snapshot, output, isInteractive });
  departure.follow({ follower, output });
  if (departure.left !== null) return follower.state;
  const unlisten = isInteractive
    ? terminal.listen({ line: (text) => void follower.line(text), end: () => follower.linesEnded() })
    : () => {};
  try {
    await begin(follower);
    const state = await follower.run();
    if (waitsForPerson(state)) output.say((look) => look.yellow(waitingText(state, terminal)));
    return state;
  } finally {
    unlisten();
  }
}

/** What a person does about questions nobody here can answer. */
function waitingText({ questions }: RunState, { command }: Terminal): string {
  const lines = [...questions.values()].map(({ id }) => `  ${command} approvals allow ${id}   (or deny)`);
  return ["The turn waits for an answer:", ...lines].join("\n");
}
