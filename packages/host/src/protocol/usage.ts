/** One model request's tokens and times, as its capture owner saw them. Deltas, never cumulative totals. */
import type { UsageId } from "./ids.ts";

export type TokenUsage = {
  readonly input: number;
  readonly output: number;
  readonly reasoning: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
};
export type UsageReport = {
  /** Global and namespaced by the driver (`loop:<id>`): a second report with it is ignored. */
  readonly requestId: UsageId;
  readonly model: string;
  readonly tokens: TokenUsage;
  readonly timing: { readonly firstTokenMs: number | null; readonly totalMs: number | null };
  /** Price in the provider's currency as of the request; null: not known. */
  readonly cost: { readonly amount: number; readonly currency: string } | null;
};
