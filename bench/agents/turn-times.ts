/** When a turn spoke first, and when it was over, in milliseconds from the moment it was asked for. */
export type TurnTimes = { readonly first: number; readonly whole: number };

export class TurnWatch {
  readonly #from = performance.now();
  #first = Number.NaN;

  /** The first time counts. */
  spoke(): void {
    if (Number.isNaN(this.#first)) this.#first = performance.now() - this.#from;
  }
  ended(): TurnTimes {
    return { first: this.#first, whole: performance.now() - this.#from };
  }
}
