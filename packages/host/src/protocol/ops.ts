/**
 * What one event of the core decides, as rows in the core's counters. Each op is a fact that subscribers hear of too,
 * when its commit is stored and not before. `host/sessions/scribe.ts` gives them public ids and turns them into `Write`s.
 */
import type { AgentNote, ApprovalRequest, CompactionDone } from "./agent-events.ts";
import type { UIMessageChunk } from "./chunks.ts";
import type { ApprovalId, FlowNo, InputId, TurnNo } from "./ids.ts";
import type {
  Answer,
  ApprovalEnd,
  Branch,
  End,
  HeldReason,
  Input,
  InputState,
  Outcome,
  Part,
  UnansweredReason,
} from "./input.ts";
import type { UsageReport } from "./usage.ts";

/** `user`: started by an input. `agent`: the agent began it. `steer`: the agent made a turn of an offered steer. */
export type TurnOrigin = "user" | "agent" | "steer";
/** Where a chunk goes: the open message of a turn, or a flow. */
export type Target = { readonly turn: TurnNo; readonly message: number } | { readonly flow: FlowNo };

/** `stopped`: a person ended it before it was done. */
export type CompactionState = "started" | "completed" | "failed" | "stopped";

export type Op =
  | { readonly op: "accepted"; readonly input: Input }
  | {
      readonly op: "input";
      readonly id: InputId;
      readonly state: InputState;
      readonly reason: HeldReason | UnansweredReason | null;
      readonly turn: TurnNo | null;
    }
  | { readonly op: "input-edited"; readonly id: InputId; readonly parts: readonly Part[] }
  /** The whole waiting list, first to last. */
  | { readonly op: "order"; readonly ids: readonly InputId[] }
  | { readonly op: "branch"; readonly turn: TurnNo; readonly branch: Branch }
  | {
      readonly op: "turn-opened";
      readonly turn: TurnNo;
      readonly origin: TurnOrigin;
      readonly input: InputId | null;
      readonly source: string | null;
    }
  | { readonly op: "user-message"; readonly turn: TurnNo; readonly input: InputId }
  | { readonly op: "message-opened"; readonly turn: TurnNo; readonly message: number }
  | { readonly op: "chunk"; readonly to: Target; readonly chunk: UIMessageChunk }
  | {
      readonly op: "message-closed";
      readonly turn: TurnNo;
      readonly message: number;
      readonly status: Outcome;
      readonly token: string | null;
      readonly anchor: string | null;
    }
  | { readonly op: "message-dropped"; readonly turn: TurnNo; readonly message: number }
  | { readonly op: "turn-waiting"; readonly turn: TurnNo }
  | { readonly op: "turn-resumed"; readonly turn: TurnNo }
  | { readonly op: "turn-settled"; readonly turn: TurnNo; readonly end: End }
  | { readonly op: "approval-opened"; readonly request: ApprovalRequest; readonly turn: TurnNo | null }
  | {
      readonly op: "approval-closed";
      readonly approval: ApprovalId;
      readonly how: ApprovalEnd;
      readonly answer: Answer | null;
    }
  | { readonly op: "flow-opened"; readonly flow: FlowNo; readonly root: string; readonly turn: TurnNo | null }
  | { readonly op: "flow-closed"; readonly flow: FlowNo; readonly status: Outcome }
  | { readonly op: "token"; readonly token: string | null }
  | { readonly op: "usage"; readonly usage: UsageReport; readonly turn: TurnNo | null; readonly message: number | null }
  | {
      readonly op: "compaction";
      readonly state: CompactionState;
      readonly done: CompactionDone | null;
      readonly detail: string;
    }
  | { readonly op: "note"; readonly note: AgentNote; readonly turn: TurnNo | null };
