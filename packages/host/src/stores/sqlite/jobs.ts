/**
 * What the host and the store's thread say to each other. Tuples of text and numbers: they cross threads three times as
 * fast as objects. The host writes the SQL and encodes the JSON, the thread decides what is accepted and numbers it.
 */

import type { RefusedCode } from "../../protocol/errors.ts";
import type { Epoch, InputId, MessageId, Millis, SessionId, SessionNo, TurnId } from "../../protocol/ids.ts";
import type { MessageKind } from "../../protocol/rows.ts";
import type { Delta } from "../merged-events.ts";
import type { SqlValue } from "./columns.ts";

/** A statement whose `?1` the thread binds to the session's number; `values` follow. */
type Statement = readonly [text: string, values: readonly SqlValue[]];

export type Op =
  /** Must change a row. */
  | readonly ["row", ...Statement]
  /** May change none: it was there already. */
  | readonly ["extra", ...Statement]
  /** A new message; the thread binds `?2`, the first number its events can have. */
  | readonly ["message", id: MessageId, parent: MessageId | null, ...Statement]
  | readonly ["close", id: MessageId, ...Statement]
  | readonly ["drop", id: MessageId]
  | readonly ["order", ids: readonly InputId[]]
  | readonly ["event", at: Millis, json: string]
  /** A `message.closed`; `whole`: the host does not have the message's parts. */
  | readonly ["closed", at: Millis, json: string, id: MessageId, whole: boolean]
  | readonly ["chunk", at: Millis, message: MessageId, turn: TurnId | null, json: string]
  | readonly [
      "delta",
      at: Millis,
      message: MessageId,
      turn: TurnId | null,
      type: Delta["type"],
      part: string,
      text: string,
    ];
/** Outside any session: every value is in `values`. */
export type HostOp = readonly ["run", ...Statement] | readonly ["remove-session", id: SessionId];

export type StoreJob =
  | readonly ["write", session: SessionNo, epoch: Epoch, ops: readonly Op[]]
  | readonly ["create", row: readonly SqlValue[], ops: readonly Op[]]
  | readonly ["change", ops: readonly HostOp[]]
  | readonly ["claim", session: SessionNo]
  | readonly ["fold", before: Millis, limit: number];

export type Refusal = { readonly refused: RefusedCode; readonly why: string };
/** The row of a message that a `message.closed` refers to; `parts` and `metadata` are JSON, absent unless asked for. */
export type ClosedMessage = {
  readonly id: MessageId;
  readonly parentId: MessageId | null;
  readonly kind: MessageKind;
  readonly role: string;
  readonly status: string;
  readonly turnId: TurnId | null;
  readonly inputId: InputId | null;
  readonly label: string | null;
  readonly createdAt: Millis;
  readonly parts?: string;
  readonly metadata?: string | null;
};
export type JobReply = number | { readonly value: number; readonly closed: readonly ClosedMessage[] } | Refusal;

export type Request = { readonly id: number } & (
  | { readonly do: "flush"; readonly jobs: readonly StoreJob[] }
  | { readonly do: "read"; readonly name: string; readonly args: readonly unknown[] }
  | { readonly do: "backup"; readonly path: string }
  | { readonly do: "close" }
);
/** `id` 0: the thread is open, or could not be opened. `text`: the result of a read, as JSON. */
export type Reply = { readonly id: number } & (
  | { readonly jobs: readonly JobReply[] }
  | { readonly text: string }
  | { readonly done: true }
  | Refusal
  | { readonly failed: string; readonly why: string }
);
