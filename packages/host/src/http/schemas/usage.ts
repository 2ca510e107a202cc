/** What was used, and by what. */
import { z } from "zod";
import type { UsageTotal, UsageView } from "../../host/api.ts";
import type { TokenUsage } from "../../protocol/usage.ts";
import { named } from "./named.ts";
import { count } from "./values.ts";

export const tokens = named(
  "TokenUsage",
  z.object({
    input: count,
    output: count,
    reasoning: count,
    cacheRead: count,
    cacheWrite: count,
  }) satisfies z.ZodType<TokenUsage>,
);
const sums = {
  total: tokens,
  requests: count,
  modelMs: z.number(),
  cost: z.array(z.object({ currency: z.string(), amount: z.number() })),
};
export const usage = named("Usage", z.object(sums) satisfies z.ZodType<UsageView>);
const usageTotal = named(
  "UsageTotal",
  z.object({ ...sums, key: z.string(), name: z.string() }) satisfies z.ZodType<UsageTotal>,
);
export const usageTotals = named("UsageTotals", z.object({ items: z.array(usageTotal) }));
