/** Makes public ids. Injected so that tests and simulations repeat. */
export type IdKind = "ses" | "trn" | "msg" | "inp" | "apr" | "agt" | "fil" | "rul" | "req";

export interface Ids {
  /** Prefixed, time-ordered, unique: `ses_0190...`. */
  make(kind: IdKind): string;
  /** A bare UUID, for agents that accept nothing else as a key. */
  uuid(): string;
}
