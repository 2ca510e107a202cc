/** The host's virtual clock, which also tells a test when something waits for it. */
import { VirtualClock } from "@mooring/host/testing";

export class WatchedClock extends VirtualClock {
  #watchers: (() => void)[] = [];

  override after(ms: number, call: () => void): () => void {
    const cancel = super.after(ms, call);
    for (const armed of this.#watchers.splice(0)) armed();
    return cancel;
  }

  /** Resolves when a timer is armed. */
  armed(): Promise<void> {
    return this.pending().length > 0 ? Promise.resolve() : new Promise((resolve) => this.#watchers.push(resolve));
  }
}
