/** Every bound of the driver in one place, with its unit. */
export const limits = {
  /** Events a connection holds for its reader; above it the agent's output is left in its pipe. */
  queuedEvents: 10_000,
  /** Bytes of one line of the agent: a file it read may come in one. */
  lineBytes: 33_554_432,
  /** Records that are known again when they come twice. */
  knownRecords: 5_000,
  /** Processes started ahead, beside those of connections, and ms until one that nobody used is ended. */
  warmProcesses: 2,
  warmMs: 600_000,
  /** Frames kept of a process that nobody listens to yet. */
  keptFrames: 1_000,
  /** Steers one connection holds that the agent has not taken. */
  heldSteers: 100,
  /** Kinds of unknown frames that are logged by name. */
  unknownFrames: 50,

  /** Ms until a message that was written to the agent must be acknowledged by it. */
  acceptMs: 30_000,
  /** Ms a call of the pre-tool hook waits for the frame that shows its call. */
  callSeenMs: 5_000,
  /** Ms from a person's answer until the agent has taken up the call it is about. */
  takenUpMs: 30_000,
  /** Ms for the answer to a withdrawal, an interrupt, a change of settings. */
  withdrawMs: 1_000,
  interruptMs: 2_000,
  patchMs: 5_000,
  contextMs: 4_000,
  /** Ms from the end of its input, and from SIGTERM, until the process is ended harder. */
  leaveMs: 1_500,
  endGraceMs: 2_000,
  /** Seconds a hook may think: a person may be asked inside it. */
  hookSeconds: 604_800,
  /** Ms the first turn waits for MCP servers; a slower one joins later. */
  mcpStartupWaitMs: 500,
  /** Ms it waits when it is to take up a call of a server's tool; less than `takenUpMs`. */
  mcpTakeUpWaitMs: 20_000,
  /** Days until Claude Code removes a transcript by itself. */
  transcriptDays: 3_650,

  /** Characters of a structured tool result that are kept beside its text. */
  structuredChars: 65_536,
  /** Copies of transcripts: conversations, files of each, and bytes of one file. */
  mirroredSessions: 200,
  mirrorFiles: 200,
  mirrorFileBytes: 67_108_864,
  /** Transcript folders looked through for one session. */
  transcriptFolders: 10_000,
} as const;
