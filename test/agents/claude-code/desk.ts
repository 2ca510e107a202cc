/**
 * One connection to the real Claude Code: its model is the scripted server on loopback, its home and workspace are
 * temporary, its environment is explicit. A test calls it as a host does and waits for what should happen.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claudeCodeDriver } from "@mooring/driver-claude-code";
import { silentLog, systemClock, systemIds } from "@mooring/host";
import type {
  AgentRuntimeConnection,
  AgentRuntimeEvent,
  AgentSessionRuntimeDriver,
  ChildHandle,
  ConnectInput,
  Part,
  Policy,
  Processes,
  ToolCall,
  UIMessageChunk,
  Waiting,
} from "@mooring/host/driver";
import { NamedPipe } from "@mooring/host/testing";
import { type ScriptedServer, startScriptedServer } from "@mooring/scripted-model/server";
import { createSupervisor, type Supervisor } from "../../../packages/host/src/host/processes/supervisor.ts";

export const agentsDirectory = join(import.meta.dirname, "..");
export const model = "claude-sonnet-4-5";

export type DeskSetup = Partial<
  Pick<ConnectInput, "resumeToken" | "waiting" | "prompt" | "hooks" | "permissionMode">
> & {
  readonly decide?: (call: ToolCall) => ReturnType<Policy["decide"]>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly disabledTools?: readonly string[];
  readonly history?: ConnectInput["history"];
};
type Named<T extends AgentRuntimeEvent["type"]> = Extract<AgentRuntimeEvent, { type: T }>;
type Terminal = Named<"turn-complete" | "error">;
export type Sent = { readonly turnId: string; readonly inputId: string; readonly agentKey: string };

/** What outlives a connection: the agent's home, its workspace, its model. */
export class Desk {
  readonly directory: string;
  readonly server: ScriptedServer;
  readonly supervisor: Supervisor;
  readonly driver: AgentSessionRuntimeDriver;
  readonly calls: ToolCall[] = [];
  readonly links: Link[] = [];
  /** Set before a child starts: the driver gets what this makes of it. */
  tamper: (child: ChildHandle) => ChildHandle = (child) => child;
  readonly #children: ChildHandle[] = [];

  private constructor(directory: string, server: ScriptedServer) {
    this.directory = directory;
    this.server = server;
    const record = { started: async () => {}, ended: async () => {} };
    this.supervisor = createSupervisor({ clock: systemClock, log: silentLog, record });
    const processes: Processes = {
      spawn: async (options) => {
        const child = await this.supervisor.spawn(options);
        this.#children.push(child);
        return this.tamper(child);
      },
      list: () => this.supervisor.list(),
    };
    const ports = { processes, clock: systemClock, ids: systemIds, log: silentLog };
    const factory = claudeCodeDriver({ projectDir: agentsDirectory });
    this.driver = factory({ ...ports, dataDir: join(directory, "data") });
  }

  static async make(): Promise<Desk> {
    const directory = await mkdtemp(join(tmpdir(), "mooring-claude-"));
    for (const name of ["workspace", "home"]) await mkdir(join(directory, name));
    return new Desk(directory, await startScriptedServer());
  }

  get workspace(): string {
    return join(this.directory, "workspace");
  }
  get home(): string {
    return join(this.directory, "home");
  }

  async connect(setup: DeskSetup = {}): Promise<Link> {
    const link = new Link(await this.driver.connect(this.input(setup)));
    this.links.push(link);
    return link;
  }

  input(setup: DeskSetup = {}): ConnectInput {
    const credentials = { provider: "anthropic", apiKey: "dummy", baseUrl: this.server.url };
    const { options = {}, resumeToken = null, permissionMode = "default", disabledTools = [] } = setup;
    const facts = { sessionId: "ses_1", workspace: this.workspace, model, effort: null, credentials, options };
    return {
      session: { ...facts, resumeToken },
      workspace: this.workspace,
      model,
      effort: null,
      prompt: setup.prompt ?? { base: null, append: "" },
      disabledTools,
      mcpServers: {},
      permissionMode,
      policy: {
        decide: async (call) => {
          this.calls.push(call);
          return setup.decide === undefined ? "allow" : setup.decide(call);
        },
      },
      credentials,
      resumeToken,
      history: setup.history ?? (async () => []),
      waiting: setup.waiting ?? null,
      hooks: setup.hooks ?? { beforeCompaction: async () => "go" },
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      home: this.home,
    };
  }

  /** Makes a pipe in the workspace: a tool that reads it waits until it is written or let go. */
  pipe(name: string): NamedPipe {
    return NamedPipe.make(join(this.workspace, name));
  }

  /** Resolves when the newest process is gone. */
  async atRest(): Promise<void> {
    await this.#children.at(-1)?.exited;
  }
  /** Kills the newest process, and nothing else. */
  async kill(): Promise<void> {
    const child = this.#children.at(-1);
    if (child !== undefined) process.kill(child.pid, "SIGKILL");
    await child?.exited;
  }

  /** Everything the model was told in its newest request, as one text. */
  get lastRequest(): string {
    return JSON.stringify(this.server.requests.filter(({ protocol }) => protocol === "anthropic").at(-1)?.prompt);
  }
  get modelRequests(): number {
    return this.server.requests.filter(({ protocol }) => protocol === "anthropic").length;
  }

  async dispose(): Promise<void> {
    for (const link of this.links) await link.connection.close("shutdown");
    await this.supervisor.stop(0);
    await this.server.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}

export class Link {
  readonly connection: AgentRuntimeConnection;
  readonly events: AgentRuntimeEvent[] = [];
  readonly over: Promise<void>;
  readonly #watchers = new Set<() => void>();

  constructor(connection: AgentRuntimeConnection) {
    this.connection = connection;
    this.over = this.#read();
  }
  async #read(): Promise<void> {
    for await (const event of this.connection.events) {
      this.events.push(event);
      for (const look of [...this.#watchers]) look();
    }
  }

  /** Sends a prompt; resolves when the agent accepted it. */
  async send(content: string | readonly Part[], change: Partial<Sent> = {}): Promise<Sent> {
    const sent = newSent(change);
    await this.connection.send({ ...sent, parts: partsOf(content), arrivedMidTurn: false, headless: false });
    return sent;
  }
  async turn(content: string | readonly Part[]): Promise<Terminal> {
    return this.end((await this.send(content)).turnId);
  }
  async steer(turnId: string, text: string): Promise<Sent & { readonly answer: string | undefined }> {
    const sent = newSent({ turnId });
    const steer = { ...sent, parts: partsOf(text), arrivedMidTurn: true, headless: false };
    return { ...sent, answer: await this.connection.redirect?.(steer) };
  }

  end(turnId: string): Promise<Terminal> {
    return this.find(
      (event): event is Terminal =>
        (event.type === "turn-complete" || event.type === "error") && event.turnId === turnId,
    );
  }
  /** The first event of a type from `after` on, past or future. */
  next<T extends AgentRuntimeEvent["type"]>(type: T, after = 0): Promise<Named<T>> {
    return this.find((event): event is Named<T> => event.type === type, after);
  }
  async chunk<T extends UIMessageChunk["type"]>(type: T, after = 0): Promise<Extract<UIMessageChunk, { type: T }>> {
    type Found = Named<"chunk"> & { readonly chunk: Extract<UIMessageChunk, { type: T }> };
    const found = await this.find(
      (event): event is Found => event.type === "chunk" && event.chunk.type === type,
      after,
    );
    return found.chunk;
  }
  find<Event extends AgentRuntimeEvent>(
    matches: (event: AgentRuntimeEvent) => event is Event,
    after = 0,
  ): Promise<Event> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.events.slice(after).find(matches);
        if (found === undefined) return;
        this.#watchers.delete(look);
        resolve(found);
      };
      this.#watchers.add(look);
      look();
    });
  }

  all<T extends AgentRuntimeEvent["type"]>(type: T): Named<T>[] {
    return this.events.filter((event): event is Named<T> => event.type === type);
  }
  chunks(turnId: string): UIMessageChunk[] {
    return this.all("chunk").flatMap((event) => (event.turnId === turnId ? [event.chunk] : []));
  }
  said(turnId: string): string {
    return this.chunks(turnId)
      .map((chunk) => (chunk.type === "text-delta" ? chunk.delta : ""))
      .join("");
  }
  get token(): string | null {
    return this.all("resume-token").at(-1)?.token ?? null;
  }
}

/** What a host gives the next connection. */
export const waitingOf = (turnId: string, asked: readonly Named<"tool-approval-request">[]): Waiting => ({
  turnId,
  approvals: asked.map(({ approvalId, toolCallId, toolName, input }) => ({ approvalId, toolCallId, toolName, input })),
});

let made = 0;
const newSent = (change: Partial<Sent>): Sent => {
  made++;
  return { turnId: `trn_${made}`, inputId: `inp_${made}`, agentKey: systemIds.uuid(), ...change };
};
const partsOf = (content: string | readonly Part[]): readonly Part[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;
