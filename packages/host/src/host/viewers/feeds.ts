/**
 * Who hears of new events. Publishing is synchronous and in the order of the commits; a subscriber that is too slow is
 * told so by its own bound (see `subscriber.ts`, `watch.ts`) and never holds up a session or another subscriber.
 */
import type { StoredEvent } from "../../protocol/events.ts";
import type { SessionId, SessionNo } from "../../protocol/ids.ts";

type Listener = (events: readonly StoredEvent[]) => void;
/** Hears of every session. `made`: it was not there before. */
export type Watcher = { readonly heard: Listener; readonly made: (session: SessionId) => void };

export class Feeds {
  readonly #listeners = new Map<SessionNo, Set<Listener>>();
  readonly #watchers = new Set<Watcher>();

  publish(session: SessionNo, events: readonly StoredEvent[]): void {
    if (events.length === 0) return;
    for (const listener of this.#listeners.get(session) ?? []) listener(events);
    for (const watcher of this.#watchers) watcher.heard(events);
  }
  /** A session was made. Its journal says nothing of that: it begins with its first input. */
  announce(session: SessionId): void {
    for (const watcher of this.#watchers) watcher.made(session);
  }
  listen(session: SessionNo, listener: Listener): () => void {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(session) === listeners) this.#listeners.delete(session);
    };
  }
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}
