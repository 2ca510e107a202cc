/** What a prompt may say about itself, and how it is told what became of it. */
import type { Receipt } from "../../index.ts";
import type { InputSource } from "../extensions/types.ts";
import type { ImageContent } from "./agent-message.ts";

export type PreflightResult = "handled" | "queued" | "started";
export type PromptOptions = {
  readonly images?: readonly ImageContent[];
  /** While the session is busy: into the running turn, or after it. Absent: a busy session refuses. */
  readonly streamingBehavior?: "steer" | "followUp";
  /**
   * Called once, unless the prompt is refused. `started`: its turn begins, after the handlers of `before_agent_start` and
   * before `agent_start`. `queued`: stored, waits or is with the running turn. `handled`: a command or handler took it.
   */
  readonly preflightResult?: (result: PreflightResult) => void;
  /** Called once, as soon as it is stored or handled: before `preflightResult`, however long the preflight takes. */
  readonly admitted?: (result: PreflightResult) => void;
  readonly source?: InputSource;
  /** False: a text that begins with `/` is a text. */
  readonly expandPromptTemplates?: boolean;
};
export const resultOf = ({ disposition }: Receipt): PreflightResult =>
  disposition === "handled" || disposition === "started" ? disposition : "queued";
export function tell({ preflightResult }: PromptOptions, result: PreflightResult): void {
  preflightResult?.(result);
}
