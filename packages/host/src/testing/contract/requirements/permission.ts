/** What the host and a person decide about tool calls, and what a live connection makes of a changed agent. */
import { requirementsOf } from "../requirement.ts";

export const permissionRequirements = requirementsOf({
  "approval/policy": {
    rule: "The host's policy is asked about every tool call, under the call's id, before it runs.",
    level: "must",
    needs: ["tool"],
  },
  "approval/policy-denies": {
    rule: "A call the policy denies does not run: its part fails or is denied, and the turn goes on.",
    level: "must",
    needs: ["tool"],
  },
  "approval/fails-closed": {
    rule: "A policy that fails is a denial.",
    level: "must",
    needs: ["tool"],
  },
  "approval/asked": {
    rule: "When the policy says `ask`, a `tool-approval-request` names the call, and the call waits.",
    level: "must",
    needs: ["tool"],
  },
  "approval/allowed": {
    rule: "An allowed call runs once, and its turn goes on.",
    level: "must",
    needs: ["tool"],
  },
  "approval/edited": {
    rule: "A call allowed with another input runs with that input.",
    level: "should",
    needs: ["tool"],
  },
  "approval/denied": {
    rule: "A denied call does not run: its part ends, and the agent goes on with the refusal.",
    level: "must",
    needs: ["tool"],
  },
  "approval/two": {
    rule: "Two questions of one step have two ids; each call runs by its own answer, in whatever order they come.",
    level: "must",
    needs: ["twoTools"],
  },
  "approval/withdrawn": {
    rule: "A question that is open when its turn ends is withdrawn, under its id.",
    level: "must",
    needs: ["tool"],
  },
  "approval/unknown": {
    rule: "An answer to a question that is not open is rejected, and decides nothing.",
    level: "must",
    needs: ["tool"],
  },
  "approval/durable-allowed": {
    rule: "A durable question is asked again under its id by the next connection; allowed, the call runs once in its turn.",
    level: "must",
    when: { capability: "durableApproval", is: [true] },
    needs: ["tool"],
  },
  "approval/durable-denied": {
    rule: "A durable question that is denied after a reconnect ends its call without a run, and its turn goes on.",
    level: "must",
    when: { capability: "durableApproval", is: [true] },
    needs: ["tool"],
  },
  "tools/own": {
    rule: "A tool of the program's own is decided by the policy: allowed, it runs once with its input and the model is told its result; denied, it does not run.",
    level: "must",
    when: { capability: "ownTools", is: [true] },
    needs: ["ownTool"],
  },
  "tools/own-ends": {
    rule: "A result of the program's tool that ends the turn completes it: the model is not asked again.",
    level: "must",
    when: { capability: "ownTools", is: [true] },
    needs: ["ownTool"],
  },
  "reconcile/current": {
    rule: "A target like the one the connection opened with is `current`.",
    level: "must",
  },
  "reconcile/model": {
    rule: "Another model is patched, and used by the next turn, where `liveModel` is claimed; elsewhere it is a rebuild.",
    level: "must",
    needs: ["otherModel"],
  },
  "reconcile/mode": {
    rule: "Another permission mode is patched where `liveMode` is claimed; elsewhere it is a rebuild.",
    level: "must",
  },
  "reconcile/prompt": {
    rule: "A changed prompt is patched, and then reaches the model, or is a rebuild: never `current`.",
    level: "must",
  },
  "reconcile/invalid": {
    rule: "A target that cannot be served is `invalid` or `failed`, and the connection stays as it was.",
    level: "must",
    needs: ["invalidTarget"],
  },
  "reconcile/disabled-tool": {
    rule: "A tool disabled during a turn binds its next call, or the verdict is a rebuild.",
    level: "must",
    needs: ["heldThenTool"],
  },
  "reconcile/during-turn": {
    rule: "`reconcile` answers during a turn, and the turn goes on.",
    level: "must",
  },
});
