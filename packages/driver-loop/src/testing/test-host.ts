/**
 * A small host around one connection: it reads the events, keeps the branch as a real host would, and lets a test wait
 * for what it expects. Everything else is real: the model, the files, the processes.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  AgentRuntimeConnection,
  AgentRuntimeEvent,
  ConnectInput,
  DriverPorts,
  HistoryEntry,
  OwnTool,
  Part,
  Policy,
  SteeringMode,
  ToolCall,
  UIMessage,
  UIMessageChunk,
  Waiting,
} from "@mooring/host/driver";
import { MooringError } from "@mooring/host/driver";
import { NamedPipe } from "@mooring/host/testing";
import { readUIMessageStream } from "ai";
import { type LoopDriverOptions, loopDriver } from "../loop-driver.ts";
import { realProcesses } from "./real-processes.ts";
import { WatchedClock } from "./watched-clock.ts";

export type TestSetup = Partial<
  Pick<ConnectInput, "model" | "effort" | "credentials" | "disabledTools" | "waiting" | "prompt" | "hooks" | "history">
> & {
  readonly models?: LoopDriverOptions["models"];
  readonly decide?: (call: ToolCall) => ReturnType<Policy["decide"]>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly ownTools?: () => readonly OwnTool[];
  readonly steeringMode?: () => SteeringMode;
  /** The branch and the directory of an earlier host. */
  readonly after?: TestHost;
};
type Named<T extends AgentRuntimeEvent["type"]> = Extract<AgentRuntimeEvent, { type: T }>;
type Terminal = Named<"turn-complete" | "error">;

const noCredentials = { provider: "scripted", apiKey: null, baseUrl: null };

export class TestHost {
  readonly directory: string;
  readonly clock = new WatchedClock();
  readonly events: AgentRuntimeEvent[] = [];
  readonly calls: ToolCall[] = [];
  readonly entries: HistoryEntry[];
  readonly ports: DriverPorts;
  #connection: AgentRuntimeConnection | null = null;
  #open: UIMessageChunk[] = [];
  /** Entries before the running turn: a driver is given these and sent the rest. */
  #told: number | null = null;
  #steers = new Map<string, readonly Part[]>();
  #ids = 0;
  #watchers = new Set<() => void>();
  #reading: Promise<void> = Promise.resolve();

  private constructor(directory: string, earlier: TestHost | undefined) {
    this.directory = directory;
    this.entries = [...(earlier?.entries ?? [])];
    this.#ids = earlier?.entries.length ?? 0;
    const ids = {
      make: (kind: string) => `${kind}_${earlier ? "b" : "a"}${++this.#ids}`,
      uuid: () => `${++this.#ids}`,
    };
    const note = (): void => {};
    const log = { debug: note, info: note, warn: note, error: note };
    this.ports = { processes: realProcesses(), clock: this.clock, ids, log, dataDir: join(directory, "data") };
  }

  static async open(setup: TestSetup = {}): Promise<TestHost> {
    const directory = setup.after?.directory ?? (await mkdtemp(join(tmpdir(), "mooring-loop-")));
    const host = new TestHost(directory, setup.after);
    await mkdir(host.workspace, { recursive: true });
    const driver = loopDriver(setup.models === undefined ? {} : { models: setup.models })(host.ports);
    host.#connection = await driver.connect(host.#connectInput(setup));
    host.#reading = host.#read();
    return host;
  }

  get connection(): AgentRuntimeConnection {
    if (this.#connection === null) throw new MooringError("not-open", "The host is not open.");
    return this.#connection;
  }

  get workspace(): string {
    return join(this.directory, "workspace");
  }

  #connectInput(setup: TestSetup): ConnectInput {
    const { model = "scripted", effort = null, credentials = noCredentials, options = {} } = setup;
    const facts = { sessionId: "ses_1", workspace: this.workspace, model, effort, credentials, options };
    const decide = setup.decide ?? (async () => "allow" as const);
    return {
      session: { ...facts, resumeToken: null },
      workspace: this.workspace,
      model,
      effort,
      prompt: setup.prompt ?? { base: null, append: "" },
      disabledTools: setup.disabledTools ?? [],
      mcpServers: {},
      permissionMode: "default",
      policy: {
        decide: (call) => {
          this.calls.push(call);
          return decide(call);
        },
      },
      credentials,
      resumeToken: null,
      history: setup.history ?? (async () => this.entries.slice(0, this.#told ?? this.entries.length)),
      waiting: setup.waiting ?? null,
      hooks: setup.hooks ?? { beforeCompaction: async () => "go" },
      ...(setup.steeringMode === undefined ? {} : { steeringMode: setup.steeringMode }),
      ...(setup.ownTools === undefined ? {} : { ownTools: setup.ownTools }),
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      home: join(this.directory, "home"),
    };
  }

  async #read(): Promise<void> {
    for await (const event of this.connection.events) {
      await this.#keep(event);
      this.events.push(event);
      for (const look of [...this.#watchers]) look();
    }
  }

  /** What a host stores of it. */
  async #keep(event: AgentRuntimeEvent): Promise<void> {
    if (event.type === "chunk") this.#open.push(event.chunk);
    if (event.type === "compaction-complete" && event.done !== null) {
      this.entries.push({ kind: "compaction", done: event.done });
    }
    if (event.type === "steer-boundary") {
      await this.#closeMessage();
      for (const id of event.taken) this.#say(this.#steers.get(id) ?? []);
    }
    if (event.type === "turn-complete" || event.type === "error") {
      await this.#closeMessage();
      this.#told = null;
    }
  }

  async #closeMessage(): Promise<void> {
    const message = await this.openMessage();
    if (message.parts.length > 0) this.entries.push({ kind: "message", message });
    this.#open = [];
  }

  #say(parts: readonly Part[]): void {
    const message: UIMessage = { id: `msg_${this.entries.length}`, role: "user", parts: [...parts] };
    this.entries.push({ kind: "message", message });
  }

  /** The message that is being written, as a reader of the stream builds it. */
  async openMessage(): Promise<UIMessage> {
    const chunks = [...this.#open];
    const stream = new ReadableStream<UIMessageChunk>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    let message: UIMessage = { id: "", role: "assistant", parts: [] };
    for await (const next of readUIMessageStream({ stream })) message = next;
    return { ...message, id: `msg_${this.entries.length}` };
  }

  /** Stores the open message as a host that lost its connection keeps it, for `waiting`. */
  async keepOpen(): Promise<void> {
    await this.#closeMessage();
  }

  /** Sends a message; resolves when it was accepted. */
  async send(content: string | readonly Part[], turnId = "trn_1"): Promise<void> {
    const parts: readonly Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const sent = { turnId, inputId: `inp_${turnId}`, agentKey: "key", parts, arrivedMidTurn: false, headless: false };
    this.#told = this.entries.length;
    if (parts.length > 0) this.#say(parts);
    await this.connection.send(sent);
  }

  /** Sends a message and resolves with the end of its turn. */
  async turn(content: string | readonly Part[], turnId = "trn_1"): Promise<Terminal> {
    await this.send(content, turnId);
    return this.end(turnId);
  }

  async steer(text: string, inputId: string, turnId = "trn_1"): Promise<"offered" | "refused"> {
    const parts: readonly Part[] = [{ type: "text", text }];
    this.#steers.set(inputId, parts);
    const steer = { turnId, inputId, agentKey: "key", parts, arrivedMidTurn: true, headless: false };
    return (await this.connection.redirect?.(steer)) ?? "refused";
  }

  end(turnId = "trn_1"): Promise<Terminal> {
    const isEnd = (event: AgentRuntimeEvent): event is Terminal =>
      (event.type === "turn-complete" || event.type === "error") && event.turnId === turnId;
    return this.#find(isEnd);
  }

  /** The first event of a type, or the `nth` (from 1): past or future. */
  next<T extends AgentRuntimeEvent["type"]>(type: T, nth = 1): Promise<Named<T>> {
    let seen = 0;
    let from = 0;
    return this.#find((event, at): event is Named<T> => {
      if (at < from) return false;
      from = at + 1;
      return event.type === type && ++seen === nth;
    });
  }

  /** The first chunk of a type, or the `nth` (from 1): past or future. */
  async chunk<T extends UIMessageChunk["type"]>(type: T, nth = 1): Promise<Extract<UIMessageChunk, { type: T }>> {
    let seen = 0;
    let from = 0;
    type Found = Named<"chunk"> & { chunk: Extract<UIMessageChunk, { type: T }> };
    const found = await this.#find((event, at): event is Found => {
      if (at < from) return false;
      from = at + 1;
      return event.type === "chunk" && event.chunk.type === type && ++seen === nth;
    });
    return found.chunk;
  }

  #find<Event extends AgentRuntimeEvent>(
    matches: (event: AgentRuntimeEvent, at: number) => event is Event,
  ): Promise<Event> {
    return new Promise((resolve) => {
      const look = (): void => {
        for (const [at, event] of this.events.entries()) {
          if (!matches(event, at)) continue;
          this.#watchers.delete(look);
          return resolve(event);
        }
      };
      this.#watchers.add(look);
      look();
    });
  }

  all<T extends AgentRuntimeEvent["type"]>(type: T): Named<T>[] {
    return this.events.filter((event): event is Named<T> => event.type === type);
  }

  get chunks(): UIMessageChunk[] {
    return this.all("chunk").map(({ chunk }) => chunk);
  }

  /** All text the model said, joined. */
  get said(): string {
    return this.chunks.map((chunk) => (chunk.type === "text-delta" ? chunk.delta : "")).join("");
  }

  /** What the tools returned or failed with, in order. */
  get results(): string[] {
    return this.chunks.flatMap((chunk) => {
      if (chunk.type === "tool-output-available") return [String(chunk.output)];
      return chunk.type === "tool-output-error" ? [`error: ${chunk.errorText}`] : [];
    });
  }

  /** Closes the connection and removes the files. */
  async dispose(): Promise<void> {
    await this.connection.close("shutdown");
    await this.#reading;
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** A policy that says nothing until `release`, and then allows everything. */
export function heldPolicy() {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { decide: () => released.then(() => "allow" as const), release };
}

/** Makes a pipe in the workspace. */
export const makePipe = (host: TestHost, name: string): NamedPipe => NamedPipe.make(join(host.workspace, name));

export const waitingFor = (host: TestHost, turnId = "trn_1"): Waiting => ({
  turnId,
  approvals: host.all("tool-approval-request").map(({ approvalId, toolCallId, toolName, input }) => ({
    approvalId,
    toolCallId,
    toolName,
    input,
  })),
});
