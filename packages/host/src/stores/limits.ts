/** Every bound of a store, with its unit. */

export type StoreLimits = {
  /** Milliseconds a busy writer collects writes before the next flush. An idle one never waits. */
  readonly flushMs: number;
  /** Writes that must have come during a flush for the writer to count as busy. */
  readonly flushBusyWrites: number;
  /** Bytes at which a busy writer stops collecting. */
  readonly flushBytes: number;
  /** Bytes of one flush (one transaction); a single larger write is a flush of its own. */
  readonly batchBytes: number;
  /** Bytes accepted and not yet durable; beyond, writes are refused `busy`. */
  readonly queuedBytes: number;
  /** Bytes of the database file; beyond, writes are refused `full`. */
  readonly databaseBytes: number;
  /** Milliseconds to wait for another process that writes the same file. */
  readonly lockWaitMs: number;
  /** Milliseconds after which a flush is logged as slow. */
  readonly slowFlushMs: number;
  /** Sessions whose epoch and last number the writer remembers. */
  readonly rememberedSessions: number;
  /** Prepared statements kept. */
  readonly preparedStatements: number;
};

export const defaultStoreLimits: StoreLimits = {
  flushMs: 20,
  flushBusyWrites: 4,
  flushBytes: 24 * 1024,
  batchBytes: 256 * 1024,
  queuedBytes: 64 * 1024 * 1024,
  databaseBytes: Number.POSITIVE_INFINITY,
  lockWaitMs: 2_000,
  slowFlushMs: 1_000,
  rememberedSessions: 10_000,
  preparedStatements: 200,
};

/** Characters of one merged delta: a longer run of deltas is stored as several events. */
export const mergedDeltaChars = 16 * 1024;
/** Rows of one listing when the caller names no number, and at most. */
const listRows = { usual: 50, most: 500 } as const;
export const rowsAsked = (limit: number | undefined): number =>
  Math.max(1, Math.min(limit ?? listRows.usual, listRows.most));
/** Characters of content in one page of messages; one that is larger alone is a page of its own. */
export const messagePageChars = 8 * 1024 * 1024;
/** Segments of all sessions that are kept apart before they are sorted in with the old ones. */
export const freshSegments = 2_048;
/** Session numbers read ahead by `open()`. */
export const openPageRows = 1_000;
/** Sessions in one listing of what each used. */
export const usageSessions = 100;
/** Rows looked through in one read for the files they name. */
export const namingRows = 500;
/** Messages of a branch fetched in one read, so that a long history never holds the thread or the host's loop. */
export const branchPageRows = 200;
