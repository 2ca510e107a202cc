/**
 * Shell commands that leave evidence, for an agent whose tool is a shell: one that leaves a trace, and one that is at
 * work until it is released. Two named pipes in the case's own directory carry the news, so nothing is polled.
 */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

export class ShellActs {
  readonly #scratch: string;
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
    execFileSync("mkfifo", [this.#path("at-work"), this.#path("gate")]);
    return `echo $$ > '${this.#path("at-work")}'; cat '${this.#path("gate")}' && ${this.trace(name)}`;
  }
  /** Resolves when the held command is at work. */
  async started(): Promise<void> {
    this.#shell ??= readFile(this.#path("at-work"), "utf8").then(Number);
    await this.#shell;
  }
  /** Call after `started`, while the command is at work. */
  async release(): Promise<void> {
    await writeFile(this.#path("gate"), "");
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

  #path(name: string): string {
    return join(this.#scratch, name);
  }
}
