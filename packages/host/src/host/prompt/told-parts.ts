/** What the host itself says in a conversation: around a steer, and to go on after an interruption. */
import type { Part } from "../../protocol/input.ts";

/** Tells the agent that a person said this while it was working, so that it does not take it for the end of its task. */
export function wrapSteer(parts: readonly Part[]): readonly Part[] {
  const note = "The user sent this message while you were working. Take it into account and go on with the task.";
  return [{ type: "text", text: `<system-reminder>${note}</system-reminder>` }, ...parts];
}
export const continueInterrupted: readonly Part[] = [
  {
    type: "text",
    text: "Your last turn was interrupted before it ended, and what its running tool calls did is unknown. Check the present state first, then continue.",
  },
];
