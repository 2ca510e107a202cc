/**
 * Tells what happens: extensions first, each awaited, then subscribers. Invariants: a listener that throws is reported
 * and keeps no other from hearing; a new name is told to subscribers first.
 */
import type { ExtensionRunner } from "../extensions/extension-runner.ts";
import { inHandler } from "../extensions/handler-scope.ts";
import type { ExtensionEvents, SharedEventType } from "../extensions/types.ts";
import type { AgentSessionEvent, AgentSessionEventListener } from "./session-event.ts";

const forSubscribersOnly: readonly AgentSessionEvent["type"][] = [
  "queue_update",
  "entry_appended",
  "approval_requested",
  "approval_closed",
  "notice",
];
const isShared = (event: AgentSessionEvent): event is Extract<AgentSessionEvent, { type: SharedEventType }> =>
  !forSubscribersOnly.includes(event.type);

export class EventTeller {
  readonly #runner: ExtensionRunner;
  readonly #listeners = new Set<{ readonly listener: AgentSessionEventListener }>();

  constructor(runner: ExtensionRunner) {
    this.#runner = runner;
  }
  subscribe(listener: AgentSessionEventListener): () => void {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }
  clear(): void {
    this.#listeners.clear();
  }
  async tell(event: AgentSessionEvent): Promise<void> {
    const subscribersFirst = event.type === "session_info_changed";
    if (subscribersFirst) await this.#tellSubscribers(event);
    if (isShared(event) && this.#runner.has(event.type))
      await this.#runner.tell(event.type, event as ExtensionEvents[SharedEventType]["event"]);
    if (!subscribersFirst) await this.#tellSubscribers(event);
  }
  async #tellSubscribers(event: AgentSessionEvent): Promise<void> {
    if (this.#listeners.size === 0) return;
    for (const { listener } of [...this.#listeners])
      try {
        await inHandler(event.type, () => listener(event));
      } catch (cause) {
        this.#runner.report("<subscriber>", event.type, cause);
      }
  }
}
