/** Bounds what a case waits for; what does not come breaks the requirement the case is about. */
import { systemClock } from "../../host/system-clock.ts";
import { ContractBroken } from "./broken.ts";
import type { RequirementId } from "./requirements.ts";

export class Deadline {
  readonly #requirement: RequirementId;
  readonly #ms: number;

  constructor(requirement: RequirementId, ms: number) {
    this.#requirement = requirement;
    this.#ms = ms;
  }

  broken(text: string): ContractBroken {
    return new ContractBroken([{ requirement: this.#requirement, text }]);
  }

  /** Settles with `work`. `story`: what is known when the time is over. */
  within<T>(what: string, work: Promise<T>, story: () => string = () => ""): Promise<T> {
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancel = systemClock.after(this.#ms, () => {
        reject(this.broken(`waited ${this.#ms} ms for ${what}; ${story()}`));
      });
    });
    return Promise.race([work, late]).finally(() => cancel());
  }
}
