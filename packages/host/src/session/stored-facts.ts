/** What the store holds of one session, in the core's words: what recovery decides from. The host makes it from `load`. */
import type { ApprovalRequest } from "../protocol/agent-events.ts";
import type { FlowNo, InputId, TurnNo } from "../protocol/ids.ts";
import type { HeldReason, Input, InputState, UnansweredReason } from "../protocol/input.ts";
import type { LiveParts } from "./state.ts";

export type StoredInput = {
  readonly input: Input;
  readonly state: InputState;
  readonly reason: HeldReason | UnansweredReason | null;
  readonly turn: TurnNo | null;
  readonly told: boolean; // its user message is stored
};
export type StoredFacts = {
  /** Inputs that have not ended; the waiting ones in queue order. */
  readonly inputs: readonly StoredInput[];
  readonly openTurns: readonly { readonly no: TurnNo; readonly input: InputId | null; readonly waiting: boolean }[];
  readonly openMessages: readonly {
    readonly turn: TurnNo;
    readonly message: number;
    readonly live: LiveParts;
    readonly written: boolean;
  }[];
  readonly openFlows: readonly { readonly flow: FlowNo; readonly live: LiveParts }[];
  readonly openApprovals: readonly { readonly request: ApprovalRequest; readonly turn: TurnNo | null }[];
  readonly lastTurn: TurnNo;
  readonly lastFlow: FlowNo;
  /** A compaction was shown as started and its end is not stored. */
  readonly compacting: boolean;
  readonly token: string | null;
  /** What the agent's policy `onInterrupted: continue` would submit if a turn was interrupted; null: wait for a person. */
  readonly continuation: Input | null;
};
