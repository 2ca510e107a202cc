/**
 * What a session's extensions see of it, and how the program shows things. Invariant: what was given out before a reload
 * or the session's end throws `StaleContextError`.
 */
import { commandContext, guarded, noUI, stoppableUI } from "../extensions/contexts.ts";
import type { ExtensionActions } from "../extensions/extension.ts";
import { handlerHere } from "../extensions/handler-scope.ts";
import type {
  CommandContextActions,
  CustomMessageDraft,
  ExtensionContext,
  ExtensionError,
  ExtensionMode,
  ExtensionUIContext,
  NavigateOptions,
  ReplacedSessionContext,
  SendOptions,
} from "../extensions/types.ts";

export type ExtensionBindings = {
  readonly mode?: ExtensionMode;
  readonly uiContext?: ExtensionUIContext;
  readonly commandContextActions?: Partial<CommandContextActions>;
  readonly onError?: (error: ExtensionError) => void;
};
/** The session, as far as extensions reach. */
type Session = {
  readonly cwd: string;
  readonly sessionId: string;
  readonly sessionFile: string | undefined;
  readonly sessionName: string | undefined;
  readonly isIdle: boolean;
  readonly isClosed: boolean;
  readonly pendingMessageCount: number;
  waitForIdle(): Promise<void>;
  reload(): Promise<void>;
  sendCustomMessage(message: CustomMessageDraft, options?: SendOptions): Promise<void>;
  sendUserMessage(content: string, options?: { readonly deliverAs?: "steer" | "followUp" }): Promise<void>;
  setSessionName(name: string): Promise<void>;
  appendCustomEntry(customType: string, data?: unknown): Promise<string>;
  setLabel(entryId: string, label: string | undefined): Promise<void>;
  navigateTree(targetId: string, options?: NavigateOptions): Promise<{ readonly cancelled: boolean }>;
  getCommands(): readonly { readonly name: string; readonly description?: string }[];
};
type Ports = {
  stop(): Promise<void>;
  stopSignal(): AbortSignal;
  report(what: string, cause: unknown): void;
  refuseTools(name: string): void;
};

export class ExtensionFace {
  readonly #session: Session;
  readonly #ports: Ports;
  #bindings: ExtensionBindings = {};
  #generation = {};

  constructor(session: Session, ports: Ports) {
    this.#session = session;
    this.#ports = ports;
  }
  /** Returns what is in force now. */
  bind(bindings: ExtensionBindings): ExtensionBindings {
    this.#bindings = { ...this.#bindings, ...bindings };
    return this.#bindings;
  }
  /** What was given out so far is stale. */
  renew(): void {
    this.#generation = {};
  }

  context(): ExtensionContext {
    return this.#guard(this.#plain());
  }
  commandContext(): ReplacedSessionContext {
    const session = this.#session;
    const own = {
      waitForIdle: () => session.waitForIdle(),
      navigateTree: (id: string, options?: NavigateOptions) => session.navigateTree(id, options),
      reload: () => session.reload(),
    };
    const context = commandContext(this.#plain(), own, this.#bindings.commandContextActions ?? {});
    const { sendMessage, sendUserMessage } = this.actions();
    const full = Object.defineProperties({ sendMessage, sendUserMessage }, Object.getOwnPropertyDescriptors(context));
    return this.#guard(full as ReplacedSessionContext);
  }
  actions(): ExtensionActions {
    const session = this.#session;
    return {
      sendMessage: (message, options) => session.sendCustomMessage(message, options),
      sendUserMessage: (content, options) => session.sendUserMessage(content, options),
      appendEntry: (type, data) => this.#unlessInHandler(session.appendCustomEntry(type, data)),
      setLabel: (id, label) => this.#unlessInHandler(session.setLabel(id, label)),
      setSessionName: (name) => session.setSessionName(name),
      getSessionName: () => session.sessionName,
      getCommands: () => session.getCommands(),
      refuseTools: this.#ports.refuseTools,
    };
  }
  /** The message being written may wait for this handler, and an entry for that message. */
  async #unlessInHandler(stored: Promise<unknown>): Promise<void> {
    if (handlerHere() === null) return void (await stored);
    stored.catch((cause: unknown) => this.#ports.report("entry", cause));
  }
  #plain(): ExtensionContext {
    const { mode = "print", uiContext } = this.#bindings;
    const session = this.#session;
    const { stop, stopSignal, report } = this.#ports;
    return {
      cwd: session.cwd,
      mode,
      hasUI: uiContext !== undefined,
      ui: stoppableUI(uiContext ?? noUI, stopSignal),
      sessionId: session.sessionId,
      sessionFile: session.sessionFile,
      get signal() {
        return stopSignal();
      },
      isIdle: () => session.isIdle,
      abort: () => void stop().catch((cause: unknown) => report("abort", cause)),
      hasPendingMessages: () => session.pendingMessageCount > 0,
    };
  }
  #guard<T extends object>(context: T): T {
    const generation = this.#generation;
    return guarded(context, () => this.#session.isClosed || this.#generation !== generation);
  }
}
