/**
 * Claude Code through its SDK alone, with the settings the driver gives it: what our host is measured against. A turn
 * begins when its prompt is written and ends with the SDK's result.
 */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { EventQueue } from "@mooring/host/driver";
import { driverOptions } from "../../packages/driver-claude-code/src/sdk/driver-options.ts";
import { agentEnvironment } from "../../packages/driver-claude-code/src/sdk/environment.ts";
import { loadSdk } from "../../packages/driver-claude-code/src/sdk/resolve-sdk.ts";
import type { Query, SdkOptions, SdkUserMessage } from "../../packages/driver-claude-code/src/sdk/sdk.ts";
import { agentsDirectory, model } from "../../test/agents/claude-code/desk.ts";
import { type TurnTimes, TurnWatch } from "./turn-times.ts";

type Place = { readonly home: string; readonly workspace: string; readonly baseUrl: string };

/** One process for all turns. */
export class RawAgent {
  readonly #input = new EventQueue<SdkUserMessage>(1);
  readonly #query: Query;
  readonly #frames: AsyncIterator<unknown>;

  private constructor(query: (input: EventQueue<SdkUserMessage>) => Query) {
    this.#query = query(this.#input);
    this.#frames = this.#query[Symbol.asyncIterator]();
  }
  /** Resolves when it is ready for its first turn. `session`: goes on from that conversation. */
  static async start(place: Place, session: { readonly resume: string } | { readonly sessionId: string }) {
    const sdk = await loadSdk([agentsDirectory]);
    const options = { ...optionsFor(place), ...session } as SdkOptions;
    return new RawAgent((prompt) => sdk.query({ prompt, options }));
  }
  /** Of the process; resolves when it answers. */
  async pid(): Promise<number> {
    return Number(Object(await this.#query.initializationResult()).pid);
  }

  async turn(text: string): Promise<TurnTimes> {
    const watch = new TurnWatch();
    const message = { role: "user", content: [{ type: "text", text }] } as const;
    this.#input.push({ type: "user", message, parent_tool_use_id: null, uuid: randomUUID() });
    for (;;) {
      const { value, done } = await this.#frames.next();
      const { type, event } = Object(value);
      if (type === "stream_event" && event?.delta?.type === "text_delta") watch.spoke();
      if (type === "result" || done === true) return watch.ended();
    }
  }
  /** Resolves when its process is gone. */
  async end(): Promise<void> {
    this.#input.end();
    while ((await this.#frames.next()).done !== true);
  }
}

/** A turn as those run it who keep no process: start, one answer, end. Of the end nothing is counted. */
export async function turnOfItsOwnProcess(place: Place, resume: string, text: string): Promise<TurnTimes> {
  const from = performance.now();
  const agent = await RawAgent.start(place, { resume });
  const before = performance.now() - from;
  const times = await agent.turn(text);
  await agent.end();
  return { first: before + times.first, whole: before + times.whole };
}

/** A home and a workspace of its own. */
export async function rawPlace(directory: string, baseUrl: string): Promise<Place> {
  const place = await mkdtemp(join(directory, "raw-"));
  const [home, workspace] = [join(place, "home"), join(place, "workspace")];
  await mkdir(join(home, "tmp"), { recursive: true });
  await mkdir(workspace);
  return { home, workspace, baseUrl };
}

function optionsFor({ home, workspace, baseUrl }: Place): Partial<SdkOptions> {
  const credentials = { provider: "anthropic", apiKey: "dummy", baseUrl };
  const path = process.env["PATH"] ?? "";
  return {
    cwd: workspace,
    model,
    env: agentEnvironment({ env: { PATH: path }, home, credentials }, driverOptions({})),
    permissionMode: "default",
    settingSources: [],
    systemPrompt: { type: "preset", preset: "claude_code" },
    strictMcpConfig: true,
    includePartialMessages: true,
    forwardSubagentText: true,
  };
}
