/**
 * A session's live link to the minimal agent: one child process, one turn at a time. Invariants: the events end when the
 * child ends or `close` begins, whichever comes first; a line that is no record is counted and logged once.
 */
import {
  type AbortAnswer,
  type AgentRuntimeConnection,
  type AgentRuntimeEvent,
  type ApprovalDecision,
  type ApprovalId,
  type ChildHandle,
  type CloseReason,
  type ConnectInput,
  type ConnectionCapabilities,
  type DriverPorts,
  EventQueue,
  MooringError,
  type ReconcileVerdict,
  type SessionTarget,
  type TurnId,
  type TurnInput,
} from "@mooring/host/driver";
import { type AgentRecord, type HostRecord, recordOf } from "./agent-records.ts";
import { limits } from "./limits.ts";
import { LineReader } from "./line-reader.ts";
import { textOf, told } from "./told.ts";
import { Turn } from "./turn.ts";

type ConnectionParts = {
  readonly child: ChildHandle;
  readonly input: ConnectInput;
  readonly ports: DriverPorts;
  readonly capabilities: ConnectionCapabilities;
};

export class MinimalConnection implements AgentRuntimeConnection {
  readonly capabilities: ConnectionCapabilities;
  readonly events = new EventQueue<AgentRuntimeEvent>(limits.queuedEvents);
  readonly #parts: ConnectionParts;
  readonly #ready = Promise.withResolvers<void>();
  #target: SessionTarget;
  #turn: Turn | null = null;
  #strangers = 0;
  #state: "open" | "died" | "closed" = "open";

  /** Rejects with `agent-died` or `agent-silent` when the agent does not become ready. */
  static async open(parts: ConnectionParts): Promise<MinimalConnection> {
    const connection = new MinimalConnection(parts);
    try {
      await connection.#becomeReady();
    } catch (cause) {
      await connection.close("failure");
      throw cause;
    }
    return connection;
  }

  private constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#target = parts.input;
    this.capabilities = parts.capabilities;
    const { child } = parts;
    const reader = new LineReader(limits.lineBytes, {
      line: (text) => this.#read(text),
      tooLong: () => this.#tooLong(),
    });
    child.stdout.on("data", (bytes: Buffer) => reader.read(bytes));
    child.stdout.once("end", () => this.#died("It closed its output."));
    child.stdin.on("error", () => {}); // it died: its exit says so
    child.exited.then(({ stderr }) => this.#died(stderr), undefined); // never rejects
  }

  async #becomeReady(): Promise<void> {
    const silent = Promise.withResolvers<never>();
    const cancel = this.#parts.ports.clock.after(limits.readyMs, () => {
      silent.reject(new MooringError("agent-silent", `The agent was not ready after ${limits.readyMs} ms.`));
    });
    await Promise.race([this.#ready.promise, silent.promise]).finally(cancel);
  }

  // --- what the agent says ----------------------------------------------------------------------------------------

  #read(line: string): void {
    const record = recordOf(line);
    if (record !== null) return this.#take(record);
    const { log } = this.#parts.ports;
    if (++this.#strangers === 1) log.warn("minimal.not-a-record", { line: line.slice(0, 200) });
    else log.debug("minimal.not-a-record", { count: this.#strangers });
  }
  #take(record: AgentRecord): void {
    if (record.type === "ready") return this.#ready.resolve();
    if (record.type === "commands") {
      return this.events.push({ type: "supported-commands", commands: record.commands });
    }
    if (record.id === this.#turn?.id) this.#turn.take(record); // else its turn is over: nothing of it is news
  }
  #tooLong(): void {
    const turn = this.#turn;
    const message = `The agent wrote a line of more than ${limits.lineBytes} bytes, which is the limit.`;
    this.#parts.ports.log.warn("minimal.line-too-long", { limit: limits.lineBytes });
    turn?.stop();
    turn?.fail("line-too-long", message);
  }
  #died(stderr: string): void {
    if (this.#state === "open") this.#state = "died";
    this.#ready.reject(new MooringError("agent-died", `The agent ended before it was ready. ${stderr}`.trim()));
    this.events.end();
  }

  // --- what the host calls ----------------------------------------------------------------------------------------

  async send(input: TurnInput): Promise<void> {
    if (this.#state !== "open") throw new MooringError("connection-closed", "The agent is gone: connect again.");
    if (this.#turn !== null) throw new MooringError("session-busy", "A turn is running: wait for its end.");
    const { ports, input: session } = this.#parts;
    const { model, prompt } = this.#target;
    const turn = new Turn({
      input,
      ports,
      model,
      policy: session.policy,
      isDisabled: (tool) => this.#target.disabledTools.includes(tool),
      tell: (event) => this.events.push(event),
      toAgent: (record) => this.#write(record),
      ended: () => {
        this.#turn = null;
      },
    });
    this.#turn = turn;
    const history = told(await session.history());
    const system = [prompt.base ?? "", prompt.append].filter((text) => text !== "").join("\n\n");
    this.#write({ type: "prompt", id: turn.id, model, system, history, text: textOf(input.parts) });
  }
  #write(record: HostRecord): void {
    if (this.#state === "open") this.#parts.child.stdin.write(`${JSON.stringify(record)}\n`);
  }

  async abortTurn(turnId: TurnId): Promise<AbortAnswer> {
    if (this.#turn?.id !== turnId) return "already-settled";
    this.#turn.stop();
    return "aborted";
  }
  /** Rejects with `approval-unknown` when no such question is open. */
  async answerApproval(id: ApprovalId, decision: ApprovalDecision): Promise<void> {
    if (this.#turn?.answer(id, decision)) return;
    throw new MooringError("approval-unknown", "No such question is open: it was answered or its turn ended.");
  }
  /** Everything is sent with each prompt, so everything can change alive. */
  async reconcile(target: SessionTarget): Promise<ReconcileVerdict> {
    if (this.#state !== "open") return "failed";
    if (target.model === "") return "invalid";
    const isSame = JSON.stringify(settingsOf(target)) === JSON.stringify(settingsOf(this.#target));
    this.#target = target;
    return isSame ? "current" : "patched";
  }
  async close(_reason: CloseReason): Promise<{ readonly returned: readonly [] }> {
    this.#state = "closed";
    this.events.end();
    this.#parts.child.stdin.end(); // a live agent ends at the end of its input
    await this.#parts.child.end(limits.closeMs);
    return { returned: [] };
  }
}

const settingsOf = ({ model, effort, permissionMode, disabledTools, prompt }: SessionTarget): readonly unknown[] => [
  model,
  effort,
  permissionMode,
  [...disabledTools].sort(),
  prompt.base,
  prompt.append,
];
