/**
 * Logins of `auth.json` that expire: refreshed when they are needed and due, by what the program registered for their
 * provider, and written back. Invariants: one refresh of a provider at a time; a file that other programs write too loses
 * nothing of theirs; a refresh that fails leaves the file as it was.
 */
import { chmod, open, rename } from "node:fs/promises";
import { MooringError, messageOf, systemClock } from "../../index.ts";
import { runtimeLimits } from "../limits.ts";
import { readJson } from "./read-json.ts";

export type OAuthCredentials = {
  readonly access: string;
  readonly refresh: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  readonly [other: string]: unknown;
};
/** How a provider's logins are kept alive. */
export type OAuthProvider = {
  /** Asked one at a time. `signal` aborts after half a minute: what comes later is not used. */
  refreshToken(credentials: OAuthCredentials, signal: AbortSignal): Promise<OAuthCredentials>;
  /** What is sent as the key; absent: `access`. */
  getApiKey?(credentials: OAuthCredentials): string;
};

export class Logins {
  /** Null: there is no file, and what is refreshed is kept in memory only. */
  readonly #path: string | null;
  readonly #credentials = new Map<string, OAuthCredentials>();
  readonly #providers = new Map<string, OAuthProvider>();
  readonly #refreshing = new Map<string, Promise<string>>();
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string | null) {
    this.#path = path;
  }
  add(provider: string, credentials: OAuthCredentials): void {
    this.#credentials.set(provider, credentials);
  }
  register(provider: string, how: OAuthProvider): void {
    this.#providers.set(provider, how);
  }
  /** Those that can be used: there is a login, and a way to refresh it. */
  get providers(): readonly string[] {
    return [...this.#credentials.keys()].filter((provider) => this.#providers.has(provider));
  }
  get unusable(): readonly string[] {
    return [...this.#credentials.keys()].filter((provider) => !this.#providers.has(provider));
  }
  isDue(provider: string): boolean {
    const { expires = Number.POSITIVE_INFINITY } = this.#credentials.get(provider) ?? {};
    return expires - runtimeLimits.loginMarginMs <= systemClock.now();
  }
  /** Null: there is no usable login. Rejects with `login-not-refreshed`. */
  async keyOf(provider: string): Promise<string | null> {
    const [credentials, how] = [this.#credentials.get(provider), this.#providers.get(provider)];
    if (credentials === undefined || how === undefined) return null;
    if (!this.isDue(provider)) return keyIn(how, credentials);
    const running = this.#refreshing.get(provider) ?? this.#begin(provider, how, credentials);
    return running;
  }
  /** Every refresh under way is over, and what it brought is written. Never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#refreshing.values());
    await this.#writing.catch(() => {}); // told to who asked for the key
  }

  #begin(provider: string, how: OAuthProvider, credentials: OAuthCredentials): Promise<string> {
    const refreshing = this.#refresh(provider, how, credentials).finally(() => this.#refreshing.delete(provider));
    this.#refreshing.set(provider, refreshing);
    return refreshing;
  }
  async #refresh(provider: string, how: OAuthProvider, credentials: OAuthCredentials): Promise<string> {
    try {
      const fresh = await inTime((signal) => how.refreshToken(credentials, signal));
      this.#credentials.set(provider, fresh);
      await this.#write(provider, fresh);
      return keyIn(how, fresh);
    } catch (cause) {
      throw new MooringError(
        "login-not-refreshed",
        `The login of "${provider}" could not be refreshed: ${messageOf(cause)}. Log in again, or give an API key.`,
        { cause, detail: { provider } },
      );
    }
  }
  #write(provider: string, fresh: OAuthCredentials): Promise<void> {
    const path = this.#path;
    if (path === null) return Promise.resolve();
    this.#writing = this.#writing.catch(() => {}).then(() => replaceEntry(path, provider, fresh));
    return this.#writing;
  }
}
const keyIn = (how: OAuthProvider, credentials: OAuthCredentials): string =>
  how.getApiKey?.(credentials) ?? credentials.access;

/** Rejects when it takes too long, whether or not the work heeds its signal. */
async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const disarm = systemClock.after(runtimeLimits.loginRefreshMs, () => {
    const cause = new MooringError("login-late", `it took longer than ${runtimeLimits.loginRefreshMs} ms`);
    late.abort(cause);
    reject(cause);
  });
  try {
    return await Promise.race([work(late.signal), promise]);
  } finally {
    disarm();
  }
}
/** A new file beside the old one, for its owner's eyes only, flushed, then renamed over it. */
async function replaceEntry(path: string, provider: string, fresh: OAuthCredentials): Promise<void> {
  const all = { ...Object(await readJson(path)), [provider]: { ...fresh, type: "oauth" } };
  const part = `${path}.new`;
  const file = await open(part, "w", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(all, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(part, 0o600);
  await rename(part, path);
}
