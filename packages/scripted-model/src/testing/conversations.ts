/**
 * Builders of conversations for tests, and a loop that lets the planner talk to made-up tools.
 * Invariant: the loop does what an agent does, nothing more: it appends answers and tool results.
 */
import type { Conversation, Message, OfferedTool, ToolCall } from "../conversation.ts";
import { type Plan, plan } from "../plan.ts";

export const user = (text: string): Message => ({ role: "user", text, files: [] });
export const said = (text: string): Message => ({ role: "assistant", text, calls: [] });

/** An assistant message that calls one tool. */
export const called = (name: string, id = name): Message => ({
  role: "assistant",
  text: "",
  calls: [{ id, name, input: "{}" }],
});

/** The result of the call with this id. */
export const result = (callId: string, text = "ok", failed = false): Message => ({
  role: "tool",
  results: [{ callId, text, failed }],
});

/** A tool whose arguments are strings. */
export const offer = (name: string, ...properties: readonly string[]): OfferedTool => ({
  name,
  properties: Object.fromEntries(properties.map((property) => [property, "string"])),
});

export const fileTools: readonly OfferedTool[] = [
  offer("ls", "path"),
  offer("read", "path"),
  offer("write", "path", "content"),
];

export const conversation = (messages: readonly Message[], tools: readonly OfferedTool[] = []): Conversation => ({
  system: "",
  messages,
  tools,
});

/** The text of a plan's answer. */
export const textIn = (planned: Plan): string =>
  planned.answer.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");

/** `name input` of the calls of a plan's answer. */
export const callsIn = (planned: Plan): string[] =>
  planned.answer.blocks.flatMap((block) => (block.type === "call" ? [`${block.name} ${block.input}`] : []));

function assistantOf(planned: Plan, at: number): Message {
  const calls = planned.answer.blocks.flatMap((block, nth): ToolCall[] =>
    block.type === "call" ? [{ id: `${at}.${nth}`, name: block.name, input: block.input }] : [],
  );
  return { role: "assistant", text: textIn(planned), calls };
}

/** Plays an agent's turn: plans, runs the calls with `run`, until a plan has no call. At most 20 responses. */
export function runTurn(
  start: Conversation,
  run: (call: ToolCall) => { readonly text: string; readonly failed?: boolean },
): { readonly plans: Plan[]; readonly messages: Message[] } {
  const messages = [...start.messages];
  const plans: Plan[] = [];
  while (plans.length < 20) {
    const planned = plan({ ...start, messages });
    const answer = assistantOf(planned, messages.length);
    plans.push(planned);
    messages.push(answer);
    if (answer.role !== "assistant" || answer.calls.length === 0) break;
    messages.push({
      role: "tool",
      results: answer.calls.map((call) => ({ callId: call.id, failed: false, ...run(call) })),
    });
  }
  return { plans, messages };
}
