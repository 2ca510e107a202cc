/** Every bound of the minimal driver, with its unit. */
export const limits = {
  /** Events that wait for the host before an agent that can wait should. */
  queuedEvents: 10_000,
  /** The longest line read from the agent, in bytes. */
  lineBytes: 64 * 1_048_576,
  /** Milliseconds an agent may take to say that it is ready. */
  readyMs: 10_000,
  /** Milliseconds after the end of a turn in which results of its calls still come. */
  lateMs: 200,
  /** Milliseconds between asking the agent to end and killing it. */
  closeMs: 1_000,
} as const;
