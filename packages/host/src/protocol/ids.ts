/** The names of things. Public ids are prefixed UUIDv7 text, made by the `ids` port; counters are the core's own. */

export type SessionId = string; // ses_
export type TurnId = string; // trn_ (a driver may make its own for work the agent began)
export type MessageId = string; // msg_
export type InputId = string; // inp_, or the client's own
export type ApprovalId = string; // apr_
export type AgentId = string; // agt_
export type FileId = string; // fil_
export type RuleId = string; // rul_
export type UsageId = string; // the driver's request id: unique for ever

/** Ordinal of a turn in its session, from 1. */
export type TurnNo = number;
/** Ordinal of a connection of this incarnation of the session, from 1. */
export type ConnectionNo = number;
/** Ordinal of a save (one commit) of this incarnation of the session, from 1. */
export type SaveNo = number;
/** Ordinal of a flow in its session, from 1. */
export type FlowNo = number;
/** One stretch of the agent's own output: `t<turn>` when the host sent it, the driver's turn id when the agent began it. */
export type Generation = string;

/** Milliseconds since the epoch. */
export type Millis = number;
/** A place in a session's journal: rises by one per stored event. */
export type Seq = number;
/** Fencing number of a session's owner: every write is conditional on it. */
export type Epoch = number;
/** A session's key inside one store. */
export type SessionNo = number;
