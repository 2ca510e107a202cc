/**
 * What handlers and commands are given. Invariant: once its generation of the session is over (replaced, reloaded,
 * closed), reading anything of a context throws `StaleContextError`.
 */
import { MooringError } from "../../index.ts";
import { StaleContextError } from "../errors.ts";
import type { CommandContextActions, ExtensionCommandContext, ExtensionContext, ExtensionUIContext } from "./types.ts";

/** A face of `target` that throws once `isOver`. */
export function guarded<T extends object>(target: T, isOver: () => boolean): T {
  return new Proxy(target, {
    get(object, name) {
      if (isOver()) throw new StaleContextError();
      const value: unknown = Reflect.get(object, name);
      return value;
    },
  });
}

/** Nobody is there: questions get the cautious answer. */
export const noUI: ExtensionUIContext = {
  select: async () => undefined,
  confirm: async () => false,
  input: async () => undefined,
  notify: () => {},
};
/** `ui` whose dialogs end when the session is stopped. */
export function stoppableUI(ui: ExtensionUIContext, signal: () => AbortSignal): ExtensionUIContext {
  const until = async <T>(
    dialog: (signal: AbortSignal) => Promise<T>,
    given: AbortSignal | undefined,
    none: T,
  ): Promise<T> => {
    const stop = given === undefined ? signal() : AbortSignal.any([signal(), given]);
    if (stop.aborted) return none;
    const stopped = new Promise<T>((resolve) => stop.addEventListener("abort", () => resolve(none), { once: true }));
    return Promise.race([dialog(stop), stopped]);
  };
  return {
    select: (title, options, o) =>
      until((stop) => ui.select(title, options, { ...o, signal: stop }), o?.signal, undefined),
    confirm: (title, message, o) =>
      until((stop) => ui.confirm(title, message, { ...o, signal: stop }), o?.signal, false),
    input: (title, hint, o) => until((stop) => ui.input(title, hint, { ...o, signal: stop }), o?.signal, undefined),
    notify: (message, type) => ui.notify(message, type),
  };
}

const noRuntime = (): never => {
  throw new MooringError(
    "no-runtime",
    "This program replaces no sessions: it gave `bindExtensions` no `commandContextActions`.",
  );
};
export function commandContext(
  context: ExtensionContext,
  own: Pick<CommandContextActions, "waitForIdle" | "navigateTree" | "reload">,
  given: Partial<CommandContextActions>,
): ExtensionCommandContext {
  const actions: CommandContextActions = {
    newSession: noRuntime,
    fork: noRuntime,
    switchSession: noRuntime,
    ...own,
    ...given,
  };
  return Object.defineProperties({ ...actions }, Object.getOwnPropertyDescriptors(context)) as ExtensionCommandContext;
}
