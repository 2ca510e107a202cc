/**
 * One conversation as a program holds it: a handle to a hosted session. What it says is durable before it is told, what
 * it is given is durable before `prompt` says so. Replacing it is `AgentSessionRuntime`'s.
 *
 * Invariants: after `dispose` every call that would do something throws `SessionClosedError`; what waits for a run throws
 * `WouldDeadlockError` inside a handler that the run waits for.
 */
import { MooringError, type NewAnswer, type SessionHost } from "../../index.ts";
import { sessionBusy as busy, SessionClosedError } from "../errors.ts";
import { ExtensionRunner } from "../extensions/extension-runner.ts";
import { handlerHere, outsideHandlers, refuseInHandler } from "../extensions/handler-scope.ts";
import { type ProgramTools, withTools } from "../extensions/program-tools.ts";
import type {
  CustomMessageDraft,
  NavigateOptions,
  ReplacedSessionContext,
  SendOptions,
  SessionStartEvent,
  ShutdownReason,
} from "../extensions/types.ts";
import { type AgentOptions, effortOfLevel } from "../services/agent-choice.ts";
import { type AgentSessionServices, applyFlags } from "../services/create-services.ts";
import type { RuntimeModel } from "../services/model-runtime.ts";
import type { SessionManager } from "../stored/session-manager.ts";
import type { AgentMessage, ImageContent } from "./agent-message.ts";
import type { Unattended } from "./approval-desk.ts";
import { EventTeller } from "./event-teller.ts";
import { type ExtensionBindings, ExtensionFace } from "./extension-face.ts";
import { HostedSession } from "./hosted-session.ts";
import { type Navigated, navigate } from "./navigate.ts";
import { type PromptOptions, resultOf, tell } from "./prompt-options.ts";
import type { QueueMode, QueueModes } from "./queue-modes.ts";
import { SessionEngine } from "./session-engine.ts";
import type { AgentSessionEventListener } from "./session-event.ts";
import { type ExportOptions, SessionTree } from "./session-tree.ts";
import { customParts, promptParts } from "./user-parts.ts";

export type AgentSessionParts = {
  readonly host: SessionHost;
  readonly services: AgentSessionServices;
  readonly manager: SessionManager;
  readonly options: AgentOptions;
  readonly unattended: Unattended;
  readonly startEvent: SessionStartEvent;
  readonly tools: ProgramTools;
  readonly queueModes: QueueModes;
};

type FoundCommand = NonNullable<ReturnType<ExtensionRunner["command"]>> & {
  readonly name: string;
  readonly args: string;
};

export class AgentSession {
  readonly sessionManager: SessionManager;
  readonly services: AgentSessionServices;
  /** Which agent it was made with: what is imported in its place gets the same. */
  readonly agentOptions: AgentOptions;
  /** Its entries, all branches. */
  readonly tree: SessionTree;
  readonly #engine: SessionEngine;
  readonly #hosted: HostedSession;
  readonly #runner: ExtensionRunner;
  readonly #face: ExtensionFace;
  readonly #teller: EventTeller;
  readonly #parts: Pick<AgentSessionParts, "startEvent" | "tools" | "queueModes">;
  #started = false;
  #shutDown = false;
  #closed = false;
  #stopSignal = new AbortController();
  #offError = (): void => {};
  #nextTurn: CustomMessageDraft[] = [];
  #model: RuntimeModel | null;
  #modelName = "";
  #thinkingLevel: string | undefined;
  #name: string | undefined;

  private constructor(parts: AgentSessionParts) {
    const { host, services, manager, options, unattended, queueModes } = parts;
    this.#parts = parts;
    this.services = services;
    this.sessionManager = manager;
    this.agentOptions = options;
    this.#model = options.model ?? null;
    this.#thinkingLevel = options.thinkingLevel;
    this.#face = new ExtensionFace(this, {
      stop: () => this.#stop(),
      stopSignal: () => this.#stopSignal.signal,
      report: (what, cause) => this.#runner.report("<session>", what, cause),
      refuseTools: parts.tools.refuse,
    });
    const offers = (tool: string): boolean => options.tools?.includes(tool) ?? true;
    this.#runner = new ExtensionRunner(() => this.#face.context(), offers);
    this.#teller = new EventTeller(this.#runner);
    const made = (id: string): Promise<void> => this.#attach(host, id);
    this.#hosted = new HostedSession({ host, services, manager, options, made });
    this.tree = new SessionTree(this.#hosted, (entryId, entryType) =>
      this.#teller.tell({ type: "entry_appended", entryId, entryType }),
    );
    this.#engine = new SessionEngine({
      hosted: this.#hosted,
      router: services.host.router,
      runner: this.#runner,
      teller: this.#teller,
      unattended,
      queueModes,
      model: () => this.#modelName,
      named: (title) => {
        this.#name = title ?? undefined;
      },
    });
  }
  /** `id`: of a hosted session that is there already. Rejects with `session-attached`, and as its services' loader does. */
  static async open(parts: AgentSessionParts, id: string | null): Promise<AgentSession> {
    const session = new AgentSession(parts);
    await session.#loadExtensions();
    try {
      if (id !== null) await session.#hosted.found(id);
    } catch (cause) {
      session.#runner.release();
      throw cause;
    }
    return session;
  }
  async #loadExtensions(): Promise<void> {
    const { resourceLoader, flagValues } = this.services;
    const { extensions } = await resourceLoader.claimExtensions();
    applyFlags(extensions, flagValues); // what is wrong with them was said when the services were made
    this.#runner.replace(withTools(extensions, this.#parts.tools), this.#face.actions());
  }
  async #attach(host: SessionHost, id: string): Promise<void> {
    const { title, agentId } = await host.get(id);
    this.#name = title ?? undefined;
    const agents = await host.agents.list();
    this.#modelName = agents.find((agent) => agent.id === agentId)?.model ?? "";
    await this.#engine.attach(id);
  }

  // --- what it is -------------------------------------------------------------------------------------------------

  get sessionId(): string {
    return this.sessionManager.getSessionId();
  }
  /** What opens it again; undefined for one in memory. Its row is there from the first input on. */
  get sessionFile(): string | undefined {
    return this.sessionManager.getSessionFile();
  }
  get cwd(): string {
    return this.services.cwd;
  }
  get sessionName(): string | undefined {
    return this.#name ?? this.#hosted.title;
  }
  get model(): RuntimeModel | null {
    return this.#model;
  }
  get thinkingLevel(): string | undefined {
    return this.#thinkingLevel;
  }
  /** No run and no compaction, and no input on its way. True inside handlers of `agent_settled`. */
  get isIdle(): boolean {
    return this.#engine.isIdle;
  }
  get isStreaming(): boolean {
    return !this.#engine.isIdle && !this.#engine.isCompacting;
  }
  get isCompacting(): boolean {
    return this.#engine.isCompacting;
  }
  get isRetrying(): boolean {
    return this.#engine.loop.isRetrying;
  }
  getSteeringMessages(): readonly string[] {
    return this.#engine.run.queues.steering;
  }
  getFollowUpMessages(): readonly string[] {
    return this.#engine.run.queues.followUp;
  }
  get pendingMessageCount(): number {
    return this.#engine.run.pendingMessages;
  }
  /** Id of the hosted session; null before its first input. */
  get hostedId(): string | null {
    return this.#hosted.id;
  }
  get host(): SessionHost {
    return this.#hosted.host;
  }

  // --- speaking ---------------------------------------------------------------------------------------------------

  /**
   * Resolves when the run that answers it is settled; when it was queued, handled, or came from inside a handler, as soon
   * as it is stored. Rejects, and nothing is stored, with `session-busy`, `stopped-before-start`, `no-model`, and as
   * `SessionHost.submit` does. Failures of the agent are events, not rejections.
   */
  async prompt(text: string, options: PromptOptions = {}): Promise<void> {
    this.#refuseIfClosed();
    const command = options.expandPromptTemplates === false ? null : this.#commandIn(text);
    if (command) {
      await this.#runCommand(command);
      options.admitted?.("handled");
      return tell(options, "handled");
    }
    const inside = handlerHere() !== null;
    if (!this.#engine.isSettling) return this.#prompt(text, options, inside);
    const prompted = new Promise<void>((resolve, reject) =>
      this.#engine.settlement.defer(() =>
        outsideHandlers(() => this.#prompt(text, options, false).then(resolve, reject)),
      ),
    );
    if (!inside) return prompted;
    prompted.catch((cause: unknown) => this.#runner.report("<session>", "prompt", cause));
  }
  async #prompt(text: string, options: PromptOptions, inside: boolean): Promise<void> {
    const { streamingBehavior, images, source = "interactive" } = options;
    this.#refuseIfClosed();
    if (!this.#engine.isIdle && streamingBehavior === undefined) throw busy();
    const added = this.#nextTurn.splice(0);
    const delivery = streamingBehavior === undefined ? "reject" : deliveries[streamingBehavior];
    const admit = { delivery, source, added: added.flatMap(customParts), ...this.#choice() } as const;
    try {
      const { receipt, settled } = await this.#engine.admit(promptParts(text, images), admit, () =>
        tell(options, "started"),
      );
      const result = resultOf(receipt);
      options.admitted?.(result);
      if (result !== "started") return tell(options, result);
      if (!inside) await settled;
    } catch (cause) {
      this.#nextTurn.unshift(...added);
      throw cause;
    }
  }
  #choice(): { readonly model?: string; readonly effort?: string } {
    const level = this.#thinkingLevel;
    return {
      ...(this.#model === null ? {} : { model: this.#model.id }),
      ...(level === undefined ? {} : { effort: effortOfLevel(level) }),
    };
  }
  /** Into the running turn where its agent takes it there, else after it; starts one when there is none. */
  async steer(text: string, images?: readonly ImageContent[]): Promise<void> {
    await this.#queue(text, "steer", images);
  }
  /** After the running turn; starts one when there is none. */
  async followUp(text: string, images?: readonly ImageContent[]): Promise<void> {
    await this.#queue(text, "followUp", images);
  }
  async #queue(text: string, how: "steer" | "followUp", images?: readonly ImageContent[]): Promise<void> {
    this.#refuseIfClosed();
    if (this.#commandIn(text))
      throw new MooringError("command-not-queued", "A command runs at once and cannot be queued. Use prompt().");
    const admit = { delivery: deliveries[how], source: "interactive", ...this.#choice() } as const;
    await this.#engine.admit(promptParts(text, images), admit);
  }
  async sendUserMessage(
    content: string,
    { deliverAs }: { readonly deliverAs?: "steer" | "followUp" } = {},
  ): Promise<void> {
    await this.prompt(content, {
      source: "extension",
      expandPromptTemplates: false,
      ...(deliverAs === undefined ? {} : { streamingBehavior: deliverAs }),
    });
  }
  /** What an extension says. Idle and without `triggerTurn` it is not stored: it joins the next prompt. */
  async sendCustomMessage(message: CustomMessageDraft, { triggerTurn, deliverAs }: SendOptions = {}): Promise<void> {
    this.#refuseIfClosed();
    const waits = deliverAs === "nextTurn" || (this.#engine.isIdle && triggerTurn !== true);
    if (waits) return void this.#nextTurn.push(message);
    const delivery = deliveries[deliverAs === "followUp" ? "followUp" : "steer"];
    await this.#engine.admit(customParts(message), { delivery, source: "extension", ...this.#choice() });
  }
  /** Takes back what waits, and returns it. */
  async clearQueue(): ReturnType<SessionEngine["clearQueue"]> {
    return this.#engine.clearQueue();
  }

  // --- commands ---------------------------------------------------------------------------------------------------

  #commandIn(text: string): FoundCommand | null {
    const [, name, args = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
    const found = name === undefined ? null : this.#runner.command(name);
    return found && { ...found, args, name: name ?? "" };
  }
  async #runCommand(found: FoundCommand): Promise<void> {
    try {
      await outsideHandlers(() => found.command.handler(found.args, this.commandContext()));
    } catch (cause) {
      this.#runner.report(found.path, `command:${found.name}`, cause);
    }
  }
  getCommands(): readonly { readonly name: string; readonly description?: string }[] {
    return this.#runner.commands;
  }

  // --- the tree ---------------------------------------------------------------------------------------------------

  /**
   * Goes on from another entry: before a user message, whose text is returned for the person to change, or at any other.
   * Rejects with `session-busy`, `no-such-entry`, or `rewind-unsupported`.
   */
  async navigateTree(targetId: string, options: NavigateOptions = {}): Promise<Navigated> {
    this.#refuseIfClosed();
    refuseInHandler("navigateTree");
    if (!this.#engine.isIdle) throw busy();
    return navigate({ tree: this.tree, runner: this.#runner }, targetId, options);
  }
  /** Undefined takes it away. Rejects with `no-such-entry`. */
  async setLabel(entryId: string, label: string | undefined): Promise<void> {
    this.#refuseIfClosed();
    await this.tree.label(entryId, label ?? null);
  }
  /** Resolves with its id when it is stored: while a message is being written, with the end of that. */
  async appendCustomEntry(customType: string, data?: unknown): Promise<string> {
    this.#refuseIfClosed();
    return this.tree.append({ label: "custom", metadata: { customType, data: data ?? null } });
  }
  /** The branch shown, oldest first; of a message that is being written, nothing. */
  async getMessages(): Promise<readonly AgentMessage[]> {
    return this.tree.messages();
  }
  getUserMessagesForForking(): ReturnType<SessionTree["forkable"]> {
    return this.tree.forkable();
  }
  /** The branch shown, or all of them, as a session file of version 3. */
  async exportToJsonl({ branches = "shown" }: ExportOptions = {}): Promise<string> {
    return this.tree.fileText(branches);
  }

  // --- the run ----------------------------------------------------------------------------------------------------

  /**
   * Stops what runs, what is about to, and what an open dialog asks. Resolves when the session is at rest, at the latest
   * when the host's stop deadlines are over; inside a handler, at once.
   */
  async abort(): Promise<void> {
    this.#refuseIfClosed();
    await this.#stop();
  }
  async #stop(): Promise<void> {
    this.#stopSignal.abort();
    this.#stopSignal = new AbortController();
    await this.#engine.stop();
  }
  /** Gives up a request that is waiting to be repeated; the run is not `aborted` by it. */
  async abortRetry(): Promise<boolean> {
    this.#refuseIfClosed();
    return this.#engine.giveUpRetry();
  }
  /** Resolves after `agent_settled`, at once when the session is at rest. Throws `WouldDeadlockError` inside a handler. */
  async waitForIdle(): Promise<void> {
    this.#refuseIfClosed();
    refuseInHandler("waitForIdle");
    await this.#engine.whenIdle();
  }
  /** Stops what runs first. Rejects with `session-busy`, `compaction-failed`, `compaction-cancelled` or `not-stored-yet`. */
  async compact(instructions?: string): Promise<void> {
    this.#refuseIfClosed();
    refuseInHandler("compact");
    const id = this.#hosted.stored;
    if (this.isStreaming) await this.#stop();
    if (this.isCompacting) throw busy();
    await this.#engine.compact(id, instructions);
  }
  /** Ends a compaction that runs: `compaction_end` with `aborted`, and `compact` rejects. Nothing without one. */
  async abortCompaction(): Promise<void> {
    this.#refuseIfClosed();
    if (!this.isCompacting) return;
    await this.#engine.stopCompaction(this.#hosted.stored);
  }
  async answerApproval(approvalId: string, answer: NewAnswer): Promise<void> {
    await this.host.answer(approvalId, answer);
  }
  /** Events from now on. The listener is awaited if it returns a promise; what it throws goes to `onError`. */
  subscribe(listener: AgentSessionEventListener): () => void {
    return this.#teller.subscribe(listener);
  }

  // --- settings ---------------------------------------------------------------------------------------------------

  /** For the next prompt on. Throws `model-needs-agent` for one of another provider than the session's. */
  setModel(model: RuntimeModel): void {
    this.#refuseIfClosed();
    if (this.#model !== null && this.#model.provider !== model.provider)
      throw new MooringError(
        "model-needs-agent",
        `The session speaks to ${this.#model.provider}. Start another for ${model.provider}.`,
      );
    this.#model = model;
  }
  get steeringMode(): QueueMode {
    return this.#parts.queueModes.steering;
  }
  /** How many steers that wait the agent takes with one request, from now on. Throws `UnsupportedByDriver`. */
  setSteeringMode(mode: QueueMode): void {
    this.#parts.queueModes.steering = mode;
  }
  get followUpMode(): QueueMode {
    return this.#parts.queueModes.followUp;
  }
  /** `all`: follow-ups made from now on that wait together are one turn. */
  setFollowUpMode(mode: QueueMode): void {
    this.#parts.queueModes.followUp = mode;
  }
  /** For the next prompt on. */
  async setThinkingLevel(level: string): Promise<void> {
    this.#refuseIfClosed();
    if (level === this.#thinkingLevel) return;
    this.#thinkingLevel = level;
    await this.#engine.inOrder(() => this.#teller.tell({ type: "thinking_level_changed", level }));
  }
  /** Stored with the session; before its first input, once that comes. */
  async setSessionName(name: string): Promise<void> {
    this.#refuseIfClosed();
    const { id } = this.#hosted;
    if (id !== null) return void (await this.host.update(id, { title: name }));
    this.#hosted.title = name;
    await this.#teller.tell({ type: "session_info_changed", name });
  }

  // --- extensions -------------------------------------------------------------------------------------------------

  /**
   * Says how the program shows things and, the first time, starts the extensions: `session_start`, then
   * `resources_discover`. Later calls only change the bindings.
   */
  async bindExtensions(bindings: ExtensionBindings): Promise<void> {
    this.#refuseIfClosed();
    const { onError, uiContext } = this.#face.bind(bindings);
    this.#offError();
    if (onError) this.#offError = this.#runner.onError(onError);
    this.#engine.approvals.ui = uiContext ?? null;
    if (this.#started) return;
    this.#started = true;
    await this.#runner.tell("session_start", this.#parts.startEvent);
    await this.#runner.tell("resources_discover", { type: "resources_discover" });
  }
  /** Loads extensions and resources anew. Rejects with `session-busy` while anything runs. */
  async reload(): Promise<void> {
    this.#refuseIfClosed();
    refuseInHandler("reload");
    if (!this.#engine.isIdle) throw busy();
    await this.#runner.tell("session_shutdown", { type: "session_shutdown", reason: "reload" });
    await this.services.resourceLoader.reload();
    this.#face.renew();
    await this.#loadExtensions();
    if (this.#started) await this.#runner.tell("session_start", { type: "session_start", reason: "reload" });
  }
  /** For handlers of the program itself: what `withSession` gets. */
  commandContext(): ReplacedSessionContext {
    return this.#face.commandContext();
  }
  get extensionRunner(): ExtensionRunner {
    return this.#runner;
  }

  // --- the end ----------------------------------------------------------------------------------------------------

  /** Stops what runs and waits for its end; then `session_shutdown`, once in a session's life. */
  async shutDown(reason: ShutdownReason, targetSessionFile?: string): Promise<void> {
    if (this.#shutDown || this.#closed) return;
    await this.#stop();
    if (this.#shutDown) return;
    this.#shutDown = true;
    const target = targetSessionFile === undefined ? {} : { targetSessionFile };
    await this.#runner.tell("session_shutdown", { type: "session_shutdown", reason, ...target });
  }
  /**
   * Lets go of the hosted session, which stays as it is; what runs is stopped first. `session_shutdown` is told if it was
   * not. Never rejects; twice is once.
   */
  async dispose(): Promise<void> {
    if (this.#closed) return;
    try {
      await this.shutDown("quit");
    } catch (cause) {
      this.#runner.report("<session>", "dispose", cause);
    }
    this.close();
  }
  /** At once, without a word: whoever replaces the session shut it down before. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopSignal.abort();
    this.#engine.close(new SessionClosedError(this.sessionId));
    this.#teller.clear();
    this.#runner.release();
  }
  get isClosed(): boolean {
    return this.#closed;
  }
  #refuseIfClosed(): void {
    if (this.#closed) throw new SessionClosedError(this.sessionId);
  }
}

const deliveries = { steer: "steer", followUp: "queue" } as const;
