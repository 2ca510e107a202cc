/** A turn of the fake agent that asks the host before each call, as a driver does: for tests of permission. */
import type { PolicyDecision, ToolCall } from "../../ports/driver.ts";
import type { ApprovalId } from "../../protocol/ids.ts";
import type { FakeConnection } from "../../testing/fake-connection.ts";
import { Reader, type TestHost } from "../../testing/test-host.ts";
import type { NewInput } from "../api.ts";

type Call = Partial<ToolCall> & Pick<ToolCall, "toolCallId">;

export class TestAgent {
  readonly world: TestHost;
  readonly session: string;
  readonly reader: Reader;
  readonly agent: FakeConnection;
  readonly turnId: string;

  private constructor(world: TestHost, session: string, reader: Reader, agent: FakeConnection, turnId: string) {
    this.world = world;
    this.session = session;
    this.reader = reader;
    this.agent = agent;
    this.turnId = turnId;
  }
  static async start(world: TestHost, session?: string, input: Partial<NewInput> = {}): Promise<TestAgent> {
    const id = session ?? (await world.session());
    const { cursor } = await world.host.submit(id, { text: "go", ...input });
    const reader = new Reader(world.host, id, cursor);
    const agent = await world.driver.connections.next();
    const { turnId } = await agent.sends.next();
    return new TestAgent(world, id, reader, agent, turnId);
  }

  call(call: Call): ToolCall {
    return { toolName: "bash", input: { command: "ls" }, category: "shell", paths: [], turnId: this.turnId, ...call };
  }
  decide(call: Call): Promise<PolicyDecision> {
    return this.agent.input.policy.decide(this.call(call));
  }
  /** Shows the call, asks the host, and, if it says so, a person. */
  async ask(approvalId: ApprovalId, call: Call, durable = false): Promise<PolicyDecision> {
    const { toolCallId, toolName, input, turnId } = this.call(call);
    this.agent.chunk(this.turnId, { type: "tool-input-available", toolCallId, toolName, input });
    const decision = await this.decide(call);
    if (decision === "ask")
      this.agent.emit({
        type: "tool-approval-request",
        ...(turnId === null ? {} : { turnId }),
        approvalId,
        toolCallId,
        toolName,
        input,
        durable,
      });
    return decision;
  }
  /** The call ran. */
  done(toolCallId: string): void {
    this.agent.chunk(this.turnId, { type: "tool-output-available", toolCallId, output: "done" });
  }
  async finish(): Promise<void> {
    this.agent.complete(this.turnId);
    await this.reader.until("turn.settled");
    await this.reader.stop();
  }
}
export const bash = (toolCallId: string, command: string): Call => ({ toolCallId, input: { command } });
