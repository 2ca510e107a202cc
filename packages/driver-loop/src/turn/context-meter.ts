/** How full the model's context window is: what the last request said, or an estimate until one has. */
import type { ContextUsage, TokenUsage } from "@mooring/host/driver";
import type { ModelMessage } from "ai";
import { estimatedTokens } from "../conversation/transcript.ts";
import { limits } from "../limits.ts";

export class ContextMeter {
  /** Tokens of the last request and its answer; null: unknown, for example after a compaction. */
  #used: number | null = null;
  #window: number;

  /** `window` in tokens. */
  constructor(window: number) {
    this.#window = window;
  }

  get usage(): ContextUsage | null {
    return this.#used === null ? null : { used: this.#used, window: this.#window };
  }

  get window(): number {
    return this.#window;
  }

  set window(tokens: number) {
    this.#window = tokens;
  }

  report({ input, output }: TokenUsage): void {
    this.#used = input + output;
  }

  usageOf({ input, output }: TokenUsage): ContextUsage {
    return { used: input + output, window: this.#window };
  }

  /** The next request is another one than the last. */
  forget(): void {
    this.#used = null;
  }

  /** Whether these messages should be compacted before they are sent. */
  isFull(messages: readonly ModelMessage[]): boolean {
    return (this.#used ?? estimatedTokens(messages)) >= this.#window * limits.compactAt;
  }
}
