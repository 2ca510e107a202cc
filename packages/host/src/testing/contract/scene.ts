/**
 * One case's world: directories, processes, the agent's side as the adapter set it up, a policy the case decides, and
 * the driver. Invariant: `end` closes every connection, ends every process and removes every file, whatever happened.
 */
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../host/silent-log.ts";
import { systemClock } from "../../host/system-clock.ts";
import { systemIds } from "../../host/system-ids.ts";
import type {
  AgentSessionRuntimeDriver,
  ConnectInput,
  DriverCapabilities,
  PolicyDecision,
  SessionFacts,
  SessionTarget,
  ToolCall,
} from "../../ports/driver.ts";
import type { ContractAdapter, Place, Stage } from "./adapter.ts";
import { Branch } from "./branch.ts";
import { ContractBroken, type Finding } from "./broken.ts";
import { Deadline } from "./deadline.ts";
import { Link, type Sent } from "./link.ts";
import type { RequirementId } from "./requirements.ts";
import type { ScenarioName, Scenarios } from "./scenarios.ts";
import { WatchedProcesses } from "./watched-processes.ts";
import { Witness } from "./witness/witness.ts";

/** Milliseconds a case waits for one thing, unless the adapter says otherwise. */
const defaultDeadlineMs = 10_000;
/** The name every case puts into the agent's environment. */
export const givenVariable = "MOORING_CONTRACT";
const systemPath = "/usr/local/bin:/usr/bin:/bin";

type Opened = {
  readonly directory: string;
  readonly stage: Stage;
  /** Absent: a new one. */
  readonly driver: AgentSessionRuntimeDriver | undefined;
};

export class ContractScene {
  readonly adapter: ContractAdapter;
  readonly requirement: RequirementId;
  readonly place: Place;
  readonly stage: Stage;
  readonly driver: AgentSessionRuntimeDriver;
  readonly processes: WatchedProcesses;
  readonly deadline: Deadline;
  readonly branch = new Branch();
  readonly sessionId = systemIds.make("ses");
  /** A word of this case that occurs nowhere else. */
  readonly marker = `mark${systemIds.uuid().replaceAll("-", "")}`;
  /** What the policy was asked, in order. */
  readonly calls: ToolCall[] = [];
  /** What the policy answers. */
  decide: (call: ToolCall) => Promise<PolicyDecision> = async () => "allow";
  /** What the hook before a compaction answers, and how often it was asked. */
  compactionAnswer: "go" | "cancel" = "go";
  compactionsAsked = 0;
  readonly #directory: string;
  readonly #links: Link[] = [];
  readonly #beside: ContractScene[] = [];

  private constructor(adapter: ContractAdapter, requirement: RequirementId, { directory, stage, driver }: Opened) {
    this.adapter = adapter;
    this.requirement = requirement;
    this.#directory = directory;
    this.place = placeIn(directory);
    this.stage = stage;
    this.processes = new WatchedProcesses();
    this.deadline = new Deadline(requirement, adapter.deadlineMs ?? defaultDeadlineMs);
    const { processes, dataDir } = this;
    const clock = adapter.clock?.() ?? systemClock;
    this.driver = driver ?? adapter.driver({ processes, clock, ids: systemIds, log: silentLog, dataDir });
  }

  static async open(adapter: ContractAdapter, requirement: RequirementId, driver?: AgentSessionRuntimeDriver) {
    const directory = await realpath(await mkdtemp(join(tmpdir(), "mooring-contract-")));
    const place = placeIn(directory);
    const places = [...Object.values(place), join(directory, "data")];
    await Promise.all(places.map((path) => mkdir(path, { recursive: true })));
    const stage = await adapter.open(place);
    return new ContractScene(adapter, requirement, { directory, stage, driver });
  }
  /** Another session of the same driver, with directories of its own; it ends with this scene. */
  async beside(): Promise<ContractScene> {
    const scene = await ContractScene.open(this.adapter, this.requirement, this.driver);
    this.#beside.push(scene);
    return scene;
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#links.map((link) => link.close("shutdown")));
    await Promise.allSettled(this.#beside.map((scene) => scene.end()));
    await this.processes.end();
    await this.stage.end();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  // --- what a case says -------------------------------------------------------------------------------------------

  must(holds: boolean, text: string): void {
    if (!holds) throw this.deadline.broken(text);
  }
  /** What `work` was rejected with. */
  async rejection(what: string, work: Promise<unknown>): Promise<unknown> {
    const outcome = this.deadline.within(what, work).then(
      () => null,
      (cause: unknown) => ({ cause }),
    );
    const rejected = await outcome;
    if (rejected === null) throw this.deadline.broken(`${what} was not rejected`);
    if (rejected.cause instanceof ContractBroken) throw rejected.cause;
    return rejected.cause;
  }
  scenario<Name extends ScenarioName>(name: Name): Scenarios[Name] {
    const played = this.stage.scenarios[name];
    if (played === undefined) {
      throw this.deadline.broken(`the adapter neither plays ${name} nor lists it in cannot`);
    }
    return played as Scenarios[Name];
  }
  get capabilities(): DriverCapabilities {
    return this.driver.capabilities;
  }
  /** What the witnesses of all connections found. */
  get findings(): readonly Finding[] {
    return [
      ...this.#links.flatMap((link) => link.witness.findings),
      ...this.#beside.flatMap((scene) => scene.findings),
    ];
  }
  /** How often the agent's model was given the marker in its newest request. */
  async timesTold(marker = this.marker): Promise<number> {
    const { text } = await this.deadline.within("the newest request of the model", this.stage.lastRequest());
    return text.split(marker).length - 1;
  }

  // --- what the host has ------------------------------------------------------------------------------------------

  get dataDir(): string {
    return join(this.#directory, "data");
  }
  get facts(): SessionFacts {
    const { model, effort = null, credentials, options = {} } = this.stage;
    const { workspace } = this.place;
    return { sessionId: this.sessionId, workspace, model, effort, credentials, options, resumeToken: null };
  }
  get env(): Readonly<Record<string, string>> {
    return { PATH: systemPath, HOME: this.place.home, ...this.stage.env, [givenVariable]: this.marker };
  }
  get target(): SessionTarget {
    return {
      model: this.stage.model,
      effort: this.stage.effort ?? null,
      permissionMode: "default",
      disabledTools: [],
      prompt: { base: null, append: "" },
      mcpServers: {},
    };
  }
  newSent(): Sent {
    return { turnId: systemIds.make("trn"), inputId: systemIds.make("inp"), agentKey: systemIds.uuid() };
  }
  connectInput(change: Partial<ConnectInput> = {}): ConnectInput {
    const { credentials } = this.stage;
    const resumeToken = change.resumeToken ?? null;
    return {
      ...this.target,
      session: { ...this.facts, resumeToken },
      workspace: this.place.workspace,
      policy: { decide: (call) => this.#decide(call) },
      credentials,
      resumeToken,
      history: async () => this.branch.entries,
      waiting: null,
      hooks: { beforeCompaction: async () => this.#beforeCompaction() },
      env: this.env,
      home: this.place.home,
      ...change,
    };
  }
  #decide(call: ToolCall): Promise<PolicyDecision> {
    this.calls.push(call);
    return this.decide(call);
  }
  #beforeCompaction(): "go" | "cancel" {
    this.compactionsAsked++;
    return this.compactionAnswer;
  }

  /** Opens a connection and reads it. */
  async connect(change: Partial<ConnectInput> = {}): Promise<Link> {
    const link = await this.connectUnread(change);
    void link.read(); // never rejects
    return link;
  }
  /** Opens a connection that nobody reads until `read`. */
  async connectUnread(change: Partial<ConnectInput> = {}): Promise<Link> {
    const opening = this.driver.connect(this.connectInput(change));
    const connection = await this.deadline.within("a connection to open", opening);
    const { branch, deadline } = this;
    const witness = new Witness(this.driver.type);
    if (change.waiting) {
      witness.waiting(change.waiting);
      branch.continued(change.waiting.turnId);
    }
    const link = new Link({ connection, witness, branch, deadline, newSent: () => this.newSent() });
    this.#links.push(link);
    return link;
  }
  /** Closes a connection that rests and opens the next one where it left off. */
  async reconnect(link: Link, change: Partial<ConnectInput> = {}): Promise<Link> {
    await link.close("idle");
    return this.connect(this.capabilities.resume === "none" ? change : { resumeToken: link.token, ...change });
  }
}

const placeIn = (directory: string): Place => ({
  workspace: join(directory, "workspace"),
  home: join(directory, "home"),
  scratch: join(directory, "scratch"),
});
