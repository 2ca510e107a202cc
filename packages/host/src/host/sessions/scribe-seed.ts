/** What is stored and not over, in the scribe's words. Types only. */
import type { Fold } from "../../protocol/fold.ts";
import type { ApprovalId, FlowNo, InputId, MessageId, Millis, TurnId, TurnNo } from "../../protocol/ids.ts";
import type { Input } from "../../protocol/input.ts";
import type { TokenUsage } from "../../protocol/usage.ts";

export type OpenMessage = {
  readonly id: MessageId;
  readonly parentId: MessageId | null;
  readonly turnId: TurnId | null;
  readonly createdAt: Millis;
  readonly fold: Fold;
  firstChunkAt: Millis | null;
  toolMs: Record<string, number> | null;
};
export type OpenTurn = {
  readonly id: TurnId;
  readonly no: TurnNo;
  readonly startedAt: Millis;
  readonly model: string | null;
  readonly input: Input | null;
  /** Of every assistant message of the turn so far, by ordinal. */
  readonly messages: Map<number, MessageId>;
  open: OpenMessage | null;
  tokens: TokenUsage;
  readonly requests: Set<string>;
};
/** What is stored and not over, as the scribe needs it. */
export type ScribeSeed = {
  readonly leaf: MessageId | null;
  readonly lastPosition: number;
  readonly inputs: readonly Input[];
  /** Those of them that wait, in queue order. */
  readonly waiting: readonly InputId[];
  readonly turns: readonly OpenTurn[];
  readonly flows: readonly (readonly [FlowNo, OpenMessage])[];
  readonly approvals: readonly (readonly [ApprovalId, TurnId | null])[];
};
