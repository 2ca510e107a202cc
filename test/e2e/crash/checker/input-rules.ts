/** No acknowledged input is lost, doubled, or left in the hands of an agent that is gone. */
import { found, type Rule, repeated, said, waitingTurns } from "./evidence.ts";

const waits: readonly string[] = ["queued", "held"];
const ended: readonly string[] = ["answered", "unanswered", "cancelled"];
const withAgent: readonly string[] = ["offered", "taken", "started"];
const outcomes: Readonly<Record<string, string>> = { completed: "answered" };

const kept: Rule = ({ stored, lines }) => {
  const known = new Set(stored.inputs.map(({ id }) => id));
  const lost = said(lines, "ack").filter(({ inputId }) => !known.has(inputId));
  return found(
    "an acknowledged input is stored",
    lost.map(({ inputId }) => inputId),
  );
};

const visible: Rule = ({ stored }) => {
  const open = waitingTurns(stored);
  const stuck = stored.inputs.filter(({ state, turnId }) => {
    if (withAgent.includes(state)) return turnId === null || !open.has(turnId);
    return !waits.includes(state) && !ended.includes(state);
  });
  return found(
    "an input has ended, waits, or belongs to a turn that waits",
    stuck.map(({ id, state }) => `${id} is ${state}`),
  );
};

/** What an input ended with is what its turn ended with. */
const agreeing: Rule = ({ stored }) => {
  const status = new Map(stored.turns.map((turn) => [turn.id, turn.status]));
  const wrong = stored.inputs.filter(({ state, reason, turnId }) => {
    if (state !== "answered" && state !== "unanswered") return false;
    const outcome = (turnId !== null && status.get(turnId)) || "no turn";
    return state === "answered" ? outcomes[outcome] !== "answered" : outcome !== reason;
  });
  return found(
    "an input ends as its turn did",
    wrong.map(({ id, state, turnId }) => `${id} is ${state}, its turn ${status.get(turnId ?? "") ?? "unknown"}`),
  );
};

const saidOnce: Rule = ({ stored }) => {
  const messages = stored.messages.filter(({ role }) => role === "user");
  const byId = new Map(messages.map((message) => [message.id, message]));
  const twice = repeated(messages.flatMap(({ inputId }) => inputId ?? []));
  const missing = stored.inputs.filter(({ id, state, messageId }) => {
    if (state === "answered" || state === "started" || state === "taken")
      return byId.get(messageId ?? "")?.inputId !== id;
    return messageId !== null && !byId.has(messageId);
  });
  return [
    ...found("an input has one user message", twice),
    ...found(
      "an input that reached the agent has its user message",
      missing.map(({ id }) => id),
    ),
  ];
};

export const inputRules: readonly Rule[] = [kept, visible, agreeing, saidOnce];
