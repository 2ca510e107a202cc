/**
 * Everything that is measured, each in a process of its own so that nobody measures another's work: the scripted model,
 * the server, and the agents they start. The SDK and the client run here. Invariant: `end` leaves nothing.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Served } from "../../test/agents/claude-code/served.ts";

/** Seconds after which the model stops by itself. */
const modelTtl = 900;
const program = join(import.meta.dirname, "../../packages/scripted-model/src/server.ts");

export class Stage {
  readonly served: Served;
  /** Of the model. */
  readonly baseUrl: string;
  readonly #model: ChildProcess;

  private constructor(served: Served, model: ChildProcess, baseUrl: string) {
    this.served = served;
    this.#model = model;
    this.baseUrl = baseUrl;
  }
  static async open(): Promise<Stage> {
    const args = ["--conditions=mooring-source", program, "--port", "0", "--ttl", String(modelTtl)];
    const model = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(createInterface({ input: model.stdout }), "line");
    const served = await Served.open();
    await served.start();
    return new Stage(served, model, String(line));
  }
  async end(): Promise<void> {
    await this.served.dispose();
    this.#model.kill();
  }
}
