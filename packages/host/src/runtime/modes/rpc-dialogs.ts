/**
 * Dialogs of extensions, and questions of tool calls, put to the client of the rpc mode. Invariants: at most a named
 * number is open; each is answered once; one whose signal aborts, whose time is over, or that is open when the client
 * leaves gets the cautious answer.
 */
import { systemClock, systemIds } from "../../index.ts";
import type { DialogOptions, ExtensionUIContext } from "../extensions/types.ts";
import { runtimeLimits } from "../limits.ts";

export type DialogAnswer = { readonly value?: string | undefined; readonly confirmed?: boolean | undefined };
type Send = (record: Readonly<Record<string, unknown>>) => void;

export class RpcDialogs {
  readonly #send: Send;
  readonly #open = new Map<string, (answer: DialogAnswer) => void>();
  readonly ui: ExtensionUIContext;

  constructor(send: Send) {
    this.#send = send;
    this.ui = {
      select: async (title, options, o) => (await this.#ask({ method: "select", title, options }, o)).value,
      confirm: async (title, message, o) =>
        (await this.#ask({ method: "confirm", title, message }, o)).confirmed === true,
      input: async (title, placeholder, o) => (await this.#ask({ method: "input", title, placeholder }, o)).value,
      notify: (message, notifyType = "info") =>
        this.#send({ ...head(systemIds.uuid()), method: "notify", message, notifyType }),
    };
  }
  /** False: no such dialog is open. */
  answer(id: string, answer: DialogAnswer): boolean {
    const resolve = this.#open.get(id);
    resolve?.(answer);
    return resolve !== undefined;
  }
  closeAll(): void {
    for (const resolve of [...this.#open.values()]) resolve({});
  }
  #ask(request: Readonly<Record<string, unknown>>, { signal, timeoutMs }: DialogOptions = {}): Promise<DialogAnswer> {
    if (signal?.aborted === true || this.#open.size >= runtimeLimits.dialogs) return Promise.resolve({});
    const id = systemIds.uuid();
    return new Promise((resolve) => {
      const disarm = timeoutMs === undefined ? () => {} : systemClock.after(timeoutMs, () => end({}));
      const abort = (): void => {
        this.#send({ type: "extension_ui_closed", id });
        end({});
      };
      const end = (answer: DialogAnswer): void => {
        this.#open.delete(id);
        disarm();
        signal?.removeEventListener("abort", abort);
        resolve(answer);
      };
      this.#open.set(id, end);
      signal?.addEventListener("abort", abort, { once: true });
      this.#send({ ...head(id), ...request, ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }) });
    });
  }
}
const head = (id: string) => ({ type: "extension_ui_request", id });
