/**
 * Names the session a runtime is to have: a new stored one, a new one in memory, or one that is there. It holds no
 * conversation: that is the store's. Invariant: a new session's id is known at once, its row exists from its first input
 * on.
 */
import { MooringError, systemIds } from "../../index.ts";
import { Draft } from "./draft.ts";

export type SessionTarget =
  | { readonly kind: "new"; readonly where: "stored" | "memory" }
  /** By its id. */
  | { readonly kind: "open"; readonly where: "stored" | "memory"; readonly reference: string };
export type NewSessionManagerOptions = {
  /** 1 to 128 letters, digits, dots, dashes or underscores. */
  readonly id?: string;
  readonly parentSession?: string;
};

export class SessionManager {
  readonly target: SessionTarget;
  readonly parentSession: string | undefined;
  readonly draft = new Draft();
  #cwd: string;
  #id: string;

  private constructor(target: SessionTarget, cwd: string, id: string, parentSession?: string) {
    this.target = target;
    this.#cwd = cwd;
    this.#id = id;
    this.parentSession = parentSession;
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
  isPersisted(): boolean {
    return this.target.where === "stored";
  }
  /** An opened session was found. */
  resolved(id: string, cwd: string): void {
    this.#id = id;
    this.#cwd = cwd;
  }
}

function checkedId(id: string = systemIds.uuid()): string {
  if (/^[A-Za-z0-9._-]{1,128}$/.test(id) && !id.startsWith("ses_")) return id;
  throw new MooringError("bad-session", `"${id}" cannot be the id of a session: use letters, digits, dots and dashes.`);
}
