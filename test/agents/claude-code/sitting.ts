/** A real host over a memory store, with the real Claude Code on the scripted model, and one session in it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claudeCodeDriver } from "@mooring/driver-claude-code";
import { createHost, type NewAgent, type SessionHost, systemClock, systemIds } from "@mooring/host";
import type { Store } from "@mooring/host/driver";
import { createMemoryStore } from "@mooring/host/memory";
import { NamedPipe } from "@mooring/host/testing";
import { type ScriptedServer, startScriptedServer } from "@mooring/scripted-model/server";
import { Reader } from "../../../packages/host/src/testing/test-host.ts";
import { agentsDirectory, model } from "./desk.ts";

type Parts = {
  readonly directory: string;
  readonly host: SessionHost;
  readonly store: Store;
  readonly server: ScriptedServer;
  readonly session: { readonly id: string; readonly workspace: string };
};

export class Sitting {
  readonly host: SessionHost;
  readonly id: string;
  readonly workspace: string;
  readonly reader: Reader;
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.host = parts.host;
    this.id = parts.session.id;
    this.workspace = parts.session.workspace;
    this.reader = new Reader(this.host, this.id);
  }

  static async open(agent: Partial<NewAgent> = {}): Promise<Sitting> {
    const directory = await mkdtemp(join(tmpdir(), "mooring-claude-host-"));
    const server = await startScriptedServer();
    const store = createMemoryStore({ ids: systemIds, clock: systemClock });
    const host = await createHost({
      store,
      drivers: [claudeCodeDriver({ projectDir: agentsDirectory })],
      dataDir: directory,
      roots: [],
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    });
    const provider = { kind: "anthropic", apiKey: "dummy", baseUrl: server.url };
    const made = await host.agents.add({ name: "claude", driver: "claude-code", model, provider, ...agent });
    const session = await host.create({ agent: made.id });
    return new Sitting({ directory, host, store, server, session });
  }

  /** Submits and resolves with the end of the turn that comes next. */
  async turn(text: string) {
    const nth = this.reader.of("turn.settled").length + 1;
    await this.host.submit(this.id, { text });
    return this.reader.until("turn.settled", nth);
  }

  /** Makes a pipe in the workspace: a tool that reads it waits until it is written or let go. */
  pipe(name: string): NamedPipe {
    return NamedPipe.make(join(this.workspace, name));
  }

  /** Resolves when a chunk of this type is visible. */
  async chunk(type: string): Promise<void> {
    for (let nth = 1; (await this.reader.until("chunk", nth)).chunk.type !== type; ) nth++;
  }
  /** Of the agent's processes: as the store has them. */
  async agentPids(): Promise<readonly number[]> {
    return (await this.#parts.store.query.processes()).map(({ pid }) => pid);
  }

  /** Everything the model was told in its newest request. */
  get lastRequest(): string {
    return JSON.stringify(
      this.#parts.server.requests.filter(({ protocol }) => protocol === "anthropic").at(-1)?.prompt,
    );
  }

  async dispose(): Promise<void> {
    await this.host.shutdown({ graceMs: 0 });
    await this.reader.stop();
    await this.#parts.server.close();
    await rm(this.#parts.directory, { recursive: true, force: true });
  }
}
