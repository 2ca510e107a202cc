/** Context and compaction, work the agent does by itself, copies of a conversation, and the end of a connection. */
import { requirementsOf } from "../requirement.ts";

const compacts = { capability: "compaction", is: [true] } as const;

export const livingRequirements = requirementsOf({
  "context/usage": {
    rule: "The use of the context is a number within the window after a turn; before the first it may be unknown.",
    level: "must",
    when: { capability: "contextUsage", is: [true] },
  },
  "compaction/asked": {
    rule: "`compact` is told by one start and one end, and the conversation goes on.",
    level: "must",
    when: compacts,
    needs: ["compactable"],
  },
  "compaction/paired": {
    rule: "A compaction that was told to start is told to end before the next one starts.",
    level: "must",
    when: compacts,
    needs: ["compactable"],
  },
  "compaction/nothing": {
    rule: "With nothing to compact, `compact` is rejected or ends without an entry, and leaves nothing open.",
    level: "must",
    when: compacts,
  },
  "compaction/hook": {
    rule: "The hook before a compaction is asked, and `cancel` prevents it.",
    level: "must",
    when: { capability: "hooks", is: [["before-compaction"]] },
    needs: ["compactable"],
  },
  "autonomous/announced": {
    rule: "What the agent begins by itself is a turn under an id the driver made, announced before anything of it.",
    level: "must",
    when: { capability: "autonomousTurns", is: [true] },
    needs: ["autonomous"],
  },
  "autonomous/ends": {
    rule: "A turn the agent began ends like any other: once, and the connection takes the next prompt.",
    level: "must",
    when: { capability: "autonomousTurns", is: [true] },
    needs: ["autonomous"],
  },
  "background/told": {
    rule: "Work that outlives its turn is told as active before the turn ends, and as over when it is.",
    level: "must",
    needs: ["background"],
  },
  "background/drained": {
    rule: "Nothing of background work is told after it was told to be over.",
    level: "must",
    needs: ["background"],
  },
  "flow/rooted": {
    rule: "What a sub-agent says is told as chunks of its own message, under a tool call that was shown.",
    level: "must",
    needs: ["flow"],
  },
  "flow/ended": {
    rule: "A sub-agent's message ends: by its last chunk, or with the background work it belongs to.",
    level: "must",
    needs: ["flow"],
  },
  "fork/branches": {
    rule: "A fork goes on from its anchor under a token of its own, and neither branch sees the other's news.",
    level: "must",
    when: { capability: "fork", is: [true] },
  },
  "rewind/earlier": {
    rule: "A connection opened at an earlier place knows nothing of what came after it.",
    level: "must",
    when: { capability: "rewind", is: [true] },
  },
  "close/ends-events": {
    rule: "`close` ends the events.",
    level: "must",
  },
  "close/idempotent": {
    rule: "`close` may be called again: it resolves, and returns nothing new.",
    level: "must",
  },
  "close/during-turn": {
    rule: "`close` during a turn resolves, and nothing of the turn goes on.",
    level: "must",
  },
  "close/leaves-nothing": {
    rule: "After `close` no process of the session is left.",
    level: "must",
  },
  "close/refuses": {
    rule: "A closed connection rejects what is asked of it: it hangs nothing and pretends nothing.",
    level: "must",
  },
});
