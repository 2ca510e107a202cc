/**
 * What a command wrote, or a tool of the program's own returned: its start and its end for the model, all of it in a file when that is more. Invariants: memory
 * is bounded by twice `limits.shellChars` and what the disk has not taken yet; a file never exceeds
 * `limits.shellFileBytes` and a session keeps the newest `limits.shellFiles`.
 */
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import type { Clock } from "@mooring/host/driver";
import { limits } from "../limits.ts";

const half = limits.shellChars / 2;

export class ShellOutput {
  readonly #directory: string;
  readonly #name: string;
  #head = "";
  #tail = "";
  #chars = 0;
  #file: WriteStream | null = null;
  #fileError: unknown = null;
  #fileRoom: number = limits.shellFileBytes;

  /** `directory` exists already; `name` is a file name in it that is free. */
  constructor(directory: string, name: string) {
    this.#directory = directory;
    this.#name = name;
  }

  /** A decoder of its own per pipe, so that a character split over two reads stays whole. */
  pipe(): (bytes: Buffer) => void {
    const decoder = new StringDecoder("utf8");
    return (bytes) => this.#add(decoder.write(bytes));
  }

  #add(text: string): void {
    if (this.#chars <= limits.shellChars && this.#chars + text.length > limits.shellChars) {
      this.#write(this.#head + this.#tail);
    }
    if (this.#file !== null) this.#write(text);
    const forHead = text.slice(0, Math.max(0, half - this.#head.length));
    this.#head += forHead;
    this.#tail = (this.#tail + text.slice(forHead.length)).slice(-half);
    this.#chars += text.length;
  }

  #write(text: string): void {
    this.#file ??= this.#open();
    const bytes = Buffer.from(text).subarray(0, this.#fileRoom);
    this.#fileRoom -= bytes.length;
    if (bytes.length > 0 && this.#fileError === null) this.#file.write(bytes);
  }

  #open(): WriteStream {
    const file = createWriteStream(join(this.#directory, this.#name), { mode: 0o600 });
    file.on("error", (cause) => {
      this.#fileError = cause;
    });
    return file;
  }

  /** The text for the model; call once, when nothing more comes. */
  async text(): Promise<string> {
    if (this.#file === null) return this.#head + this.#tail;
    this.#file.end();
    await finished(this.#file).catch((cause: unknown) => {
      this.#fileError = cause;
    });
    const left = this.#chars - this.#head.length - this.#tail.length;
    const where = this.#fileError === null ? `all of it: ${join(this.#directory, this.#name)}` : "it could not be kept";
    return `${this.#head}\n[${left} characters left out; ${where}]\n${this.#tail}`;
  }
}

/** Makes the directory and removes its oldest files, so that one more fits. */
export async function makeRoom(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const names = (await readdir(directory)).sort();
  const old = names.slice(0, Math.max(0, names.length - limits.shellFiles + 1));
  for (const name of old) await rm(join(directory, name), { force: true });
}

/** Sorts by age, and cannot name a place outside the directory whatever the model called its call. */
export const outputName = ({ clock, toolCallId }: { readonly clock: Clock; readonly toolCallId: string }): string =>
  `${clock.now()}-${toolCallId.replace(/[^\w-]/g, "_").slice(0, 64)}.txt`;
