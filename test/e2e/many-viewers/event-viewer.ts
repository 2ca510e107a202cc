/** A viewer of one session through the client's event iterator, which builds the messages from what it heard and nothing else. */
import type { MooringClient } from "@mooring/client";
import type { UIMessage } from "../../../packages/host/src/protocol/chunks.ts";
import { type Fold, foldChunk, snapshot, startFold } from "../../../packages/host/src/protocol/fold.ts";

type Heard = Parameters<typeof foldChunk>[1];

export class EventViewer {
  /** How often its stream was lost; it came back each time. */
  returns = 0;
  /** Cursors in the order they came. */
  readonly cursors: string[] = [];
  /** Resolves when the turn is over, with the messages in the order of the session. */
  readonly messages: Promise<readonly UIMessage[]>;
  readonly #byId = new Map<string, UIMessage>();
  readonly #folds = new Map<string, Fold>();

  /** `after`: where the session begins. */
  constructor(client: MooringClient, id: string, after: string) {
    this.messages = this.#read(client, id, after);
  }
  async #read(client: MooringClient, id: string, after: string): Promise<readonly UIMessage[]> {
    const onLost = (): void => void this.returns++;
    for await (const { cursor, event } of client.events(id, { after, onLost })) {
      this.cursors.push(cursor);
      if (event.type === "message.opened") this.#folds.set(event.messageId, startFold(event.messageId));
      if (event.type === "message.dropped") this.#folds.delete(event.messageId);
      if (event.type === "chunk") this.#fold(event.messageId, event.chunk as unknown as Heard);
      // A user's message comes whole; an assistant's is what was heard of it.
      if (event.type === "message.closed" && event.message?.role === "user")
        this.#byId.set(event.messageId, event.message as unknown as UIMessage);
      if (event.type === "turn.settled") break;
    }
    return [...this.#byId.values()];
  }
  #fold(id: string, chunk: Heard): void {
    const fold = this.#folds.get(id);
    if (fold === undefined) return;
    foldChunk(fold, chunk);
    this.#byId.set(id, snapshot(fold));
  }
}
