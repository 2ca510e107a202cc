/** What one session is, as the core knows it. Immutable values; counters instead of ids; no clock. SPEC.md names the rules. */
import type { ApprovalRequest, GenerationEvent } from "../protocol/agent-events.ts";
import type { ConnectionNo, FlowNo, Generation, InputId, SaveNo, TurnNo } from "../protocol/ids.ts";
import type { Answer, End, HeldReason, Input, Part } from "../protocol/input.ts";

/** An input that waits for its own turn. */
export type Waiting = {
  readonly input: Input;
  readonly held: HeldReason | null;
  /** Sorts what came back from a turn ahead of the rest; null: in submit (or moved) order. */
  readonly returned: number | null;
  /** It was meant for a turn that was running. */
  readonly midTurn: boolean;
  /** Its user message is stored already (a resume that failed gave it back). */
  readonly told: boolean;
};
/** An input offered to a running turn. `sent`: the agent may have heard of it. */
export type Steer = { readonly input: Input; readonly order: number; readonly sent: boolean };
/** A steer whose turn is over and which the agent has not named yet. `held`: why it would be held when it comes back. */
export type Offer = Steer & { readonly held: HeldReason | null };

/** Parts of the open message that are not finished. */
export type LiveParts = {
  readonly texts: readonly { readonly id: string; readonly kind: "text" | "reasoning" }[];
  readonly tools: readonly string[]; // tool call ids
};
/** Who wants the turn to end: a person, an input that takes its place, or the host's shutdown. */
export type StopBy = "person" | "superseded" | "shutdown";

export type Turn = {
  readonly no: TurnNo;
  readonly generation: Generation;
  /** A wake of background work that writes into this turn. */
  readonly joined: Generation | null;
  readonly input: Input | null; // null: the agent began this turn itself
  readonly midTurn: boolean;
  readonly told: boolean;
  readonly message: number; // ordinal of the open message inside the turn
  readonly open: boolean; // false only between two messages, under a hold
  readonly written: boolean; // the open message has content
  readonly live: LiveParts;
  readonly produced: boolean; // anything a person can see came of this turn
  readonly sent: boolean; // given to an agent; never again
  readonly connection: ConnectionNo; // the one that has it; 0: none
  readonly steers: readonly Steer[];
  readonly taken: readonly InputId[];
  readonly answered: readonly InputId[]; // steers that the agent's end named: they end with the turn
  readonly stop: StopBy | null;
  readonly latched: End | null; // the agent is done, background work still owes a reply
  readonly anchor: string | null;
  readonly heard: boolean; // anything from the agent since the last beat of the silence timer
  readonly beat: number;
  readonly attempts: number; // connections tried for it
  readonly hook: "unasked" | "asked" | "passed"; // before-turn
  readonly context: readonly Part[]; // what that hook added
};

export type Phase =
  | { readonly kind: "idle" }
  | { readonly kind: "opening"; readonly turn: Turn } // its rows are being saved; the agent knows nothing
  | { readonly kind: "preparing"; readonly turn: Turn } // rows safe; no usable connection or a hook is out
  | { readonly kind: "streaming"; readonly turn: Turn }
  | { readonly kind: "waiting"; readonly turn: Turn } // its only live parts are open approvals
  | { readonly kind: "gated"; readonly turn: Turn } // rolled under a hold: between two messages
  | { readonly kind: "concluding"; readonly turn: Turn; readonly end: End } // the hook before-settle is out
  | { readonly kind: "settling"; readonly turn: Turn } // the durable close is being saved
  | { readonly kind: "reloading" } // a commit was refused (hold `store`); what is stored is the truth
  | { readonly kind: "gone" }; // the lease is lost
export type PhaseKind = Phase["kind"];

/** What the core needs to know of a connection's capabilities. */
export type Abilities = {
  readonly steers: boolean;
  readonly steersRich: boolean; // parts other than text may be given to a running turn
  readonly idempotent: boolean; // the same input given twice is taken once
  readonly compacts: boolean;
};
export type OpenLink = {
  readonly kind: "open";
  readonly connection: ConnectionNo;
  readonly revision: number; // of the configuration it runs with
  readonly abilities: Abilities;
  readonly rebuild: boolean; // to be replaced at the next safe boundary
  readonly reconciling: number | null; // one reconcile at a time
  readonly background: { readonly active: boolean; readonly awaitingReply: boolean };
  readonly compacting: boolean;
  readonly reading: boolean; // false: the host does not pull its events
};
export type Link =
  | { readonly kind: "none" }
  | { readonly kind: "connecting"; readonly connection: ConnectionNo; readonly revision: number }
  | OpenLink
  | {
      readonly kind: "closing";
      readonly connection: ConnectionNo;
      readonly reason: string;
      readonly idempotent: boolean;
      readonly compacting: boolean; // one that was under way ends with the connection
    };

export type Approval = {
  readonly request: ApprovalRequest;
  /** The connection that asked; null: it is over, and the approval outlived it. */
  readonly connection: ConnectionNo | null;
  readonly turn: TurnNo | null; // null: asked outside a turn, dies with the connection
  readonly answer: Answer | null;
  readonly saved: boolean; // the answer's row is safe
};
/** Output of a sub-agent under a tool call: a message of its own. */
export type Flow = {
  readonly no: FlowNo;
  readonly root: string;
  readonly connection: ConnectionNo;
  readonly live: LiveParts;
};
export type ResumeHow = "token" | "fresh" | "fresh-with-transcript";

/** Configuration as of a revision. `tighten`: a change that binds the next tool call is on its way to the connection. */
export type Target = {
  readonly revision: number;
  readonly tighten: boolean;
  readonly queueAfter: "hold" | "run";
  readonly onResumeFailed: "ask" | "fresh" | "fresh-with-transcript";
  readonly hooks: { readonly beforeTurn: boolean; readonly beforeSettle: boolean };
  readonly unattended: "deny" | "wait"; // questions of a turn nobody watches
};
/** Counts and sizes a session may hold. Units in the names of `limits.ts`. */
export type SessionLimits = {
  readonly waiting: number;
  readonly kept: number;
  readonly keptSize: number;
  readonly unsaved: number;
  readonly approvals: number;
  readonly flows: number;
  readonly attempts: number;
};

export type Session = {
  readonly phase: Phase;
  readonly parked: Turn | null; // a user's turn that waits while the agent generates by itself
  readonly link: Link;
  readonly queue: readonly Waiting[];
  readonly offers: readonly Offer[];
  readonly kept: readonly GenerationEvent[]; // agent events that may not be applied yet
  readonly keptSize: number;
  readonly holds: Readonly<Record<string, number>>; // reason -> how often
  readonly approvals: readonly Approval[];
  readonly flows: readonly Flow[];
  readonly token: string | null;
  readonly resume: ResumeHow; // how the next connection begins
  readonly compact: { readonly text: string | null } | null; // a person's wish, not ordered yet
  readonly target: Target;
  readonly timers: readonly string[]; // keys of the timers that run
  readonly turns: number;
  readonly connections: number;
  readonly flowCount: number;
  readonly accepted: number;
  readonly saves: SaveNo;
  readonly saved: SaveNo;
  readonly violations: Readonly<Record<string, number>>;
  readonly limits: SessionLimits;
};
