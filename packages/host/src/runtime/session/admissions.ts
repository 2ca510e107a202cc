/**
 * Inputs on their way into the session: from the call until the host has stored or refused them. Invariants: an input
 * counts from the moment of the call; a stop reaches it wherever it is, and wins over the handlers of `input`; whether an
 * input is taken is decided by the host alone.
 */
import { type HostHooks, type InputId, MooringError, type NewInput, type Part, type Receipt } from "../../index.ts";
import type { ExtensionRunner } from "../extensions/extension-runner.ts";
import type { InputSource } from "../extensions/types.ts";
import type { HostedSession } from "./hosted-session.ts";
import type { QueueModes } from "./queue-modes.ts";
import { ownMessage, textOf, textPart } from "./user-parts.ts";

type AdmitCall = Parameters<NonNullable<HostHooks["admit"]>>[0];
type Verdict = Awaited<ReturnType<NonNullable<HostHooks["admit"]>>>;
type Admission = {
  readonly source: InputSource;
  /** Added behind the person's own words. */
  readonly added: readonly Part[];
  readonly cancelled: Promise<"cancelled">;
  readonly cancel: () => void;
  isCancelled: boolean;
  /** What the handlers of `input` say of it, once they were asked. */
  asked: Promise<Verdict> | null;
};
type Waiting = NewInput & { readonly id: InputId; readonly parts: readonly Part[] };
type Joinable = Pick<Waiting, "id"> & { readonly model: string | undefined; readonly effort: string | undefined };
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
  readonly queueModes: QueueModes;
  /** One began or ended. */
  changed(): void;
};

export class Admissions {
  readonly #ports: Ports;
  readonly #pending = new Map<InputId, Admission>();
  #running: Promise<unknown>[] = [];
  /** The last follow-up, while others may come together with it; they ask one after the other. */
  #joinable: Joinable | null = null;
  #joining: Promise<unknown> = Promise.resolve();

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
    const input = { id, parts, delivery, ...choice };
    const receipt = await (delivery === "queue" && this.#ports.queueModes.followUp === "all"
      ? this.#together(session, input, admission)
      : hosted.host.submit(session, input));
    if (!admission.isCancelled || receipt.inputId !== id) return receipt;
    if (receipt.disposition === "handled") throw stoppedBefore();
    if (receipt.disposition !== "started") await this.#takeBack(session, id);
    return receipt;
  }
  #together(session: string, input: Waiting, admission: Admission): Promise<Receipt> {
    const turn = this.#joining.then(async () => {
      const joined = await this.#join(session, input, admission);
      if (joined) return joined;
      if (admission.isCancelled) throw stoppedBefore();
      const receipt = await this.#ports.hosted.host.submit(session, input);
      const { id, model, effort } = input;
      this.#joinable = receipt.disposition === "queued" ? { id, model, effort } : null;
      return receipt;
    });
    this.#joining = turn.catch(() => {}); // whoever asked hears it
    return turn;
  }
  /** Null: nothing waits that it could be part of. */
  async #join(session: string, input: Waiting, admission: Admission): Promise<Receipt | null> {
    const first = this.#joinable;
    if (first === null || first.model !== input.model || first.effort !== input.effort) return null;
    const { host } = this.#ports.hosted;
    const verdict = await this.#verdict(input, admission);
    const receipt = { inputId: input.id, cursor: await host.cursor(session) };
    if (verdict.do === "handled") return { ...receipt, disposition: "handled", state: "handled" };
    const parts = (verdict.do === "transform" ? verdict.input.parts : undefined) ?? input.parts;
    try {
      await host.inputs(session).extend(first.id, ownMessage(parts));
      return { ...receipt, inputId: first.id, disposition: "queued", state: "queued" };
    } catch (cause) {
      if (!MooringError.isInstance(cause)) throw cause;
      this.#joinable = null; // it began, was held or taken back, or is full
      return null;
    }
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
    return admission ? this.#verdict(input, admission) : this.#ask(input, undefined);
  }
  /** Its handlers are asked once. */
  async #verdict(input: NewInput, admission: Admission): Promise<Verdict> {
    if (admission.isCancelled) return { do: "handled" };
    admission.asked ??= this.#ask(input, admission);
    const verdict = await Promise.race([admission.asked, admission.cancelled]);
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
    asked: null,
    cancel: () => {
      admission.isCancelled = true;
      resolve("cancelled");
    },
  };
  return admission;
}
const stoppedBefore = (): MooringError =>
  new MooringError("stopped-before-start", "The session was stopped before this input was taken. Nothing was stored.");
