/** An async iterable a test fills by hand. One consumer; what was pushed before the end is read before the end. */
export class PushStream<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #waiting: ((result: Promise<IteratorResult<T>>) => void) | null = null;
  #end: { readonly cause: unknown } | null = null;
  #pulls = 0;

  /** How often the consumer asked for the next item. */
  get pulls(): number {
    return this.#pulls;
  }
  push(item: T): void {
    if (this.#end) return;
    this.#items.push(item);
    this.#serve();
  }
  /** `cause`: the consumer's next read throws it. */
  end(cause?: unknown): void {
    this.#end ??= { cause };
    this.#serve();
  }
  [Symbol.asyncIterator](): AsyncIterator<T> {
    return {
      next: () => {
        this.#pulls++;
        return new Promise((resolve) => {
          this.#waiting = resolve;
          this.#serve();
        });
      },
    };
  }
  #serve(): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    const [item] = this.#items.splice(0, 1);
    if (item === undefined && !this.#end) return;
    this.#waiting = null;
    if (item !== undefined) waiting(Promise.resolve({ done: false, value: item }));
    else if (this.#end?.cause === undefined) waiting(Promise.resolve({ done: true, value: undefined }));
    else waiting(Promise.reject(this.#end.cause));
  }
}
