/** One or more prompts without anybody to ask: what the agent said last, or everything as it happens, one JSON a line. */
import { MooringError } from "../../index.ts";
import type { AgentSessionRuntime } from "../replacement/agent-session-runtime.ts";
import type { AssistantMessage } from "../session/agent-message.ts";

export type PrintModeOptions = {
  /** `text`: the last answer. `json`: a header, then every event of the session, one object a line. */
  readonly mode: "text" | "json";
  readonly prompts: readonly string[];
  /** Text with its line feed. */
  readonly output: (text: string) => void;
};

/** Prompts one after the other, then disposes of the runtime. Rejects with `agent-failed` when the last one did. */
export async function runPrintMode(
  runtime: AgentSessionRuntime,
  { mode, prompts, output }: PrintModeOptions,
): Promise<void> {
  const isJson = mode === "json";
  let last: AssistantMessage | null = null;
  const bind = async (): Promise<void> => {
    const { session } = runtime;
    session.subscribe((event) => {
      if (event.type === "message_end" && event.message.role === "assistant") last = event.message;
    });
    if (isJson) {
      output(`${JSON.stringify({ type: "session", version: 3, id: session.sessionId, cwd: session.cwd })}\n`);
      session.subscribe((event) => output(`${JSON.stringify(event)}\n`));
    }
    await session.bindExtensions({ mode: isJson ? "json" : "print" });
  };
  runtime.setRebindSession(bind);
  try {
    await bind();
    for (const prompt of prompts) await runtime.session.prompt(prompt);
    const text = textOf(last);
    if (!isJson && text !== null) output(`${text}\n`);
  } finally {
    await runtime.dispose();
  }
}
/** Null: nothing was said. Throws `agent-failed`. */
function textOf(last: AssistantMessage | null): string | null {
  if (last === null) return null;
  const { stopReason, errorMessage, content } = last;
  if (stopReason === "error" || stopReason === "aborted")
    throw new MooringError("agent-failed", errorMessage ?? `The agent's last answer ended: ${stopReason}.`);
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}
