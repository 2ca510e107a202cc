/** What the agent reads: messages in the order they were written, until `end`. One reader, the SDK. */
import type { SdkUserMessage } from "./sdk.ts";

export class MessageStream implements AsyncIterable<SdkUserMessage> {
  readonly #messages: SdkUserMessage[] = [];
  #isEnded = false;
  #wake: () => void = () => {};

  write(uuid: string, content: readonly unknown[]): void {
    this.#messages.push({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, uuid });
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SdkUserMessage, void, void> {
    for (;;) {
      const next = this.#messages.shift();
      if (next !== undefined) yield next;
      else if (this.#isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
