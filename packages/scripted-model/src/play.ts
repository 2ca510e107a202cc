/**
 * Plays a reply in time: the pieces of each block in order, with delays, up to its ending.
 * Invariants: an abort is noticed at once, also within a delay or a hang, and throws the signal's reason; `#cut`
 * throws a `ScriptedModelError` with code `cut`; a normal return means the reply was played to its end.
 */
import { setTimeout as timer } from "node:timers/promises";
import type { Ending } from "./answer.ts";
import { ScriptedModelError } from "./errors.ts";
import type { Reply, ReplyBlock } from "./player.ts";

/** Waits `ms` milliseconds; may reject when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface Timing {
  /** Milliseconds between two pieces; 0 by default. */
  readonly delayMs?: number;
  readonly sleep?: Sleep;
}

/** A block opens, brings its deltas (which join to its whole text or arguments) and closes. */
export type PlayEvent =
  | { readonly type: "open"; readonly index: number; readonly block: ReplyBlock }
  | { readonly type: "delta"; readonly index: number; readonly block: ReplyBlock; readonly delta: string }
  | { readonly type: "close"; readonly index: number; readonly block: ReplyBlock };

const realSleep: Sleep = (ms, signal) => timer(ms, undefined, { signal });

/** The reason of an aborted signal as an error, like `fetch` gives it. */
export const abortReason = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException(String(signal.reason ?? "aborted"), "AbortError");

/** Settles with `work`, or rejects at once when the signal aborts. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortReason(signal));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    const unlisten = (): void => signal.removeEventListener("abort", onAbort);
    work.then(resolve, reject).finally(unlisten);
  });
}

const toolDeltas = 3;

/** Words with the space after them; arguments in up to three parts. */
function piecesOf(block: ReplyBlock): string[] {
  if (block.type !== "call") return block.text === "" ? [] : block.text.split(/(?<=\s)(?=\S)/);
  const size = Math.max(1, Math.ceil(block.input.length / toolDeltas));
  return Array.from({ length: Math.ceil(block.input.length / size) }, (_, i) =>
    block.input.slice(i * size, (i + 1) * size),
  );
}

/** Counts the pieces that `#cut` lets through. Reasoning is free: the count is of the answer itself. */
function cutter(ending: Ending): (block: ReplyBlock) => void {
  let left = ending.type === "cut" ? ending.pieces : Number.POSITIVE_INFINITY;
  return (block) => {
    if (block.type !== "reasoning" && left-- <= 0) throw cutError();
  };
}

const cutError = (): ScriptedModelError => new ScriptedModelError("cut", "The script cut the connection.");

const delayOf = (block: ReplyBlock, timing: Timing): number =>
  (block.type === "text" ? block.delayMs : undefined) ?? timing.delayMs ?? 0;

/** The events of a reply. Throws as the file's header says. */
export async function* play(reply: Reply, timing: Timing, signal: AbortSignal): AsyncGenerator<PlayEvent, void, void> {
  const sleep = timing.sleep ?? realSleep;
  const passCut = cutter(reply.ending);
  for (const [index, block] of reply.blocks.entries()) {
    yield { type: "open", index, block };
    const delay = delayOf(block, timing);
    for (const [nth, delta] of piecesOf(block).entries()) {
      if (nth > 0 && delay > 0) await untilAborted(sleep(delay, signal), signal);
      if (signal.aborted) throw abortReason(signal);
      passCut(block);
      yield { type: "delta", index, block, delta };
    }
    yield { type: "close", index, block };
  }
  if (reply.ending.type === "cut") throw cutError();
  if (reply.ending.type === "hang") await untilAborted(new Promise<never>(() => {}), signal);
}

/** Plays a reply for a caller who wants it whole: takes as long, fails alike, and gives nothing until the end. */
export async function playWhole(reply: Reply, timing: Timing, signal: AbortSignal): Promise<void> {
  for await (const _ of play(reply, timing, signal));
}
