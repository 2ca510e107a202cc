/** What a session may set about its model beyond the name: the driver options and the effort. Checked before use. */
import { MooringError } from "@mooring/host/driver";
import { z } from "zod";
import { limits } from "../limits.ts";

const options = z.looseObject({
  /** Tokens, input and output together; for a model whose family the driver does not know. */
  contextWindow: z.number().int().min(1_000).optional(),
  /** Tokens of one answer. */
  maxOutputTokens: z.number().int().min(1).optional(),
  /** Model requests of one turn. */
  maxSteps: z.number().int().min(1).max(limits.stepsPerTurn).optional(),
});
export type ModelSettings = z.output<typeof options>;

/** Throws `invalid-option`. */
export function modelSettings(raw: Readonly<Record<string, unknown>>): ModelSettings {
  const parsed = options.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new MooringError(
    "invalid-option",
    `The agent's driver options are not valid: ${z.prettifyError(parsed.error)}`,
  );
}

const efforts = ["provider-default", "none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof efforts)[number];

/** Throws `invalid-option`. */
export function effortOf(effort: string | null): Effort {
  const known = effort === null ? "provider-default" : efforts.find((name) => name === effort);
  if (known !== undefined) return known;
  throw new MooringError("invalid-option", `The loop driver knows no effort "${effort}": use ${efforts.join(", ")}.`);
}
