/** Every bound of the loop driver in one place, with its unit. What hits one says so: an error, a notice or a text. */
export const limits = {
  /** Events a connection holds for its reader; above it the model's stream waits. */
  queuedEvents: 1_000,
  /** Steers one turn holds at once. */
  heldSteers: 100,

  /** Tries of one model request that gave no output yet. */
  requestAttempts: 3,
  /** Wait before the second try in ms; doubles with each. */
  retryFirstMs: 2_000,
  /** A `retry-after` above this is not waited for: the turn fails with `rate-limited` instead. */
  retryAfterMaxMs: 300_000,
  /** Model requests of one turn. */
  stepsPerTurn: 500,
  /** Answers of one turn that the output limit may cut inside a tool call. */
  cutAnswers: 3,

  /** Share of the context window at which the history is compacted. */
  compactAt: 0.8,
  /** Characters of one message, call or result in the text that is summarised. */
  transcriptItemChars: 4_000,
  /** Share of the context window that text may fill, reckoned with `charsPerToken`. */
  transcriptShare: 0.6,
  charsPerToken: 4,

  /** Lines and bytes `read` returns at once. */
  readLines: 2_000,
  readBytes: 262_144,
  /** Bytes of a file that `edit` takes on. */
  editBytes: 16_777_216,
  /** Entries `ls` returns. */
  listEntries: 1_000,

  /** Characters of an output (of a command, of the program's own tool) given to the model, half from each end. */
  shellChars: 30_000,
  /** Bytes of a command's output kept in a file, and files kept per session. */
  shellFileBytes: 16_777_216,
  shellFiles: 50,
  /** Times one call of a tool of the program's own says what it has so far; characters of each. */
  toolUpdates: 1_000,
  toolUpdateChars: 8_000,

  /** Seconds a command may run. */
  shellSeconds: 120,
  shellSecondsMax: 600,

  /** Hits `grep` and `find` return, characters of one hit, ms one search may take. */
  searchHits: 1_000,
  searchLineChars: 500,
  searchMs: 30_000,
  /** Larger files are not searched, in bytes; entries one search looks at; megabytes of memory it may use. */
  searchFileBytes: 8_388_608,
  searchEntries: 500_000,
  searchMemoryMb: 256,
} as const;
