/** Everything that can happen to a session (Event) and everything it can order (Effect). Types only. */
import type { AgentEvent, ApprovalRequest } from "../protocol/agent-events.ts";
import type { ApprovalId, ConnectionNo, Generation, InputId, SaveNo, TurnNo } from "../protocol/ids.ts";
import type { Answer, Input, Part } from "../protocol/input.ts";
import type { Op } from "../protocol/ops.ts";
import type { Abilities, ResumeHow, Session, Target } from "./state.ts";
import type { StoredFacts } from "./stored-facts.ts";

/** Asked from outside. `to` names who waits for the reply. */
export type Command =
  | { readonly type: "submit"; readonly to: string; readonly input: Input }
  | {
      readonly type: "edit";
      readonly to: string;
      readonly input: InputId;
      readonly parts: readonly Part[];
      /** Of what the input says: all of it, or behind it. */
      readonly place: "instead" | "behind";
    }
  | { readonly type: "cancel"; readonly to: string; readonly input: InputId }
  | { readonly type: "move"; readonly to: string; readonly input: InputId; readonly before: InputId | null }
  /** Frees one held input, or all (null). */
  | { readonly type: "release"; readonly to: string; readonly input: InputId | null }
  | { readonly type: "stop"; readonly to: string; readonly turn: TurnNo }
  | { readonly type: "answer"; readonly to: string; readonly approval: ApprovalId; readonly answer: Answer }
  | { readonly type: "resume"; readonly to: string; readonly how: ResumeHow }
  | { readonly type: "compact"; readonly to: string; readonly text: string | null }
  | { readonly type: "stop-compaction"; readonly to: string }
  | { readonly type: "close"; readonly to: string }
  | { readonly type: "hold"; readonly reason: string }
  | { readonly type: "unhold"; readonly reason: string }
  | { readonly type: "target"; readonly target: Omit<Target, "tighten">; readonly tighten: boolean }
  | { readonly type: "prime" }
  | { readonly type: "reap"; readonly connection: ConnectionNo }
  /** The grace is over: whatever runs is interrupted. */
  | { readonly type: "shutdown" };

/** What a committed save reports, in the order of the saves. */
export type Fact =
  | { readonly type: "opened"; readonly turn: TurnNo }
  | { readonly type: "offered"; readonly turn: TurnNo; readonly input: InputId }
  | { readonly type: "settled"; readonly turn: TurnNo }
  | { readonly type: "approval-saved"; readonly approval: ApprovalId }
  | { readonly type: "recovered" };
export type StoreEvent =
  | Fact
  | { readonly type: "saved"; readonly save: SaveNo }
  | { readonly type: "refused"; readonly save: SaveNo; readonly reason: string }
  | { readonly type: "lease-lost" }
  | { readonly type: "reloaded"; readonly stored: StoredFacts };

/** Answers of a connection's calls, and its end. */
export type LinkEvent =
  | { readonly type: "connected"; readonly connection: ConnectionNo; readonly abilities: Abilities }
  | {
      readonly type: "connect-failed";
      readonly connection: ConnectionNo;
      readonly reason: string;
      readonly message: string;
    }
  | {
      readonly type: "send-failed";
      readonly connection: ConnectionNo;
      readonly generation: Generation;
      readonly message: string;
    }
  | { readonly type: "redirect-refused"; readonly connection: ConnectionNo; readonly input: InputId }
  | { readonly type: "withdrawn"; readonly connection: ConnectionNo; readonly input: InputId; readonly ok: boolean }
  | {
      readonly type: "interrupted";
      readonly connection: ConnectionNo;
      readonly generation: Generation;
      readonly answer: "aborted" | "already-settled" | "unsupported";
    }
  | {
      readonly type: "reconciled";
      readonly connection: ConnectionNo;
      readonly revision: number;
      readonly verdict: Verdict;
    }
  | { readonly type: "driver-ended"; readonly connection: ConnectionNo }
  | { readonly type: "closed"; readonly connection: ConnectionNo; readonly returned: readonly InputId[] };
export type Verdict = "current" | "patched" | "rebuild" | "invalid" | "failed";
/** Answers of the embedder's hooks. A deadline that passed answers with nothing added. */
export type HookEvent =
  | { readonly type: "before-turn-answered"; readonly turn: TurnNo; readonly context: readonly Part[] }
  | { readonly type: "before-settle-answered"; readonly turn: TurnNo; readonly input: Input | null };

export type Event =
  | Command
  | StoreEvent
  | LinkEvent
  | HookEvent
  | AgentEvent
  | { readonly type: "fired"; readonly key: string };
export type EventType = Event["type"];

/** Where a submitted input went. */
export type Disposition = "started" | "offered" | "queued" | "held";
export type Refusal =
  | "session-busy"
  | "queue-full"
  | "duplicate"
  | "not-waiting"
  | "too-late"
  | "not-open"
  | "not-running"
  | "not-held"
  | "unsupported"
  | "unavailable";
export type Answered =
  | { readonly kind: "accepted"; readonly disposition: Disposition; readonly turn: TurnNo | null }
  | {
      readonly kind: "done";
      readonly state:
        | "edited"
        | "cancelled"
        | "withdrawing"
        | "moved"
        | "released"
        | "stopping"
        | "answered"
        | "resuming"
        | "compacting"
        | "closed";
    }
  /** Another answer came first; its row is safe. */
  | { readonly kind: "conflict"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly why: Refusal };
export type Reply = { readonly to: string; readonly answer: Answered };

export type TimerKind =
  | "connect"
  | "close"
  | "idle"
  | "waiting-idle"
  | "compaction"
  | "reconcile"
  | "stop"
  | "silence"
  | "silence-tool"
  | "offers"
  | "approval"
  | "hook";

export type Effect =
  /** One transaction: its ops, then the replies its commit releases and the facts it reports. */
  | {
      readonly type: "save";
      readonly save: SaveNo;
      readonly ops: readonly Op[];
      readonly replies: readonly Reply[];
      readonly facts: readonly Fact[];
    }
  | { readonly type: "reply"; readonly to: string; readonly answer: Answered } // only what changes nothing
  | {
      readonly type: "connect";
      readonly connection: ConnectionNo;
      readonly revision: number;
      readonly token: string | null;
      readonly how: ResumeHow;
      /** A turn that waited for a person goes on with these approvals; nothing is sent. */
      readonly waiting: { readonly turn: TurnNo; readonly approvals: readonly ApprovalRequest[] } | null;
    }
  | {
      readonly type: "send";
      readonly connection: ConnectionNo;
      readonly generation: Generation;
      readonly turn: TurnNo;
      readonly input: Input;
      readonly context: readonly Part[];
      readonly midTurn: boolean;
    }
  | {
      readonly type: "redirect";
      readonly connection: ConnectionNo;
      readonly generation: Generation;
      readonly turn: TurnNo;
      readonly input: Input;
    }
  | { readonly type: "withdraw"; readonly connection: ConnectionNo; readonly input: InputId }
  | { readonly type: "interrupt"; readonly connection: ConnectionNo; readonly generation: Generation }
  | { readonly type: "reconcile"; readonly connection: ConnectionNo; readonly revision: number }
  | {
      readonly type: "release-approval";
      readonly connection: ConnectionNo;
      readonly approval: ApprovalId;
      readonly answer: Answer;
    }
  | { readonly type: "compact"; readonly connection: ConnectionNo; readonly text: string | null }
  | { readonly type: "close"; readonly connection: ConnectionNo; readonly reason: string }
  | { readonly type: "kill"; readonly connection: ConnectionNo }
  | { readonly type: "ask-before-turn"; readonly turn: TurnNo; readonly input: Input }
  | { readonly type: "ask-before-settle"; readonly turn: TurnNo }
  | { readonly type: "prewarm"; readonly token: string }
  | { readonly type: "read"; readonly connection: ConnectionNo; readonly on: boolean }
  | { readonly type: "arm"; readonly key: string; readonly timer: TimerKind }
  | { readonly type: "disarm"; readonly key: string }
  | { readonly type: "violation"; readonly what: string } // first of its kind on this session
  | { readonly type: "reload" }
  | { readonly type: "evict" };
export type Next = readonly [Session, readonly Effect[]];
