/**
 * Who hears of a session's new events. Publishing is synchronous and in the order of the commits; a subscriber that is
 * too slow is told so by its own bound (see `subscriber.ts`) and never holds up a session or another subscriber.
 */
import type { StoredEvent } from "../protocol/events.ts";
import type { SessionNo } from "../protocol/ids.ts";

type Listener = (events: readonly StoredEvent[]) => void;

export class Feeds {
  readonly #listeners = new Map<SessionNo, Set<Listener>>();

  publish(session: SessionNo, events: readonly StoredEvent[]): void {
    if (events.length === 0) return;
    for (const listener of this.#listeners.get(session) ?? []) listener(events);
  }
  listen(session: SessionNo, listener: Listener): () => void {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(session) === listeners) this.#listeners.delete(session);
    };
  }
}
