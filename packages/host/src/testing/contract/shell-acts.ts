/**
 * Shell commands that leave evidence, for an agent whose tool is a shell: one that leaves a trace, and one that is at
 * work until it is released. Two named pipes in the case's own directory carry the news, so nothing is polled.
 */
import { AssertionError } from "node:assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { NamedPipe } from "../named-pipe.ts";

export class ShellActs {
  readonly #scratch: string;
  #pipes: { readonly atWork: NamedPipe; readonly gate: NamedPipe } | null = null;
  #shell: Promise<number> | null = null;

  private constructor(scratch: string) {
    this.#scratch = scratch;
  }
  static async open(scratch: string): Promise<ShellActs> {
    return new ShellActs(scratch);
  }

  /** A command that leaves one trace each time it runs. */
  trace(name = "trace"): string {
    return `echo ran >> '${this.#path(name)}'`;
  }
  /** How often it ran. */
  async ran(name = "trace"): Promise<number> {
    const text = await readFile(this.#path(name), "utf8").catch(() => "");
    return text.split("\n").length - 1;
  }

  /** A command that leaves its trace when it is released. Use it once. */
  held(name = "held"): string {
    const [atWork, gate] = [NamedPipe.make(this.#path("at-work")), NamedPipe.make(this.#path("gate"))];
    this.#pipes = { atWork, gate };
    return `echo $$ > '${atWork.path}'; cat '${gate.path}' && ${this.trace(name)}`;
  }
  /** Resolves when the held command is at work. */
  async started(): Promise<void> {
    this.#shell ??= this.#held.atWork.read().then(Number);
    await this.#shell;
  }
  /** Call after `started`, while the command is at work. */
  async release(): Promise<void> {
    await this.#held.gate.write("");
  }
  /** Whether the held command is at work. */
  async running(): Promise<boolean> {
    if (this.#shell === null) return false;
    try {
      return process.kill(await this.#shell, 0);
    } catch {
      return false;
    }
  }

  get #held() {
    if (this.#pipes) return this.#pipes;
    throw new AssertionError({ message: "No command is held: give `held()` to the agent first." });
  }
  #path(name: string): string {
    return join(this.#scratch, name);
  }
}
