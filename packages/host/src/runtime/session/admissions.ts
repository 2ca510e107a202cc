/**
 * Inputs on their way into the session: from the call until the host has stored or refused them. Invariants: an input
 * counts from the moment of the call; a stop reaches it wherever it is, and wins over the handlers of `input`; whether an
 * input is taken is decided by the host alone.
 */
import { type HostHooks, type InputId, MooringError, type NewInput, type Part, type Receipt } from "../../index.ts";
import type { ExtensionRunner } from "../extensions/extension-runner.ts";
import type { InputSource } from "../extensions/types.ts";
import type { HostedSession } from "./hosted-session.ts";
import { textOf, textPart } from "./user-parts.ts";

type AdmitCall = Parameters<NonNullable<HostHooks["admit"]>>[0];
type Verdict = Awaited<ReturnType<NonNullable<HostHooks["admit"]>>>;
type Admission = {
  readonly source: InputSource;
  /** Added behind the person's own words. */
  readonly added: readonly Part[];
  readonly cancelled: Promise<"cancelled">;
  readonly cancel: () => void;
  isCancelled: boolean;
};
export type AdmitOptions = {
  readonly delivery: NonNullable<NewInput["delivery"]>;
  readonly source: InputSource;
  readonly added?: readonly Part[];
  readonly model?: string;
  readonly effort?: string;
};
type Ports = {
  readonly hosted: HostedSession;
  readonly runner: ExtensionRunner;
  /** One began or ended. */
  changed(): void;
};

export class Admissions {
  readonly #ports: Ports;
  readonly #pending = new Map<InputId, Admission>();
  #running: Promise<unknown>[] = [];

  constructor(ports: Ports) {
    this.#ports = ports;
  }
  get any(): boolean {
    return this.#pending.size > 0;
  }
  /** Every input on its way was stored, refused or given up. */
  async over(): Promise<void> {
    while (this.#running.length > 0) await Promise.allSettled(this.#running.splice(0));
  }
  cancelAll(): void {
    for (const admission of this.#pending.values()) admission.cancel();
  }

  /** Durable when it resolves. Rejects with `stopped-before-start` when a stop was faster, else as `SessionHost.submit`. */
  admit(id: InputId, parts: readonly Part[], options: AdmitOptions): Promise<Receipt> {
    const admission = admissionOf(options);
    this.#pending.set(id, admission);
    this.#ports.changed();
    const work = this.#admit(id, parts, options, admission).finally(() => {
      this.#pending.delete(id);
      this.#ports.changed();
    });
    this.#running.push(work);
    return work;
  }
  async #admit(
    id: InputId,
    parts: readonly Part[],
    { delivery, model, effort }: AdmitOptions,
    admission: Admission,
  ): Promise<Receipt> {
    const { hosted } = this.#ports;
    const session = await Promise.race([hosted.ensure(), admission.cancelled]); // a login may be refreshed first
    if (admission.isCancelled) throw stoppedBefore();
    const choice = { ...(model === undefined ? {} : { model }), ...(effort === undefined ? {} : { effort }) };
    const receipt = await hosted.host.submit(session, { id, parts, delivery, ...choice });
    if (!admission.isCancelled) return receipt;
    if (receipt.disposition === "handled") throw stoppedBefore();
    if (receipt.disposition !== "started") await this.#takeBack(session, id);
    return receipt;
  }
  /** It was stored after the stop: nothing of it is to run by itself. */
  async #takeBack(session: string, id: InputId): Promise<void> {
    try {
      await this.#ports.hosted.host.inputs(session).cancel(id);
    } catch (cause) {
      if (!MooringError.isInstance(cause)) throw cause; // it began: the stop that follows ends it
    }
  }

  /** The host's hook point `admit`: inputs of others come through here too. */
  async door({ input }: AdmitCall): Promise<Verdict> {
    const admission = input.id === undefined ? undefined : this.#pending.get(input.id);
    if (admission?.isCancelled) return { do: "handled" };
    const asked = this.#ask(input, admission);
    const verdict = admission ? await Promise.race([asked, admission.cancelled]) : await asked;
    return verdict === "cancelled" ? { do: "handled" } : verdict;
  }
  async #ask(input: NewInput, admission: Admission | undefined): Promise<Verdict> {
    const given = input.parts ?? [textPart(input.text ?? "")];
    const before = textOf(given);
    let text = before;
    let handled = false;
    const source = admission?.source ?? "interactive";
    if (this.#ports.runner.has("input"))
      await this.#ports.runner.ask("input", { type: "input", text, source }, (result) => {
        if (result.action === "transform") text = result.text;
        handled = result.action === "handled";
        return handled;
      });
    if (handled) return { do: "handled" };
    const added = admission?.added ?? [];
    if (text === before && added.length === 0) return { do: "pass" };
    const said = text === before ? given : [textPart(text), ...given.filter((part) => part.type !== "text")];
    const { text: _, ...rest } = input;
    return { do: "transform", input: { ...rest, parts: [...said, ...added] } };
  }
}

function admissionOf({ source, added = [] }: AdmitOptions): Admission {
  let resolve = (_: "cancelled"): void => {};
  const cancelled = new Promise<"cancelled">((done) => {
    resolve = done;
  });
  const admission: Admission = {
    source,
    added,
    cancelled,
    isCancelled: false,
    cancel: () => {
      admission.isCancelled = true;
      resolve("cancelled");
    },
  };
  return admission;
}
const stoppedBefore = (): MooringError =>
  new MooringError("stopped-before-start", "The session was stopped before this input was taken. Nothing was stored.");
