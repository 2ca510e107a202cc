/** Turns, the events about them, and the parts of the messages they write. */
import { requirementsOf } from "../requirement.ts";

export const turnRequirements = requirementsOf({
  "turn/accepted": {
    rule: "`send` resolves when the agent has the prompt, not when it has answered.",
    level: "must",
  },
  "turn/one-terminal": {
    rule: "A turn ends with exactly one event: `turn-complete` or `error`.",
    level: "must",
  },
  "turn/silent-after-end": {
    rule: "After its terminal event nothing more is told of a turn.",
    level: "must",
  },
  "turn/ids": {
    rule: "Every event about a turn carries the turn's id: the one given to `send`, or one the driver made and announced.",
    level: "must",
  },
  "turn/answered": {
    rule: "`turn-complete` names the input that was answered, and each input once.",
    level: "must",
  },
  "turn/input-once": {
    rule: "An input reaches the agent once.",
    level: "must",
  },
  "turn/next": {
    rule: "A connection takes one turn after the other.",
    level: "must",
  },
  "turn/failure": {
    rule: "A turn that cannot be answered ends with `error`: a code, a message for people, and whether to retry.",
    level: "must",
    needs: ["failure"],
  },
  "turn/after-failure": {
    rule: "A failed turn leaves a connection that takes the next one, or ends it.",
    level: "must",
    needs: ["failure"],
  },
  "turn/retry-told": {
    rule: "When the agent tries a model request again by itself, `api-retry` says so before it waits.",
    level: "should",
    needs: ["retry"],
  },
  "turn/second-prompt": {
    rule: "A second prompt during a turn does what `secondPrompt` says, and no turn is left without its end.",
    level: "must",
  },
  "turn/idempotent": {
    rule: "An input sent again under its `agentKey` is not run again, and its turn ends.",
    level: "must",
    when: { capability: "idempotentInput", is: [true] },
  },
  "events/vocabulary": {
    rule: "Every event is one of the contract, with the fields it needs.",
    level: "must",
  },
  "events/not-lost": {
    rule: "Events are kept in order for a host that reads late, and those before the end are read before it.",
    level: "must",
  },
  "parts/text": {
    rule: "Text is told as one or more parts, each begun, continued and ended under its id; together they are what was said.",
    level: "must",
  },
  "parts/streamed": {
    rule: "Text is told while it comes, not when it is whole.",
    level: "should",
  },
  "parts/one-text": {
    rule: "A text that comes in pieces is one part, not a part for each piece.",
    level: "should",
  },
  "parts/reasoning": {
    rule: "Reasoning is told as reasoning parts, apart from the text.",
    level: "should",
    needs: ["reasoning"],
  },
  "parts/tool": {
    rule: "A tool call is told with its id, name and input before its output, and its output once.",
    level: "must",
    needs: ["tool"],
  },
  "parts/two-tools": {
    rule: "Two calls of one step are two parts, each with its own output.",
    level: "must",
    needs: ["twoTools"],
  },
  "parts/tool-failure": {
    rule: "A tool that failed is told as `tool-output-error`, never as an output.",
    level: "must",
    needs: ["failingTool"],
  },
  "parts/well-formed": {
    rule: "Chunks are of the AI SDK's vocabulary and fit the message so far: nothing continues what was not begun.",
    level: "must",
  },
  "parts/closed": {
    rule: "Before the terminal event every tool part has an outcome and, unless it was cut, every text has its end.",
    level: "must",
  },
  "parts/frame": {
    rule: "The frame of a message (`start`, `finish`, `abort`, `error`) is the host's; a driver tells what is inside.",
    level: "should",
  },
  "input/image": {
    rule: "An image of the prompt reaches the model.",
    level: "must",
    when: { capability: "images", is: [true] },
  },
  "input/file-bytes": {
    rule: "A file of a listed type reaches the model with its bytes.",
    level: "must",
    when: { capability: "fileTypes", is: "any" },
  },
  "input/file-path": {
    rule: "The agent reads a file of its home by its absolute path, where it claims to.",
    level: "must",
    when: { capability: "filePaths", is: [true] },
    needs: ["readFile"],
  },
  "usage/figures": {
    rule: "Usage is told per model request, during its turn, with the figures the model reported.",
    level: "should",
    needs: ["usage"],
  },
  "usage/own": {
    rule: "Usage is a difference: a second turn does not count the first again.",
    level: "must",
    needs: ["usage"],
  },
  "usage/named": {
    rule: "Every usage report has a request id of its own that begins with the driver's type.",
    level: "must",
    needs: ["usage"],
  },
});
