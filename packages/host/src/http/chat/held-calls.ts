/**
 * Keeps back tool calls that wait behind a question. A chat client sends a person's answers only when every call of the
 * step it shows is over or answered; an agent that runs its calls one after the other asks about the first while the
 * others have neither been asked about nor begun, and a client that showed those would never answer.
 *
 * Known to have begun: the first call that is not over, one that was asked about or gave something, and every call before
 * such a one, for agents take calls in order. Invariants: chunks leave in the order they came, but for those of a call
 * that is shown already; what came behind a call that is kept back waits with it.
 */
import type { UIMessageChunk } from "../../protocol/chunks.ts";

type Call = { readonly id: string; readonly place: number; shown: boolean; whole: boolean };
type Kept = { readonly chunk: UIMessageChunk; readonly call: Call | null };

export class HeldCalls {
  readonly #calls = new Map<string, Call>();
  /** Not over, in the order they began. */
  readonly #live = new Set<Call>();
  #kept: Kept[] = [];
  /** Calls up to this place have begun for sure. */
  #begun = -1;
  /** Calls up to this place are shown. */
  #open = -1;

  /** Something is kept back, and the model has said all there is of it. */
  get isKeepingWhole(): boolean {
    const kept = [...this.#live].filter(({ shown }) => !shown);
    return kept.length > 0 && kept.every(({ whole }) => whole);
  }
  /** Calls that are shown and not over. */
  get shown(): readonly string[] {
    return [...this.#live].flatMap(({ id, shown }) => (shown ? [id] : []));
  }
  knows(toolCallId: string): boolean {
    return this.#calls.has(toolCallId);
  }

  /** What may be shown now that this came. */
  take(chunk: UIMessageChunk): readonly UIMessageChunk[] {
    const call = this.#note(chunk);
    const free = call === null || call.shown || call.place <= this.#limit();
    if (call?.shown !== true && (this.#kept.length > 0 || !free)) {
      this.#kept.push({ chunk, call });
      return this.#release();
    }
    if (call) call.shown = true;
    return [chunk, ...this.#release()];
  }
  /** This call is asked about: it and those before it are shown. */
  begin(toolCallId: string): readonly UIMessageChunk[] {
    this.#hasBegun(this.#calls.get(toolCallId));
    return this.#release();
  }
  /** All there is: nothing waits any more. */
  releaseAll(): readonly UIMessageChunk[] {
    this.#begun = this.#calls.size;
    return this.#release();
  }

  /** The call a chunk is about. */
  #note(chunk: UIMessageChunk): Call | null {
    switch (chunk.type) {
      case "tool-input-start":
      case "tool-input-delta":
        return this.#call(chunk.toolCallId);
      case "tool-input-available":
        return this.#whole(this.#call(chunk.toolCallId), chunk.providerExecuted === true);
      case "tool-approval-request": // one that was decided without a person
        return this.#hasBegun(this.#call(chunk.toolCallId));
      case "tool-output-available":
        return this.#gave(this.#call(chunk.toolCallId), chunk.preliminary !== true);
      case "tool-input-error":
      case "tool-output-error":
      case "tool-output-denied":
        return this.#gave(this.#call(chunk.toolCallId), true);
      case "start-step": // the model was asked again: it has every result
        this.#begun = this.#calls.size - 1;
        return null;
      default:
        return null;
    }
  }
  #call(id: string): Call {
    const known = this.#calls.get(id);
    if (known) return known;
    const call: Call = { id, place: this.#calls.size, shown: false, whole: false };
    this.#calls.set(id, call);
    this.#live.add(call);
    return call;
  }
  #whole(call: Call, byProvider: boolean): Call {
    call.whole = true;
    if (byProvider) this.#hasBegun(call);
    return call;
  }
  #gave(call: Call, isOver: boolean): Call {
    this.#hasBegun(call);
    if (isOver) this.#live.delete(call);
    return call;
  }
  #hasBegun<T extends Call | undefined>(call: T): T {
    this.#begun = Math.max(this.#begun, call?.place ?? -1);
    return call;
  }

  #limit(): number {
    const front = this.#live.values().next().value;
    return Math.max(this.#begun, front?.place ?? -1);
  }
  #release(): readonly UIMessageChunk[] {
    const limit = this.#limit();
    if (this.#kept.length === 0 || limit <= this.#open) return this.#opened(limit, []);
    const [out, kept]: [UIMessageChunk[], Kept[]] = [[], []];
    let blocked = false;
    for (const one of this.#kept) {
      const { chunk, call } = one;
      const passes = call === null ? !blocked : call.shown || call.place <= limit;
      if (!passes) {
        blocked = true;
        kept.push(one);
        continue;
      }
      if (call) call.shown = true;
      out.push(chunk);
    }
    this.#kept = kept;
    return this.#opened(limit, out);
  }
  #opened(limit: number, out: readonly UIMessageChunk[]): readonly UIMessageChunk[] {
    this.#open = Math.max(this.#open, limit);
    return out;
  }
}
