/** A runtime host of its own for a test: the loop driver with the scripted model, real files, a real store. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loopDriver } from "@mooring/driver-loop";
import { silentLog, systemClock, systemIds } from "@mooring/host";
import { createMemoryStore } from "@mooring/host/memory";
import {
  type AgentSession,
  type AgentSessionEvent,
  type AgentSessionServices,
  type CreateAgentSessionOptions,
  type CreateAgentSessionResult,
  createAgentSessionFromServices,
  createAgentSessionServices,
  createRuntimeHost,
  type InlineExtension,
  ModelRuntime,
  type ResourceLoaderOptions,
  type RuntimeHost,
  type RuntimeHostOptions,
  SessionManager,
  SettingsManager,
} from "@mooring/host/runtime";
import { openSqliteStore } from "@mooring/host/sqlite";
import { scriptedModel } from "@mooring/scripted-model";

export type StoreKind = "memory" | "sqlite";
const ports = { ids: systemIds, clock: systemClock };
const driver = loopDriver({ models: { scripted: scriptedModel } });

export class RuntimeWorld {
  readonly place: string;
  readonly host: RuntimeHost;
  readonly agentDir: string;
  /** The directory sessions work in. */
  readonly cwd: string;

  private constructor(place: string, host: RuntimeHost) {
    this.place = place;
    this.host = host;
    this.agentDir = join(place, "agent");
    this.cwd = join(place, "work");
  }
  static async open(store: StoreKind = "memory", more: Partial<RuntimeHostOptions> = {}): Promise<RuntimeWorld> {
    const place = await mkdtemp(join(tmpdir(), "mooring-runtime-"));
    await mkdir(join(place, "work"));
    const dataDir = join(place, "data");
    const stored =
      store === "memory" ? createMemoryStore(ports) : await openSqliteStore({ dataDir, log: silentLog, ...ports });
    const memoryStore = createMemoryStore(ports);
    const options = { store: stored, memoryStore, drivers: [driver], dataDir, ...more };
    return new RuntimeWorld(place, await createRuntimeHost(options));
  }
  async end(): Promise<void> {
    await this.host.shutdown({ graceMs: 0 });
    await rm(this.place, { recursive: true, force: true, maxRetries: 5 });
  }
  async services(loader: ResourceLoaderOptions = {}, cwd = this.cwd): Promise<AgentSessionServices> {
    const providers = { scripted: { needsKey: false, models: [{ id: "scripted" }] } };
    return createAgentSessionServices({
      cwd,
      agentDir: this.agentDir,
      host: this.host,
      modelRuntime: await ModelRuntime.create({ authPath: null, modelsPath: null, providers }),
      settingsManager: SettingsManager.inMemory({ permissionMode: "bypassPermissions" }),
      resourceLoaderOptions: loader,
    });
  }
  async create(
    extensions: readonly InlineExtension[] = [],
    options: CreateAgentSessionOptions = {},
  ): Promise<CreateAgentSessionResult> {
    const services = await this.services({ extensionFactories: extensions });
    return createAgentSessionFromServices({ services, sessionManager: SessionManager.create(this.cwd), ...options });
  }
  async session(...given: Parameters<RuntimeWorld["create"]>): Promise<AgentSession> {
    return (await this.create(...given)).session;
  }
}

/** Hears a session, and lets a test wait for what it hears. */
export class Ear {
  readonly heard: AgentSessionEvent[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(session: AgentSession) {
    session.subscribe((event) => {
      this.heard.push(event);
      for (const look of [...this.#waiting]) look();
    });
  }
  of<T extends AgentSessionEvent["type"]>(type: T): Extract<AgentSessionEvent, { readonly type: T }>[] {
    return this.heard.filter((event): event is Extract<AgentSessionEvent, { readonly type: T }> => event.type === type);
  }
  /** Types, without those that come as often as the agent likes. */
  get course(): string[] {
    const many = ["message_update", "entry_appended", "queue_update", "notice", "session_info_changed"];
    return this.heard.flatMap(({ type }) => (many.includes(type) ? [] : [type]));
  }
  /** The `count`th event of a type, past or future. */
  until<T extends AgentSessionEvent["type"]>(
    type: T,
    count = 1,
  ): Promise<Extract<AgentSessionEvent, { readonly type: T }>> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.of(type)[count - 1];
        if (!found) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }
  /** What the agent said, as text. */
  get said(): string {
    return this.of("message_update")
      .flatMap(({ assistantMessageEvent: event }) => (event.type === "text_delta" ? [event.delta] : []))
      .join("");
  }
}
/** A promise and its key, for a test that decides when something goes on. */
export function latch(): { readonly open: () => void; readonly opened: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: resolve, opened: promise };
}
