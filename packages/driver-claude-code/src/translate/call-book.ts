/**
 * Tool calls as they were told: whoever decides about one waits here until it was shown, and until it is known whether
 * it is the only one of its answer. Invariant: only a call that is alone in a complete, streamed answer counts as alone.
 */

type Answer = { readonly calls: Set<string>; isOver: boolean };
type Watcher = { readonly isDue: () => boolean; readonly tell: () => void };

export class CallBook {
  readonly #shown = new Map<string, Answer | null>();
  /** The answer that is streamed now. */
  #answer: Answer = { calls: new Set(), isOver: true };
  #watchers: Watcher[] = [];

  answerBegan(): void {
    this.#answer = { calls: new Set(), isOver: false };
  }
  answerEnded(): void {
    this.#answer.isOver = true;
    this.#tell();
  }

  /** `isStreamed`: it belongs to the answer that is streamed now. */
  show(toolCallId: string, isStreamed: boolean): void {
    if (isStreamed) this.#answer.calls.add(toolCallId);
    this.#shown.set(toolCallId, isStreamed ? this.#answer : null);
    this.#tell();
  }

  async shown(toolCallId: string): Promise<void> {
    await this.#until(() => this.#shown.has(toolCallId));
  }

  /** Resolves when it is certain. A call that was not streamed is not alone. */
  async isAlone(toolCallId: string): Promise<boolean> {
    const answer = this.#shown.get(toolCallId);
    if (answer === undefined || answer === null) return false;
    await this.#until(() => answer.isOver);
    return answer.calls.size === 1;
  }

  /** The turn is over: its calls are not asked about any more. */
  clear(): void {
    this.#answer.isOver = true;
    this.#tell();
    this.#shown.clear();
  }

  #until(isDue: () => boolean): Promise<void> {
    return new Promise((tell) => {
      this.#watchers.push({ isDue, tell });
      this.#tell();
    });
  }

  #tell(): void {
    const waiting = this.#watchers;
    this.#watchers = [];
    for (const watcher of waiting) {
      if (watcher.isDue()) watcher.tell();
      else this.#watchers.push(watcher);
    }
  }
}
