/**
 * The HTTP status of every error code there is. Invariant: each code thrown in the host has its line here, which
 * `problem-status.test.ts` collects from the sources; a code that is not here comes from a driver or an embedder's hook,
 * which refused what was asked for.
 */

const statuses = {
  400: [
    "bad-agent",
    "bad-cursor",
    "bad-export",
    "bad-file",
    "bad-fork",
    "bad-format",
    "bad-input",
    "bad-json",
    "bad-query",
    "bad-request",
    "bad-session",
    "body-incomplete",
  ],
  401: ["unauthorized", "login-code-invalid"],
  403: ["host-not-allowed", "origin-not-allowed", "cross-site-request"],
  404: [
    "no-such-agent",
    "no-such-approval",
    "no-such-file",
    "no-such-hold",
    "no-such-input",
    "no-such-message",
    "no-such-route",
    "no-such-session",
    "not-found",
  ],
  405: ["method-not-allowed"],
  409: [
    "approval-conflict",
    "approval-unknown",
    "backup-exists",
    "conflict",
    "not-held",
    "not-open",
    "not-running",
    "not-waiting",
    "nothing-to-compact",
    "rewind-unsupported",
    "session-busy",
    "session-exists",
    "too-late",
    "unsupported",
  ],
  410: ["approval-ended"],
  413: ["body-too-large", "file-too-large", "import-too-large", "input-too-large", "session-too-large"],
  415: ["unsupported-media-type"],
  422: [
    "agent-gone",
    "bad-workspace",
    "driver-unknown",
    "invalid-option",
    "no-agent",
    "no-backup-directory",
    "no-model",
  ],
  429: ["queue-full", "too-many-holds"],
  500: [
    "backup-failed",
    "bad-secrets",
    "constraint",
    "corrupt",
    "data-dir-unusable",
    "events-taken",
    "internal",
    "weak-token",
  ],
  502: [
    "compaction-cancelled",
    "connect-cancelled",
    "connection-closed",
    "fork-failed",
    "model-unreachable",
    "no-summary",
    "resume-failed",
  ],
  503: [
    "busy",
    "closed",
    "file-not-stored",
    "full",
    "io",
    "lease-lost",
    "not-ready",
    "shutting-down",
    "slow-subscriber",
    "too-many-streams",
    "unavailable",
  ],
  504: ["fork-late"],
} as const;
type Statuses = typeof statuses;
export type KnownCode = Statuses[keyof Statuses][number];

const byCode: ReadonlyMap<string, number> = new Map(
  Object.entries(statuses).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
);
export const knownCodes: readonly string[] = [...byCode.keys()];

/** A refusal of a driver or a hook is 422: what was asked for cannot be done as it is. */
export const statusOf = (code: string): number => byCode.get(code) ?? 422;
