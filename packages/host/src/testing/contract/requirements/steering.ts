/** Steers with their five ends, and stops in every phase. */
import { requirementsOf } from "../requirement.ts";

const steers = { capability: "steer", is: ["native", "hook", "folds"] } as const;

export const steeringRequirements = requirementsOf({
  "steer/none": {
    rule: "A driver that cannot steer has no `redirect`, or refuses every steer.",
    level: "must",
    when: { capability: "steer", is: ["none"] },
  },
  "steer/taken": {
    rule: "A steer that the agent took is named by a `steer-boundary` of its turn before what the agent says next.",
    level: "must",
    when: steers,
    needs: ["heldTool"],
  },
  "steer/order": {
    rule: "Steers are taken in the order they were offered.",
    level: "must",
    when: steers,
    needs: ["heldTool"],
  },
  "steer/one-at-a-time": {
    rule: "Where `steeringMode` says so, steers that wait are taken one by one: each by a boundary of its own, with an answer after it.",
    level: "must",
    when: { capability: "steeringModes", is: [true] },
    needs: ["heldTool"],
  },
  "steer/together": {
    rule: "Where `steeringMode` is `all`, steers that wait are taken by one boundary, in their order.",
    level: "must",
    when: { capability: "steeringModes", is: [true] },
    needs: ["heldTool"],
  },
  "steer/clean-boundary": {
    rule: "At a boundary no tool part is open, and the usage of the message that closes has been told.",
    level: "must",
    when: steers,
    needs: ["heldTool"],
  },
  "steer/one-end": {
    rule: "An offered steer has one end: boundary, undelivered, withdrawn, returned or adopted. No other steer has any.",
    level: "must",
    when: steers,
  },
  "steer/late": {
    rule: "A steer during the last words of a turn is refused, or ends with its turn, or starts its own where that is claimed.",
    level: "must",
    when: steers,
  },
  "steer/adopted": {
    rule: "A steer that becomes a turn of its own is announced as one that started, with its input, and that turn ends.",
    level: "must",
    when: { capability: "steerStartsOwnTurn", is: [true] },
  },
  "steer/undelivered": {
    rule: "A steer that a stopped turn did not take is told as undelivered, or returned by `close`.",
    level: "must",
    when: steers,
    needs: ["heldTool"],
  },
  "steer/returned": {
    rule: "`close` returns the steers that were offered and not taken, and the agent is not given them.",
    level: "must",
    when: steers,
    needs: ["heldTool"],
  },
  "steer/withdrawn": {
    rule: "A steer taken back before the agent took it never reaches the agent, and has no other end.",
    level: "must",
    when: steers,
    needs: ["heldTool"],
  },
  "steer/withdraw-too-late": {
    rule: "What the agent took, and what was never offered, cannot be taken back.",
    level: "must",
    when: steers,
    needs: ["heldTool"],
  },
  "steer/refused": {
    rule: "A steer for a turn that is over, or is not the running one, is refused.",
    level: "must",
    when: steers,
  },
  "stop/text": {
    rule: "A stop during text ends the turn as stopped.",
    level: "must",
  },
  "stop/silence": {
    rule: "A stop ends a turn whose agent says nothing.",
    level: "must",
  },
  "stop/tool": {
    rule: "A stop during a tool ends the turn as stopped and its part as failed.",
    level: "must",
    needs: ["heldTool"],
  },
  "stop/tool-ended": {
    rule: "A stop ends the tool that is at work.",
    level: "must",
    when: { capability: "interruptStopsTools", is: [true] },
    needs: ["heldTool"],
  },
  "stop/approval": {
    rule: "A stop wins over the wait for a person, and the call does not run.",
    level: "must",
    needs: ["tool"],
  },
  "stop/policy": {
    rule: "A stop wins over the wait for the host's policy.",
    level: "must",
    needs: ["tool"],
  },
  "stop/retry": {
    rule: "A stop wins over the wait for another try.",
    level: "must",
    needs: ["longRetry"],
  },
  "stop/ends-nothing": {
    rule: "The answer of `abortTurn` ends nothing: the terminal event does, and says `stopped`.",
    level: "must",
  },
  "stop/settled": {
    rule: "A stop for a turn that is over answers `already-settled` and tells nothing.",
    level: "must",
  },
  "stop/other-turn": {
    rule: "A late stop of one turn does not hit the next.",
    level: "must",
  },
  "stop/twice": {
    rule: "Two stops of a turn end it once.",
    level: "must",
  },
  "stop/next": {
    rule: "After a stop the connection takes the next turn, and the stopped one does not go on in it.",
    level: "must",
  },
});
