/**
 * The host as the commands see it, wherever it runs: in this process, or in a server. Types only. Same names and shapes
 * as `SessionHost`, so that a command cannot tell the two apart unless it asks.
 */
import type { InputsOf, SessionEvent, SessionHost, SessionId, Snapshot, Work } from "@mooring/host";
import type { Environment } from "./data-dir.ts";

/** `at`: when it was stored, in ms since the epoch. */
export type Delivered =
  | { readonly cursor: string; readonly at: number; readonly event: SessionEvent }
  | { readonly cursor: string; readonly event: Snapshot };

type Called =
  | "agents"
  | "rules"
  | "create"
  | "get"
  | "list"
  | "update"
  | "remove"
  | "restore"
  | "submit"
  | "stop"
  | "resume"
  | "answer"
  | "approvals"
  | "messages"
  | "turns"
  | "snapshot"
  | "fork"
  | "export"
  | "import"
  | "drivers"
  | "backup";
export type CommandHost = Pick<SessionHost, Called> & {
  inputs(id: string): Omit<InputsOf, "get" | "extend">;
  /**
   * From a cursor on, without a gap and without an end until the signal. `onLost`: a server did not answer, `attempts`
   * times in a row; it is tried again.
   */
  events(
    id: string,
    o: {
      readonly after: string;
      readonly signal: AbortSignal;
      readonly onLost?: (loss: { readonly problem: Error | null; readonly attempts: number }) => void;
    },
  ): AsyncIterable<Delivered>;
};

export type OpenHost = {
  readonly host: CommandHost;
  readonly dataDir: string;
  /** Null: the host is in this process, and its turns end with it. */
  readonly server: RunningServer | null;
  /** Before it closes, turns get `graceMs`. Nothing happens to a server: its turns go on. */
  leave(graceMs: number): Promise<void>;
};
/** What only a server can do: it is still there when the command is over. */
export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  readonly version: string;
  /** In force, by reason. */
  pauses(): Promise<readonly string[]>;
  /** No turn starts until `resume` with the same reason. */
  pause(reason: string): Promise<void>;
  resume(reason: string): Promise<void>;
  work(): Promise<readonly Work[]>;
  /** Waits for work in flight to end. Resolves to the sessions where it did not. */
  drain(timeoutMs: number): Promise<readonly SessionId[]>;
}

export type HostRequest = {
  readonly env: Environment;
  readonly cwd: string;
  /** What a second process is told that runs here. */
  readonly command: string;
  /** Directories a new session may work in, when the host is in this process. */
  readonly roots: readonly string[];
  /** Turns may start. A listing starts none. */
  readonly runsTurns: boolean;
  /** The host's log is written, all of it. */
  readonly debug: boolean;
  /** Where it is written to. */
  err(text: string): void;
};
/**
 * Finds the host or opens one, and closes what it opened. Rejects with what `work` rejects with, or with the reason why
 * there is no host, `data-dir-in-use` for one.
 */
export type WithHost = <T>(request: HostRequest, work: (opened: OpenHost) => Promise<T>) => Promise<T>;
