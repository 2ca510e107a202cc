/**
 * What sub-agents say, each under the tool call of the main conversation that began it. Invariants: a sub-agent of a
 * sub-agent is told under the outermost call; a flow ends once, after its last chunk.
 */
import type { AgentRuntimeEvent } from "@mooring/host/driver";
import { blocksOf, type Frame, parentOf, textIn } from "./frames.ts";
import { MessageWriter, type Said } from "./message-writer.ts";

type Facts = { isDenied(toolCallId: string): boolean };
const lost = "The sub-agent ended before this call had a result.";

export class FlowWriter {
  readonly #flows = new Map<string, MessageWriter>();
  readonly #background = new Set<string>();
  /** Calls of sub-agents, by the outermost call above them. */
  readonly #roots = new Map<string, string>();

  take(frame: Frame, { isDenied }: Facts): AgentRuntimeEvent[] {
    const parent = parentOf(frame);
    if (parent === null) return [];
    const root = this.rootOf(parent);
    const writer = this.#flows.get(root) ?? new MessageWriter();
    this.#flows.set(root, writer);
    if (frame.type !== "assistant") return eventsOf(root, writer.results(frame, { isStopping: false, isDenied }));
    this.#note(frame, root);
    return eventsOf(root, writer.assistant(frame));
  }

  /** The call was sent to the background: its result is not its end. */
  background(root: string): void {
    this.#background.add(root);
  }
  isBackground(root: string): boolean {
    return this.#background.has(root);
  }

  /** Of a call of a sub-agent: the outermost call above it; of any other, the call itself. */
  rootOf(toolCallId: string): string {
    return this.#roots.get(toolCallId) ?? toolCallId;
  }
  isOfSubAgent(toolCallId: string): boolean {
    return this.#roots.has(toolCallId);
  }

  finish(root: string): AgentRuntimeEvent[] {
    this.#background.delete(root);
    const writer = this.#flows.get(root);
    if (writer === undefined) return [];
    this.#flows.delete(root);
    for (const [call, above] of this.#roots) if (above === root) this.#roots.delete(call);
    const end: AgentRuntimeEvent = { type: "background-flow-chunk", rootToolCallId: root, chunk: { type: "finish" } };
    return [...eventsOf(root, writer.end(lost)), end];
  }
  /** The turn ended: sub-agents that are not in the background ended with it. */
  finishForeground(): AgentRuntimeEvent[] {
    return [...this.#flows.keys()].flatMap((root) => (this.isBackground(root) ? [] : this.finish(root)));
  }

  #note(frame: Frame, root: string): void {
    for (const block of blocksOf(frame["message"])) {
      const id = textIn(block, "id");
      if (block.type === "tool_use" && id !== null) this.#roots.set(id, root);
    }
  }
}

/** What a broken stream left is closed in place: a flow is told whole and has no broken streams. */
const eventsOf = (rootToolCallId: string, said: readonly Said[]): AgentRuntimeEvent[] =>
  said.flatMap((one) =>
    one.kind === "chunk" ? [{ type: "background-flow-chunk", rootToolCallId, chunk: one.chunk }] : [],
  );
