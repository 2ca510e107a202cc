/**
 * Codes that open the page once, in place of the token in an address. Invariants: a code is good once and for a short
 * time; codes that nobody used are few.
 */
import { randomBytes } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";
import type { HttpLimits } from "../limits.ts";
import { sameText } from "./same-text.ts";

type Code = { readonly text: string; readonly until: number };

export class LoginCodes {
  readonly #clock: Clock;
  readonly #limits: Pick<HttpLimits, "loginCodes" | "loginCodeMs">;
  #open: Code[] = [];

  constructor(clock: Clock, limits: Pick<HttpLimits, "loginCodes" | "loginCodeMs">) {
    this.#clock = clock;
    this.#limits = limits;
  }

  make(): string {
    const text = randomBytes(32).toString("base64url");
    const until = this.#clock.monotonic() + this.#limits.loginCodeMs;
    this.#open = [...this.#fresh(), { text, until }].slice(-this.#limits.loginCodes);
    return text;
  }
  /** False: it never was one, or was used, or is too old. */
  use(text: string): boolean {
    const fresh = this.#fresh();
    const left = fresh.filter((code) => !sameText(code.text, text));
    this.#open = left;
    return left.length < fresh.length;
  }
  #fresh(): Code[] {
    const now = this.#clock.monotonic();
    return this.#open.filter(({ until }) => until > now);
  }
}
