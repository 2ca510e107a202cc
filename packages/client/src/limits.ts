/** Every bound of the client in one place, with its unit. */
export const limits = {
  /** Ms before a lost stream is opened again, until the server names its own (`retry:`). */
  retryMs: 1_000,
  /** Ms that the server's own may be at most. */
  retryMostMs: 60_000,
  /** Ms of wait at most; each attempt that brings nothing doubles it. */
  backoffMs: 30_000,
  /** Ms a `Retry-After` is waited for at most. */
  retryAfterMs: 120_000,
  /** Ms without a byte after which a stream counts as lost: three heartbeats of the server. */
  silenceMs: 45_000,
  /** Ms in which a stream must answer with its headers. */
  openMs: 30_000,
  /** Characters of one event, or of one answer that says what went wrong. */
  eventChars: 134_217_728,
  problemChars: 1_048_576,
} as const;
export type StreamLimits = { readonly [K in keyof typeof limits]: number };
