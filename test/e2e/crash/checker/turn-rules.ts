/** Nothing is left open: no turn, message, tool part or approval, but of a turn that waits for a person. */
import { found, type Rule, waitingTurns } from "./evidence.ts";

const finalStates: readonly unknown[] = ["output-available", "output-error", "output-denied"];

const turnsOver: Rule = ({ stored }) => {
  const waiting = waitingTurns(stored);
  const open = stored.turns.filter(({ id, status }) => (status === "open" || status === "waiting") && !waiting.has(id));
  return found(
    "no turn is open",
    open.map(({ id, status }) => `${id} is ${status}`),
  );
};

const messagesOver: Rule = ({ stored }) => {
  const waiting = waitingTurns(stored);
  const open = stored.messages.filter(({ status, turnId }) => status === "open" && !waiting.has(turnId ?? ""));
  const missing = [...waiting].filter(
    (turn) => stored.messages.filter((m) => m.turnId === turn && m.status === "open").length !== 1,
  );
  return [
    ...found(
      "no message is open",
      open.map(({ id }) => id),
    ),
    ...found("a turn that waits has one open message", missing),
  ];
};

const partsOver: Rule = ({ stored }) => {
  const live = stored.messages
    .filter(({ status }) => status !== "open")
    .flatMap(({ id, parts }) => parts.filter(isUnfinished).map((part) => `${id}: ${part["type"]} is ${part["state"]}`));
  return found("every part of a closed message is finished", live);
};
function isUnfinished(part: Readonly<Record<string, unknown>>): boolean {
  if ("toolCallId" in part) return !finalStates.includes(part["state"]) || part["preliminary"] === true;
  return part["state"] === "streaming";
}

const approvalsOver: Rule = ({ stored }) => {
  const waiting = waitingTurns(stored);
  const open = stored.approvals.filter(({ how, turnId }) => how === null && !waiting.has(turnId ?? ""));
  return found(
    "no approval is open",
    open.map(({ id }) => id),
  );
};

const childrenOver: Rule = ({ stored }) => found("no child is recorded as running", stored.pids.map(String));

export const turnRules: readonly Rule[] = [turnsOver, messagesOver, partsOver, approvalsOver, childrenOver];
