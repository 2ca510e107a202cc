/** The one door to child processes. Every child has a pipe as stdin, an explicit environment and a recorded start. */
import type { Readable, Writable } from "node:stream";

export type SpawnOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** For what: shown in `listActiveWork`, stored with the pid. */
  readonly purpose: string;
  /** The session it works for, if any: recovery ends its orphans before the native session is resumed. */
  readonly session?: string;
  /** Bytes of stderr kept, redacted; default 2 048. */
  readonly stderrTail?: number;
};
export type ChildExit = {
  readonly code: number | null;
  readonly signal: string | null;
  /** The last bytes of stderr, redacted. */
  readonly stderr: string;
  /** Descendants that were still alive after the end and had to be ended: escaped ones, and those deaf to SIGTERM. */
  readonly survivors: readonly number[];
};

export interface ChildHandle {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * Resolves once, after stdout and stderr ended or 200 ms after the exit. Never rejects. After an exit nobody asked for,
   * `survivors` are the descendants left behind (they are being ended); after `end`, its own answer names them.
   */
  readonly exited: Promise<ChildExit>;
  /**
   * Ends the child and its descendants, listed before the first signal: SIGTERM, `graceMs` (default 2 000), SIGKILL.
   * Resolves when all are gone; called again it joins the first, and a shorter grace shortens it. Never rejects.
   */
  end(graceMs?: number): Promise<ChildExit>;
}

export interface Processes {
  /**
   * Resolves when the child runs and is recorded; listeners attached in that tick miss no output. Rejects with a
   * `ProcessError`: `command-not-found`, `directory-missing`, `spawn-failed`, `process-unrecorded`,
   * `too-many-processes` or `supervisor-stopped`.
   */
  spawn(options: SpawnOptions): Promise<ChildHandle>;
  /** Children alive now. */
  list(): readonly {
    readonly pid: number;
    readonly purpose: string;
    readonly session: string | null;
    readonly startedAt: number;
  }[];
}
