/** Calls once at the end of a tick, however often it was asked to in it. Invariant: after `end` it calls no more. */
export class OncePerTick {
  readonly #call: () => void;
  #stage: "free" | "planned" | "over" = "free";

  constructor(call: () => void) {
    this.#call = call;
  }

  plan(): void {
    if (this.#stage !== "free") return;
    this.#stage = "planned";
    setImmediate(this.#run);
  }
  end(): void {
    this.#stage = "over";
  }
  readonly #run = (): void => {
    if (this.#stage !== "planned") return;
    this.#stage = "free";
    this.#call();
  };
}
