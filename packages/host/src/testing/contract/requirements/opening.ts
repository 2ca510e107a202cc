/** Before, at and around the opening of a connection: what is asked of a session, what is claimed, what is left behind. */
import { requirementsOf } from "../requirement.ts";

export const openingRequirements = requirementsOf({
  "capabilities/tested": {
    rule: "Every capability a driver claims is tested: its adapter plays the scenarios the claim needs.",
    level: "must",
  },
  "capabilities/offered": {
    rule: "A driver and its connections have the methods their capabilities speak of, and `fork` and `compact` only then.",
    level: "must",
  },
  "capabilities/confirmed": {
    rule: "In the set-up it is tested in, a connection confirms what its driver claims.",
    level: "must",
  },
  "session/validate-pure": {
    rule: "`validateSession` leaves nothing behind: no process, no file, no connection.",
    level: "must",
  },
  "session/validate-refuses": {
    rule: "`validateSession` rejects a session that cannot be served, with a `MooringError` that says what to do.",
    level: "must",
    needs: ["unservable"],
  },
  "session/tools": {
    rule: "`listAvailableTools` names, once each, every tool the agent calls by itself, with its category.",
    level: "must",
    needs: ["tool"],
  },
  "connect/opens": {
    rule: "`connect` resolves with a connection that takes a prompt at once.",
    level: "must",
  },
  "connect/prompt": {
    rule: "What the host adds to the prompt (`prompt.append`) reaches the model with the first request.",
    level: "should",
  },
  "connect/workspace-text": {
    rule: "An agent that reads AGENTS.md of its workspace itself, as claimed, has it in its first request.",
    level: "must",
    when: { capability: "workspaceText", is: [true] },
  },
  "connect/modes": {
    rule: "A connection opens, and answers, in every permission mode the driver lists.",
    level: "must",
  },
  "connect/history": {
    rule: "A driver without a history of its own gives the model the stored branch, as it is when the turn starts.",
    level: "must",
    when: { capability: "history", is: ["host"] },
  },
  "connect/token": {
    rule: "A native conversation is named by a resume token that is told by the end of its first turn, and is no path.",
    level: "must",
    when: { capability: "resume", is: ["load", "resume"] },
  },
  "connect/resumes": {
    rule: "Opened with its token, a conversation goes on: the model knows what was said before.",
    level: "must",
    when: { capability: "resume", is: ["load", "resume"] },
  },
  "connect/no-replay": {
    rule: "What an agent repeats of the conversation while it is resumed is not told as news.",
    level: "must",
    when: { capability: "resume", is: ["load", "resume"] },
  },
  "connect/resume-refused": {
    rule: "A token that leads nowhere is refused with `ResumeFailed`: never a fresh conversation in silence.",
    level: "must",
    when: { capability: "resume", is: ["load", "resume"] },
    needs: ["lostToken"],
  },
  "connect/two-sessions": {
    rule: "Two sessions are open at once and hear nothing of each other.",
    level: "must",
    when: { capability: "multiSession", is: [true] },
  },
  "child/killed": {
    rule: "When the agent's process is killed in a turn, the events end, the turn is not told as completed, and `close` resolves.",
    level: "must",
    child: true,
  },
  "child/killed-at-rest": {
    rule: "When it is killed between turns, the events end, and the next prompt is rejected.",
    level: "must",
    child: true,
  },
  "environment/given": {
    rule: "What the agent starts has the environment of `ConnectInput.env`.",
    level: "must",
    needs: ["environment"],
  },
  "environment/host-hidden": {
    rule: "Nothing of the host's own environment reaches the agent.",
    level: "must",
    needs: ["environment"],
  },
  "environment/children": {
    rule: "Every child is started through `ports.processes`, for its session, with no variable of the host's environment.",
    level: "must",
  },
  "environment/home": {
    rule: "The home directory of the host's user stays as it was: the agent's files are in the home it is given.",
    level: "must",
  },
  "environment/process": {
    rule: "A driver leaves the host's process alone: no listener on it, no variable, no working directory.",
    level: "should",
  },
  "doctor/ready": {
    rule: "`doctor` finds an agent that works, and nothing to fix.",
    level: "must",
  },
  "doctor/problem": {
    rule: "`doctor` says what is missing, and the command or step that fixes it.",
    level: "must",
    needs: ["unready"],
  },
  "doctor/pure": {
    rule: "`doctor` leaves no process behind and changes nothing in the workspace.",
    level: "must",
  },
});
