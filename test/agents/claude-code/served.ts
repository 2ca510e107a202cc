/**
 * A real `mooring serve` in a process of its own, over SQLite, with the real Claude Code in its data directory; seen
 * through the HTTP API by clients. Invariant: whatever happens, what was started here ends here.
 */
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type MooringClient } from "@mooring/client";
import type { NewAgent, SessionHost } from "@mooring/host";
import { type Running, start } from "../../../packages/cli/src/testing/running.ts";
import { Reader } from "../../../packages/host/src/testing/test-host.ts";
import { agentsDirectory, model } from "./desk.ts";

const main = join(import.meta.dirname, "../../../packages/cli/src/main.ts");
const token = "a-token-of-the-test";

export type ServedSession = { readonly id: string; readonly workspace: string };

export class Served {
  /** Where the server keeps everything. */
  readonly data: string;
  readonly #directory: string;
  #server: Running | null = null;
  #url = "";

  private constructor(directory: string) {
    this.#directory = directory;
    this.data = join(directory, "data");
  }

  /** The agent is where `mooring agents install` would have put it. */
  static async open(): Promise<Served> {
    const directory = await realpath(await mkdtemp(join(tmpdir(), "mooring-claude-served-")));
    const installed = join(directory, "data/agents/claude-code");
    await mkdir(installed, { recursive: true });
    await symlink(join(agentsDirectory, "node_modules"), join(installed, "node_modules"));
    return new Served(directory);
  }

  /** Starts the server, for the first time or after its end; resolves when it answers. */
  async start(): Promise<MooringClient> {
    const cache = process.env["NODE_COMPILE_CACHE"];
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: this.#directory,
      MOORING_HOME: this.data,
      MOORING_TOKEN: token,
      ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
    };
    const words = [process.execPath, "--conditions=mooring-source", main, "serve", "--port", "0"];
    this.#server = start(words, { cwd: this.#directory, env });
    const greeting = await this.#server.until(/stop +Ctrl-C/);
    this.#url = /http:\/\/[\d.:]+/.exec(greeting)?.[0] ?? "";
    return this.client();
  }
  /** A client of the running server; it shares nothing with another one. */
  client(): MooringClient {
    return createClient({ url: this.#url, token });
  }
  /** Kills the server, and nothing else. */
  async kill(): Promise<void> {
    await this.#server?.kill("SIGKILL");
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  /** A new session with an agent of its own, whose model is at `baseUrl`. */
  async session(baseUrl: string, agent: Partial<NewAgent> = {}): Promise<ServedSession> {
    const client = this.client();
    const provider = { kind: "anthropic", apiKey: "dummy", baseUrl };
    const made = await client.agents.add({ name: "claude", driver: "claude-code", model, provider, ...agent });
    return client.create({ agent: made.id });
  }

  async dispose(): Promise<void> {
    this.#server?.signal("SIGTERM");
    await this.#server?.kill("SIGTERM"); // the second one waits for turns no longer
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Follows a session over HTTP. The contents of events are the host's: the API's description says less of them. */
export const followed = (client: MooringClient, id: string, after: string | null): Reader =>
  new Reader(client as Pick<SessionHost, "events">, id, after);
