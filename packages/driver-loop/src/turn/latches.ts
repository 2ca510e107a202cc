/** Things that happen once, by id, and those who wait for them. */
type Latch = { readonly opened: Promise<void>; readonly open: () => void };

export class Latches {
  readonly #latches = new Map<string, Latch>();

  open(id: string): void {
    this.#latch(id).open();
  }
  /** Resolves once `open` was called. */
  opened(id: string): Promise<void> {
    return this.#latch(id).opened;
  }
  #latch(id: string): Latch {
    const known = this.#latches.get(id);
    if (known !== undefined) return known;
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const latch = { opened, open };
    this.#latches.set(id, latch);
    return latch;
  }
}
