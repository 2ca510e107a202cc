/** How full the context is, as the agent counts it. */
import type { ContextUsage } from "@mooring/host/driver";
import { fieldsOf, listOf, numberIn, textIn } from "./frames.ts";

export function contextUsageOf(answer: unknown): ContextUsage | null {
  const used = numberIn(answer, "totalTokens");
  const window = numberIn(answer, "maxTokens");
  if (used === null || window === null) return null;
  const categories = listOf(fieldsOf(answer)["categories"]).map((category) => ({
    name: textIn(category, "name"),
    kind: textIn(category, "kind"),
    tokens: numberIn(category, "tokens"),
  }));
  return { used, window, categories };
}
