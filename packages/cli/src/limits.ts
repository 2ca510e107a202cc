/** Every bound of the command in one place, with its unit. */
export const limits = {
  /** Ms in which repeated signals are one, under npm, which passes on the Ctrl-C that the terminal has sent already. */
  sameSignalMs: 250,
  /** Ms a running turn gets when the person leaves at once. */
  leaveGraceMs: 500,
  /** Ms a running turn gets after SIGTERM, SIGHUP or a failure of the command. */
  endGraceMs: 5_000,
  /** Bytes of a prompt or a key read from standard input. */
  stdinBytes: 33_554_432,
  /** Characters of a session's title, made from its first prompt. */
  titleChars: 60,
  /** Port of the server unless asked for. */
  port: 4_483,
  /** Ms running turns get when a server stops, and after a second signal. */
  serveGraceMs: 30_000,
  secondSignalGraceMs: 2_000,
  /** Ms in which a server must say that it is there. */
  healthMs: 2_000,
  /** Ms npm gets to end when an install is stopped. */
  npmGraceMs: 1_000,
  /** Tries in a row to reach a server whose session is followed: about a minute. */
  lostAttempts: 7,
  /** Rows asked for at once. */
  pageRows: 200,
  turnReports: 200, // asked for at once
  /** Rows of `sessions ls`, messages of `sessions show`, unless asked for. */
  sessionRows: 50,
  shownMessages: 200,
  /** Messages looked through for the first words of a session without a title. */
  titleMessages: 20,
} as const;
