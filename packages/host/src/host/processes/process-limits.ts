/** Bounds of the supervisor, with their units. */
export const processLimits = {
  /** Children alive at once; one more is refused. */
  children: 512,
  /** Bytes of stderr kept when the caller names no other size. */
  stderrTailBytes: 2_048,
  /** Bytes kept before the tail, so that a secret cut by its start is still recognized. */
  secretOverlapBytes: 4_096,
  /** Milliseconds after the exit until `exited` resolves although a descendant still holds an output pipe. */
  drainMs: 200,
  /** Milliseconds between SIGTERM and SIGKILL when the caller names none. */
  graceMs: 2_000,
  /** Milliseconds after SIGKILL until a process that is still there is reported and left. */
  killWaitMs: 2_000,
  /** Milliseconds between two looks at what is being ended. */
  checkMs: 20,
  /** Milliseconds between two listings of the descendants of running children. */
  lookMs: 2_000,
  /** Files of `/proc` read at once. */
  statReads: 32,
  /** Bytes of one `ps` listing. */
  psBytes: 8_388_608,
} as const;
