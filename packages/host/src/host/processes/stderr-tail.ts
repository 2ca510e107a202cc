/**
 * The last bytes a child wrote to stderr, fit to be shown. Invariants: at most `limit` bytes of UTF-8, never half a
 * character at either end, and redacted before it is cut, so that no cut leaves a piece of a secret.
 */
import { StringDecoder } from "node:string_decoder";
import { redact } from "../redact.ts";
import { processLimits } from "./process-limits.ts";

export class StderrTail {
  readonly #limit: number;
  readonly #secrets: readonly string[];
  #kept: Buffer = Buffer.alloc(0);

  constructor(limit: number, secrets: readonly string[]) {
    this.#limit = limit;
    this.#secrets = secrets;
  }

  push(chunk: Buffer): void {
    const kept = Buffer.concat([this.#kept, chunk]);
    this.#kept = kept.subarray(Math.max(0, kept.length - this.#limit - processLimits.secretOverlapBytes));
  }

  text(): string {
    const clean = Buffer.from(redact(wholeCharacters(this.#kept), this.#secrets));
    return wholeCharacters(clean.subarray(Math.max(0, clean.length - this.#limit)));
  }
}

/** Drops the rest of a character at the start and the beginning of one at the end. */
function wholeCharacters(bytes: Buffer): string {
  let start = 0;
  while (start < Math.min(3, bytes.length) && isContinuation(bytes[start])) start++;
  return new StringDecoder("utf8").write(bytes.subarray(start));
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
