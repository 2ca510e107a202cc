/** The readers of streams over HTTP as the bench has them: a process of their own, so that their work is not measured. */
import { fork } from "node:child_process";
import { join } from "node:path";
import { MooringError } from "@mooring/host";
import type { FromReaders, ToReaders } from "./load-readers.ts";

/** Streams that can be read: the raw loop's, or the server's. */
export interface Streams {
  readonly urls: readonly string[];
  /** Bytes given to sockets so far, those of readers that never read too. */
  readonly written: number;
  /** One piece, of the stream whose turn it is. False when it can say nothing just now. */
  say(n: number): boolean;
  close(): void;
}
export const token = "the-token-of-the-load";
export type Seen = Extract<FromReaders, { said: "seen" }>;
type Opening = { readonly each: number; readonly stalled: boolean };

export class Readers {
  readonly #child = fork(join(import.meta.dirname, "load-readers.ts"), { execArgv: ["--conditions=mooring-source"] });

  /** `each`: readers of one stream; `stalled`: beside them one that never reads. */
  async open({ urls }: Streams, { each, stalled }: Opening): Promise<void> {
    const read = urls.flatMap((url) => Array<string>(each).fill(url));
    await this.#ask({ ask: "open", urls: read, stalled: stalled ? urls : [], token });
  }
  /** What came since it was asked last. */
  async seen(): Promise<Seen> {
    const answer = await this.#ask({ ask: "seen" });
    if (answer.said === "seen") return answer;
    throw new MooringError("bench-broken", `The readers said ${answer.said}.`);
  }
  /** Resolves when so many pieces came since `seen`. */
  async until(pieces: number): Promise<void> {
    await this.#ask({ ask: "until", pieces });
  }
  close(): void {
    this.#child.send({ ask: "close" } satisfies ToReaders);
  }
  end(): void {
    this.#child.disconnect();
  }
  #ask(message: ToReaders): Promise<FromReaders> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new MooringError("bench-broken", "The readers are gone."));
      this.#child.once("exit", gone);
      this.#child.once("message", (answer) => {
        this.#child.off("exit", gone);
        resolve(answer as FromReaders);
      });
      this.#child.send(message);
    });
  }
}
