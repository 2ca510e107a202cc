/** Talks to the process that has the real package, one question at a time. Its environment is explicit, its home private. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { PiView } from "./pi-view.ts";

export class PiClient {
  readonly #place: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  constructor(place: string) {
    this.#place = place;
    const env = { PATH: "/usr/bin:/bin", HOME: place, PI_OFFLINE: "1" };
    this.#child = spawn(process.execPath, [join(import.meta.dirname, "pi-process.ts")], {
      cwd: place,
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }
  /** Paths in the order of the stories. */
  async write(): Promise<readonly string[]> {
    return (await this.#ask<{ paths: string[] }>("write", [])).paths;
  }
  async view(paths: readonly string[]): Promise<readonly PiView[]> {
    return (await this.#ask<{ views: PiView[] }>("view", paths)).views;
  }
  /** Says one more thing in a file; its text then. */
  async goOn(path: string): Promise<string> {
    return (await this.#ask<{ text: string }>("go-on", [path])).text;
  }
  async #ask<Answer>(what: string, paths: readonly string[]): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify({ do: what, place: this.#place, paths })}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new TypeError(`The real package's process ended before it answered "${what}".`);
    return JSON.parse(value);
  }
  async end(): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, "exit");
    this.#reader.close();
  }
}
