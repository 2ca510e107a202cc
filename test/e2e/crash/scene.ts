/**
 * One place for one crash: a directory and a scripted model that outlives every host. Invariants: evidence is taken
 * from copies while no host runs, so that looking repairs nothing; closing ends every process the scene started.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoggedRequest } from "@mooring/scripted-model";
import { type ScriptedServer, startScriptedServer } from "@mooring/scripted-model/server";
import { readProcessTable } from "../../../packages/host/src/host/processes/process-table.ts";
import type { Evidence } from "./checker/evidence.ts";
import { readStored, type Stored } from "./checker/stored.ts";
import { Child } from "./child.ts";
import type { Order, Phase } from "./order.ts";

const database = "mooring.db";

export class Scene {
  readonly #requests: LoggedRequest[] = [];
  readonly #directory: string;
  readonly #phase: Phase;
  readonly #children: Child[] = [];
  #server: ScriptedServer | null = null;
  #asked = (_: LoggedRequest): void => {};

  private constructor(phase: Phase, directory: string) {
    this.#phase = phase;
    this.#directory = directory;
  }

  static async open(phase: Phase): Promise<Scene> {
    const scene = new Scene(phase, mkdtempSync(join(tmpdir(), "mooring-crash-")));
    mkdirSync(scene.#workspace);
    const log = (request: LoggedRequest): void => {
      if (request.protocol === "http") return;
      scene.#requests.push(request);
      scene.#asked(request);
    };
    scene.#server = await startScriptedServer({ log });
    return scene;
  }

  get #workspace(): string {
    return join(this.#directory, "workspace");
  }
  get #dataDir(): string {
    return join(this.#directory, "data");
  }

  start(part: Order["part"]): Child {
    const modelUrl = `${this.#server?.url}/v1`;
    const order = { part, phase: this.#phase, dataDir: this.#dataDir, workspace: this.#workspace, modelUrl };
    const child = new Child(order);
    this.#children.push(child);
    return child;
  }

  /** Resolves when the model is asked so. */
  asked(matches: (request: LoggedRequest) => boolean): Promise<true> {
    return new Promise((resolve) => {
      this.#asked = (request) => {
        if (matches(request)) resolve(true);
      };
    });
  }

  /** What a dead host left. */
  async leftBehind(): Promise<Evidence> {
    await fetch(`${this.#server?.url}/v1/models`); // answered after all that the host had sent was read
    return this.#evidence(readStored(this.copyDatabase()));
  }

  /** Path of a copy as it is on disk, its log beside it. Only while no host runs. */
  copyDatabase(): string {
    const copy = mkdtempSync(join(this.#directory, "copy-"));
    for (const file of [database, `${database}-wal`])
      if (existsSync(join(this.#dataDir, file))) copyFileSync(join(this.#dataDir, file), join(copy, file));
    return join(copy, database);
  }

  /** What there is now; a host may run. */
  now(): Evidence {
    return this.#evidence(readStored(join(this.#dataDir, database)));
  }

  #evidence(stored: Stored): Evidence {
    const lines = this.#children.flatMap((child) => child.lines);
    return { stored, lines, side: this.#linesOf("side.log"), requests: [...this.#requests] };
  }
  #linesOf(file: string): string[] {
    const path = join(this.#workspace, file);
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
  }

  /** Tools that still run. */
  async livingTools(): Promise<number[]> {
    const table = await readProcessTable();
    return this.#linesOf("pids")
      .map(Number)
      .filter((pid) => table.has(pid));
  }

  async close(): Promise<void> {
    for (const child of this.#children) await child.kill();
    for (const pid of await this.livingTools()) process.kill(pid, "SIGKILL");
    await this.#server?.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
