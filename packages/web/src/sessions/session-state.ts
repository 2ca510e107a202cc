/** A session's state in one word, the most urgent first. */
import type { SessionRow } from "@mooring/host/protocol";
import type { SessionListRow } from "../api/types.ts";

export type ShownState = "asks" | "working" | "held" | "failed" | "interrupted" | "idle";

export function stateOf(row: SessionListRow): ShownState {
  if (row.openApprovals > 0 || row.turn === "waiting") return "asks";
  if (row.turn === "open") return "working";
  if (row.waitingInputs > 0) return "held";
  return row.lastOutcome === "failed" || row.lastOutcome === "interrupted" ? row.lastOutcome : "idle";
}
export const stateWords: { readonly [S in ShownState]: { readonly word: string; readonly className: string } } = {
  asks: { word: "Waits for you", className: "text-warn" },
  working: { word: "Working", className: "text-accent" },
  held: { word: "Inputs held", className: "text-bad" },
  failed: { word: "Failed", className: "text-bad" },
  interrupted: { word: "Interrupted", className: "text-bad" },
  idle: { word: "Idle", className: "text-soft" },
};
export const titleOf = ({ title, id }: Pick<SessionRow, "title" | "id">): string =>
  title?.trim() ? title : `Session ${id.slice(-6)}`;
