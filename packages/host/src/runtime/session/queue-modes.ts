/**
 * How many of the inputs that wait an agent gets at once. Invariant: nothing waits here: steers are taken by the agent,
 * which asks for the mode; follow-ups wait with the host, where one that is to come together with another is made part of
 * it.
 */
import type { SessionHost } from "../../index.ts";
import { UnsupportedByDriver } from "../errors.ts";
import type { SettingsManager } from "../services/settings-manager.ts";

/** The original's words. */
export type QueueMode = "all" | "one-at-a-time";

export class QueueModes {
  readonly #host: SessionHost;
  readonly #driver: string;
  #steering: QueueMode;
  /** Of follow-ups from now on. */
  followUp: QueueMode;

  /** `driver`: of the session's agent. */
  constructor(host: SessionHost, driver: string, settings: SettingsManager) {
    this.#host = host;
    this.#driver = driver;
    this.#steering = settings.get("steeringMode") ?? "one-at-a-time";
    this.followUp = settings.get("followUpMode") ?? "one-at-a-time";
  }
  get steering(): QueueMode {
    return this.#steering;
  }
  /** From the agent's next request on. Throws `UnsupportedByDriver` for one that takes steers its own way. */
  set steering(mode: QueueMode) {
    if (this.#host.capabilities(this.#driver).steeringModes !== true)
      throw new UnsupportedByDriver("choice of how many steers are taken at once", this.#driver);
    this.#steering = mode;
  }
}
