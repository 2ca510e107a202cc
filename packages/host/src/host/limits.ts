/** Every bound of the host in one place, with its unit. What hits one gets a typed error or event. */

import type { TimerKind } from "../session/events.ts";
import type { SessionLimits } from "../session/state.ts";

export type HostLimits = {
  /** Milliseconds a timer of the core runs. */
  readonly timerMs: Readonly<Record<TimerKind, number>>;
  readonly session: SessionLimits;
  readonly hookMs: number;
  readonly toolCallHookMs: number;
  /** Bytes of events a subscriber, or a viewer of all sessions, may lag behind before it is cut. */
  readonly subscriberBytes: number;
  /** Bytes of them that are kept for a subscriber without room; the rest it reads from the journal when it has some. */
  readonly subscriberKeptBytes: number;
  readonly heartbeatMs: number; // silence on a stream of bytes
  readonly reconnectMs: number; // what a client is told to wait before it connects again
  readonly watchSessions: number; // in the list a viewer of all sessions begins with
  readonly watchApprovals: number; // open ones in it
  readonly turnsAsked: number; // reported at once
  readonly shutdownGraceMs: number;
  readonly shutdownSettleMs: number; // for turns to end as interrupted, after the grace
  readonly secondSignalGraceMs: number;
  readonly pollNotesMs: number; // context and background events: at most one per this
  readonly reloadRetryMs: number; // first wait after a refused commit, doubling
  readonly reloadRetryMaxMs: number;
  readonly removeAfterMs: number;
  readonly foldAfterMs: number;
  readonly foldEveryMs: number;
  readonly foldSessions: number; // journals shortened at once
  readonly sweepEveryMs: number; // removed sessions and sessions at rest
  readonly connections: number; // open agent connections at once
  readonly inputBytes: number;
  readonly outputBytes: number; // of what a tool gave back, or was given, as it stands in a message; the rest is in a file
  readonly fileBytes: number; // of one stored file
  readonly fileKeepMs: number; // a stored file that nothing names
  readonly filesEveryMs: number; // a search for such files: it reads everything that is stored
  readonly filesLookedAt: number; // files in one search
  readonly imageBytes: number; // of one image an agent is shown
  readonly givenBytes: number; // of the files of one turn, or of one history, that an agent is given with their bytes
  readonly copyBytes: number; // of the branch a fork copies in one transaction
  readonly importBytes: number; // of a session's document
  readonly forkMs: number; // for an agent to fork its own history
  readonly contextMs: number; // for an agent to say how full its context is
  readonly rules: number; // stored ones of one session, of one agent, or of the host
  readonly idleEvictMs: number; // an idle session with no connection leaves memory
};

export const defaultLimits: HostLimits = {
  timerMs: {
    connect: 60_000,
    close: 5_000,
    idle: 300_000,
    "waiting-idle": 60_000,
    compaction: 600_000,
    reconcile: 45_000,
    stop: 5_000,
    silence: 600_000,
    "silence-tool": 3_600_000,
    offers: 30_000,
    approval: 86_400_000,
    hook: 30_000,
  },
  session: { waiting: 100, kept: 1_000, keptSize: 4_194_304, unsaved: 1_000, approvals: 50, flows: 32, attempts: 2 },
  hookMs: 30_000,
  toolCallHookMs: 60_000,
  subscriberBytes: 4_194_304,
  subscriberKeptBytes: 131_072,
  heartbeatMs: 15_000,
  reconnectMs: 1_000,
  watchSessions: 200,
  watchApprovals: 500,
  turnsAsked: 200,
  shutdownGraceMs: 30_000,
  shutdownSettleMs: 15_000,
  secondSignalGraceMs: 2_000,
  pollNotesMs: 1_000,
  reloadRetryMs: 100,
  reloadRetryMaxMs: 10_000,
  removeAfterMs: 600_000,
  foldAfterMs: 3_600_000,
  foldEveryMs: 60_000,
  foldSessions: 1_000,
  sweepEveryMs: 30_000,
  connections: 64,
  inputBytes: 33_554_432,
  outputBytes: 1_048_576,
  fileBytes: 20_971_520,
  fileKeepMs: 86_400_000,
  filesEveryMs: 21_600_000,
  filesLookedAt: 10_000,
  imageBytes: 5_242_880,
  givenBytes: 33_554_432,
  copyBytes: 50_331_648,
  importBytes: 33_554_432,
  forkMs: 60_000,
  contextMs: 5_000,
  rules: 1_000,
  idleEvictMs: 60_000,
};
