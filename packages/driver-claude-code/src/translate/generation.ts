/** One stretch of the agent's own output: a turn we sent, one it began itself, or a compaction that was asked for. */
import type { InputId, TurnId } from "@mooring/host/driver";
import type { Failure } from "./outcome.ts";

export type Generation = {
  readonly turnId: TurnId;
  /** `leftover`: what an earlier turn left in the agent, heard by nobody. */
  readonly origin: "send" | "own" | "compaction" | "leftover";
  /** Inputs whose answer it is. */
  readonly answered: InputId[];
  /** The agent's name of its last message: a fork may begin behind it. */
  anchor: string | null;
  /** What the agent said last, as one text: a compaction says in it why there was none. */
  lastText: string;
  isStopping: boolean;
  /** Decided before the agent says so. */
  failure: Failure | null;
};

export const newGeneration = (
  turnId: TurnId,
  origin: Generation["origin"],
  answered: readonly InputId[] = [],
): Generation => ({
  turnId,
  origin,
  answered: [...answered],
  anchor: null,
  lastText: "",
  isStopping: false,
  failure: null,
});

/** It is a turn for the host. */
export const isTurn = ({ origin }: Generation): boolean => origin === "send" || origin === "own";
