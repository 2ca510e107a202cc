/**
 * Names the session a runtime is to have: a new stored one, a new one in memory, or one that is there. It holds no
 * conversation: that is the store's. Invariant: a new session's id is known at once, its row exists from its first input
 * on.
 */
import { MooringError, systemIds } from "../../index.ts";
import { findSessionFile, listSessionFiles, type SessionFileInfo } from "../jsonl/session-directory.ts";
import { Draft } from "./draft.ts";

export type SessionTarget =
  | { readonly kind: "new"; readonly where: "stored" | "memory" }
  /** By its id. */
  | { readonly kind: "open"; readonly where: "stored" | "memory"; readonly reference: string };
export type NewSessionManagerOptions = {
  /** 1 to 128 letters, digits, dots, dashes or underscores. */
  readonly id?: string;
  /** The session it continues or comes from: kept with it, and written into its file. */
  readonly parentSession?: string;
};
/** Kind of the entry that keeps the parent of a session that is no fork. */
export const parentEntry = "mooring.parent";

export class SessionManager {
  readonly target: SessionTarget;
  readonly draft = new Draft();
  #cwd: string;
  #id: string;
  #parent: string | undefined;

  private constructor(target: SessionTarget, cwd: string, id: string, parentSession?: string) {
    this.target = target;
    this.#cwd = cwd;
    this.#id = id;
    this.#parent = parentSession;
    if (target.kind === "new" && parentSession !== undefined)
      this.draft.appendCustomEntry(parentEntry, { parentSession });
  }
  /** Kept in the host's store. Throws `bad-session` for an id that cannot be one. */
  static create(cwd: string, options: NewSessionManagerOptions = {}): SessionManager {
    return new SessionManager({ kind: "new", where: "stored" }, cwd, checkedId(options.id), options.parentSession);
  }
  /** Gone with the program. */
  static inMemory(cwd: string = process.cwd(), options: NewSessionManagerOptions = {}): SessionManager {
    return new SessionManager({ kind: "new", where: "memory" }, cwd, checkedId(options.id), options.parentSession);
  }
  /** By id, as `getSessionFile` gives it. A session file is read in by `AgentSessionRuntime.switchSession`. */
  static open(
    reference: string,
    { where = "stored", parentSession }: { readonly where?: "stored" | "memory"; readonly parentSession?: string } = {},
  ): SessionManager {
    return new SessionManager({ kind: "open", where, reference }, "", reference, parentSession);
  }

  /**
   * The session file with exactly this id in a directory of the program's own, for `switchSession`; undefined where there
   * is none that works in `cwd`. Rejects with `bad-session-directory`. What the host stores: `SessionHost.get`.
   */
  static findById(cwd: string, id: string, sessionDir: string): Promise<string | undefined> {
    return findSessionFile(sessionDir, id, cwd);
  }
  /** The session files there that work in `cwd`, newest first. Rejects as `findById`. */
  static list(cwd: string, sessionDir: string): Promise<readonly SessionFileInfo[]> {
    return listSessionFiles(sessionDir, cwd);
  }
  /** Those of every `cwd`. */
  static listAll(sessionDir: string): Promise<readonly SessionFileInfo[]> {
    return listSessionFiles(sessionDir, null);
  }

  getCwd(): string {
    return this.#cwd;
  }
  getSessionId(): string {
    return this.#id;
  }
  /** What `SessionManager.open` and `switchSession` take; undefined for one in memory. */
  getSessionFile(): string | undefined {
    return this.isPersisted() ? this.#id : undefined;
  }
  /** Of an opened session: what it was forked from. */
  get parentSession(): string | undefined {
    return this.#parent;
  }
  isPersisted(): boolean {
    return this.target.where === "stored";
  }
  /** An opened session was found. */
  resolved({ id, cwd, parent }: { readonly id: string; readonly cwd: string; readonly parent: string | null }): void {
    this.#id = id;
    this.#cwd = cwd;
    this.#parent ??= parent ?? undefined;
  }
}

function checkedId(id: string = systemIds.uuid()): string {
  if (/^[A-Za-z0-9._-]{1,128}$/.test(id) && !id.startsWith("ses_")) return id;
  throw new MooringError("bad-session", `"${id}" cannot be the id of a session: use letters, digits, dots and dashes.`);
}
