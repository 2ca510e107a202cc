/**
 * Calls the handlers of one session's extensions. Invariants: one after the other, in the order of the extensions; what
 * a handler throws reaches `onError` and nothing else, except where an event fails closed; after `release` none is called.
 */
import { messageOf } from "../../index.ts";
import type { OwnTool } from "../../ports/driver.ts";
import type { Extension, ExtensionActions } from "./extension.ts";
import { inHandler } from "./handler-scope.ts";
import { ownTool } from "./registered-tool.ts";
import type {
  Command,
  ExtensionContext,
  ExtensionError,
  ExtensionEvents,
  ExtensionEventType,
  ExtensionHandler,
} from "./types.ts";

type Result<T extends ExtensionEventType> = Exclude<Awaited<ReturnType<ExtensionHandler<T>>>, void>;
/** What to do with a handler's failure: tell `onError` and go on, or fail with it. */
type OnThrow = "report" | "throw";

export class ExtensionRunner {
  #extensions: readonly Extension[] = [];
  readonly #context: () => ExtensionContext;
  readonly #offers: (tool: string) => boolean;
  readonly #listeners = new Set<(error: ExtensionError) => void>();
  #released = false;

  /** `offers`: false of a tool the session does not have. */
  constructor(context: () => ExtensionContext, offers: (tool: string) => boolean) {
    this.#context = context;
    this.#offers = offers;
  }

  bind(actions: ExtensionActions): void {
    for (const extension of this.#extensions) extension.bind(actions);
  }
  /** Others from now on: those of before are over. */
  replace(extensions: readonly Extension[], actions: ExtensionActions): void {
    for (const extension of this.#extensions) extension.release();
    this.#extensions = extensions;
    this.bind(actions);
  }
  /** Whatever an extension kept throws from now on. */
  release(): void {
    this.#released = true;
    for (const extension of this.#extensions) extension.release();
  }
  onError(listener: (error: ExtensionError) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  report(extensionPath: string, event: string, cause: unknown): void {
    const error = { extensionPath, event, error: messageOf(cause) };
    if (this.#listeners.size === 0) process.emitWarning(`Extension ${extensionPath}, ${event}: ${error.error}`);
    for (const listener of [...this.#listeners])
      try {
        listener(error);
      } catch (thrown) {
        process.emitWarning(`A listener of extension errors failed: ${messageOf(thrown)}`);
      }
  }
  has(event: ExtensionEventType): boolean {
    return !this.#released && this.#extensions.some((extension) => extension.handlers(event).length > 0);
  }
  /** The program's tools for this session, as of now; of one name the last that was registered. */
  get tools(): readonly OwnTool[] {
    if (this.#released) return [];
    const tools = new Map(this.#extensions.flatMap((extension) => [...extension.tools]));
    return [...tools.values()].filter(({ name }) => this.#offers(name)).map((tool) => ownTool(tool, this.#context));
  }
  /** The first that registered the name. */
  command(name: string): { readonly command: Command; readonly path: string } | null {
    for (const { commands, path } of this.#extensions) {
      const command = commands.get(name);
      if (command) return { command, path };
    }
    return null;
  }
  get commands(): readonly { readonly name: string; readonly description?: string }[] {
    return this.#extensions.flatMap(({ commands }) =>
      [...commands].map(([name, { description }]) => ({ name, ...(description === undefined ? {} : { description }) })),
    );
  }

  /** Tells all handlers. */
  async tell<T extends ExtensionEventType>(type: T, event: ExtensionEvents[T]["event"]): Promise<void> {
    await this.ask(type, event, () => false);
  }
  /** Asks the handlers in turn until `enough` says so of a result. */
  async ask<T extends ExtensionEventType>(
    type: T,
    event: ExtensionEvents[T]["event"],
    enough: (result: Result<T>) => boolean,
    onThrow: OnThrow = "report",
  ): Promise<void> {
    for (const extension of this.#extensions) {
      for (const handler of extension.handlers(type)) {
        if (this.#released) return;
        try {
          const result = await inHandler(type, () => handler(event, this.#context()));
          if (result !== undefined && enough(result as Result<T>)) return;
        } catch (cause) {
          if (onThrow === "throw") throw cause;
          this.report(extension.path, type, cause);
        }
      }
    }
  }
}
