/**
 * Holds back notes an agent repeats (context, background): at most one of a kind per interval, the newest, at its end.
 * Notes of one background task are kept apart from another's, so that no task's last state is lost.
 */
import type { Clock } from "../../ports/clock.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";

/** Kinds of notes held at once; with more, all go out early. */
const maxHeld = 256;
type Held = { newest: AgentEvent | null; readonly cancel: () => void };

export class NoteThrottle {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #post: (event: AgentEvent) => void;
  readonly #held = new Map<string, Held>();

  constructor(clock: Clock, ms: number, post: (event: AgentEvent) => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#post = post;
  }

  /** Posts the event now, or keeps it for the end of its kind's interval. */
  offer(event: AgentEvent): void {
    const kind = kindOf(event);
    if (kind === null) return this.#post(event);
    const held = this.#held.get(kind);
    if (held) {
      held.newest = event;
      return;
    }
    if (this.#held.size >= maxHeld) this.flush();
    this.#post(event);
    this.#wait(kind);
  }
  /** Lets out what is held: the connection says nothing more. */
  flush(): void {
    for (const newest of this.drop()) this.#post(newest);
  }
  /** Forgets what is held and returns it. */
  drop(): readonly AgentEvent[] {
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const { cancel } of held) cancel();
    return held.flatMap(({ newest }) => (newest ? [newest] : []));
  }
  #wait(kind: string): void {
    const cancel = this.#clock.after(this.#ms, () => {
      const newest = this.#held.get(kind)?.newest;
      this.#held.delete(kind);
      if (!newest) return;
      this.#post(newest);
      this.#wait(kind);
    });
    this.#held.set(kind, { newest: null, cancel });
  }
}
function kindOf(event: AgentEvent): string | null {
  if (event.type !== "note") return null;
  if (event.note.kind === "context") return "context";
  if (event.note.kind !== "background") return null;
  const { data } = event.note;
  return typeof data === "object" && data !== null && "taskId" in data ? `task:${String(data.taskId)}` : "background";
}
