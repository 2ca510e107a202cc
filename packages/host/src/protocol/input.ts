/** What a user, schedule or hook submitted, and the states it passes through until it ends visibly. */
import type { UIMessagePart } from "./chunks.ts";
import type { InputId, MessageId } from "./ids.ts";
import type { RuleRow } from "./permission.ts";

export type Delivery = "steer" | "queue" | "interrupt" | "reject";
export type Part = UIMessagePart;

/** A place in history an input goes back to: `before` a user message replaces it, `at` one answers it again. */
export type Branch = { readonly messageId: MessageId; readonly position: "before" | "at" };

/**
 * A chat client's own message behind an input: the id the client gave it, and a hash of its parts as the client sent
 * them. The user message keeps that id when it is the input's own too; after an edit the id names the newest input.
 */
export type ClientMessage = { readonly id: string; readonly hash: string };

/** Frozen at submit, except `parts`, which may be edited while it waits. */
export type Input = {
  readonly id: InputId;
  /** A UUID made once per input: what agents that want an idempotency key are given. */
  readonly agentKey: string;
  readonly delivery: Delivery;
  readonly parts: readonly Part[];
  /** Explicit model and effort; null: the agent's own when the turn starts. */
  readonly model: string | null;
  readonly effort: string | null;
  /** Nobody can answer questions during its turn. */
  readonly headless: boolean;
  readonly branch: Branch | null;
  readonly author: string | null;
  /** Who asked: a person, a hook that continues a turn, or the host after an interruption. */
  readonly origin: "user" | "hook" | "continue";
  readonly client?: ClientMessage;
};

export type HeldReason = "failed" | "stopped" | "interrupted" | "uncertain";
export type UnansweredReason = "failed" | "stopped" | "interrupted";
export type InputState = "queued" | "held" | "offered" | "taken" | "started" | "answered" | "unanswered" | "cancelled";
export const endedInputStates: readonly InputState[] = ["answered", "unanswered", "cancelled"];

export type Outcome = "completed" | "failed" | "stopped" | "interrupted";
/** How a turn ended. `reason` is a stable code (`driver-ended`, `no-content`, ...); `message` is for people. */
export type End = { readonly outcome: Outcome; readonly reason: string; readonly message: string };

export type Decision = "allow" | "deny";
/** How an approval ended: a person's answer, the end of what asked, or its deadline. */
export type ApprovalEnd = Decision | "withdrawn" | "interrupted" | "expired";
export type Answer = {
  readonly decision: Decision;
  /** Replaces the tool's input; null: as asked. */
  readonly input: unknown;
  readonly reason: string | null;
  /** Who answered: the principal from auth, or `unattended`, `deadline`, `rule`. */
  readonly by: string;
  /** The rule this answer made, of the scope it was given with. */
  readonly rule?: RuleRow;
};
