/** A chat client that comes back for as long as the turn runs: what `useChat` does in a page whose network breaks. */
import type { TestChat } from "../../../packages/host/src/http/chat/test-chat.ts";

export class ChatViewer {
  /** How often it asked for its stream again. */
  returns = 0;
  /** Resolves when nothing is asked any more. */
  readonly over: Promise<void>;
  readonly #chat: TestChat;
  #asked: Promise<void>[] = [];
  #isLeaving = false;

  constructor(chat: TestChat, first: string) {
    this.#chat = chat;
    this.#asked.push(chat.send(first));
    this.over = this.#follow();
  }
  say(text: string): void {
    this.#asked.push(this.#chat.send(text));
  }
  /** It stays to the end of what it is shown, if nothing breaks, and does not come back. */
  leaveAtTheEnd(): void {
    this.#isLeaving = true;
  }
  async #follow(): Promise<void> {
    for (;;) {
      while (this.#asked.length > 0) await Promise.all(this.#asked.splice(0));
      if (this.#isLeaving) return;
      this.returns++;
      this.#asked.push(this.#chat.resume());
    }
  }
}
