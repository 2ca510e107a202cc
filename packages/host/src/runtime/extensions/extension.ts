/**
 * One loaded extension of one session: what its factory registered, and the API it keeps. Invariants: registering is for
 * the time of loading, acting for the time it is bound; once released every call throws `StaleContextError` and its
 * subscriptions on the event bus are gone.
 */

import { MooringError } from "../../index.ts";
import { StaleContextError } from "../errors.ts";
import { type EventBus, ownedBus } from "../event-bus.ts";
import { runtimeLimits } from "../limits.ts";
import type { ProviderRegistration } from "../services/model-runtime.ts";
import { badTool, defineTool, type RegisteredTool, registeredTool } from "./registered-tool.ts";
import type { Command, ExtensionAPI, ExtensionEventType, ExtensionHandler, Flag, ToolDefinition } from "./types.ts";

/** What a bound extension may do to its session. */
export type ExtensionActions = Pick<
  ExtensionAPI,
  "sendMessage" | "sendUserMessage" | "appendEntry" | "setLabel" | "setSessionName" | "getSessionName" | "getCommands"
> & {
  /** Throws when the session's agent takes no tools. */
  readonly refuseTools: (name: string) => void;
};
type AnyHandler = ExtensionHandler<ExtensionEventType>;

export class Extension {
  readonly path: string;
  readonly commands = new Map<string, Command>();
  readonly flags = new Map<string, Flag>();
  readonly providers = new Map<string, ProviderRegistration>();
  readonly tools = new Map<string, RegisteredTool>();
  readonly api: ExtensionAPI;
  readonly #handlers = new Map<ExtensionEventType, AnyHandler[]>();
  readonly #flagValues = new Map<string, boolean | string>();
  readonly #bus: ReturnType<typeof ownedBus>;
  #actions: ExtensionActions | null = null;
  #stale = false;

  constructor(path: string, bus: EventBus) {
    this.path = path;
    this.#bus = ownedBus(bus);
    this.api = this.#makeApi();
  }

  handlers<T extends ExtensionEventType>(event: T): readonly ExtensionHandler<T>[] {
    // `on` files a handler under its own event only.
    return (this.#handlers.get(event) ?? []) as unknown as readonly ExtensionHandler<T>[];
  }
  setFlag(name: string, value: boolean | string): void {
    this.#flagValues.set(name, value);
  }
  bind(actions: ExtensionActions): void {
    this.#actions = actions;
  }
  /** For good. */
  release(): void {
    this.#stale = true;
    this.#actions = null;
    this.#bus.release();
  }

  #fresh(): void {
    if (this.#stale) throw new StaleContextError();
  }
  #act(): ExtensionActions {
    this.#fresh();
    if (this.#actions) return this.#actions;
    throw new MooringError(
      "extension-not-bound",
      "An extension acts on its session once that is made: in handlers and commands, not while it loads.",
    );
  }
  #register<V>(into: Map<string, V>, name: string, value: V): void {
    this.#fresh();
    into.set(name, value);
  }
  #registerTool(tool: ToolDefinition): void {
    this.#fresh();
    this.#actions?.refuseTools(tool.name); // one that is loading is asked when its session is made
    if (this.tools.size >= runtimeLimits.extensionTools && !this.tools.has(tool.name))
      throw badTool(tool.name, `An extension has at most ${runtimeLimits.extensionTools} tools.`);
    this.tools.set(tool.name, registeredTool(tool));
  }
  #on(event: ExtensionEventType, handler: AnyHandler): void {
    this.#fresh();
    this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler]);
  }
  #makeApi(): ExtensionAPI {
    return {
      events: this.#makeEvents(),
      on: (event, handler) => this.#on(event, handler as unknown as AnyHandler),
      registerCommand: (name, command) => this.#register(this.commands, name, command),
      registerFlag: (name, flag) => this.#register(this.flags, name, flag),
      getFlag: (name) => {
        this.#fresh();
        return this.#flagValues.get(name) ?? this.flags.get(name)?.default;
      },
      registerProvider: (name, provider) => this.#register(this.providers, name, provider),
      registerTool: (tool) => this.#registerTool(defineTool(tool)),
      sendMessage: (message, options) => this.#act().sendMessage(message, options),
      sendUserMessage: (content, options) => this.#act().sendUserMessage(content, options),
      appendEntry: (type, data) => this.#act().appendEntry(type, data),
      setLabel: (id, label) => this.#act().setLabel(id, label),
      setSessionName: (name) => this.#act().setSessionName(name),
      getSessionName: () => this.#act().getSessionName(),
      getCommands: () => this.#act().getCommands(),
    };
  }
  #makeEvents(): EventBus {
    return {
      emit: (channel, data) => {
        this.#fresh();
        this.#bus.emit(channel, data);
      },
      on: (channel, handler) => {
        this.#fresh();
        return this.#bus.on(channel, handler);
      },
    };
  }
}
