/** Errors of the session runtime. Each is a `MooringError`: `code` is stable, the message says what to do. */
import { MooringError } from "../index.ts";

/** `code: "missing-session-cwd"`: the directory a stored session works in is not there. Nothing was opened or changed. */
export class MissingSessionCwdError extends MooringError {
  readonly sessionFile: string;
  readonly sessionCwd: string;
  /** Where the program runs: pass it as the cwd override to go on there. */
  readonly fallbackCwd: string;
  constructor(where: { readonly sessionFile: string; readonly sessionCwd: string; readonly fallbackCwd: string }) {
    const { sessionFile, sessionCwd, fallbackCwd } = where;
    super(
      "missing-session-cwd",
      `The session works in ${sessionCwd}, which is not there. Name another directory, for example ${fallbackCwd}.`,
      { detail: { sessionFile, sessionCwd, fallbackCwd } },
    );
    this.name = "MissingSessionCwdError";
    this.sessionFile = sessionFile;
    this.sessionCwd = sessionCwd;
    this.fallbackCwd = fallbackCwd;
  }
}
/** `code: "import-file-not-found"`. */
export class SessionImportFileNotFoundError extends MooringError {
  readonly filePath: string;
  constructor(filePath: string) {
    super("import-file-not-found", `There is no file ${filePath}. Name an existing session file.`, {
      detail: { filePath },
    });
    this.name = "SessionImportFileNotFoundError";
    this.filePath = filePath;
  }
}
/** `code: "session-closed"`: this `AgentSession` was disposed of or replaced. */
export class SessionClosedError extends MooringError {
  constructor(sessionId: string) {
    super("session-closed", "This session was closed or replaced. Use the runtime's current session.", {
      detail: { sessionId },
    });
    this.name = "SessionClosedError";
  }
}
/** `code: "stale-context"`: an extension kept what it was given by a session that is over. */
export class StaleContextError extends MooringError {
  constructor() {
    super(
      "stale-context",
      "The session this context belongs to was replaced, reloaded or closed. Move later work into `withSession`.",
    );
    this.name = "StaleContextError";
  }
}
/** `code: "would-deadlock"`: a handler or tool asked for something that waits for that handler or tool. */
export class WouldDeadlockError extends MooringError {
  constructor(what: string, inside: string) {
    super(
      "would-deadlock",
      `${what} waits for the run to end, and was called by a handler of "${inside}" that the run waits for. Call it after the handler returned.`,
      { detail: { what, inside } },
    );
    this.name = "WouldDeadlockError";
  }
}
/** `code: "unsupported-by-driver"`: the agent behind this session cannot do that. */
export class UnsupportedByDriver extends MooringError {
  constructor(what: string, driver: string) {
    super("unsupported-by-driver", `The driver "${driver}" has no ${what}. Use another driver, or do without.`, {
      detail: { what, driver },
    });
    this.name = "UnsupportedByDriver";
  }
}
/** What a busy session answers to what would have to wait. */
export const sessionBusy = (): MooringError =>
  new MooringError(
    "session-busy",
    "The session is already processing. Give the prompt a streamingBehavior, or wait for waitForIdle().",
    { retry: "later" },
  );
