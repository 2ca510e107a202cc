/** Sums of what was used, over usage rows. */
import type { UsageGroup, UsageQuery, UsageSum } from "../../ports/store.ts";
import type { UsageRow } from "../../protocol/rows.ts";
import type { TokenUsage } from "../../protocol/usage.ts";
import { listedGroups } from "../usage-order.ts";
import type { MemoryData } from "./data.ts";

export const sumOf = (rows: readonly UsageRow[]): UsageSum => ({
  total: tokensOf(rows),
  requests: rows.length,
  modelMs: rows.reduce((sum, { report }) => sum + (report.timing?.totalMs ?? 0), 0),
  cost: costOf(rows),
});

export function totalsOf(
  data: MemoryData,
  { from = 0, to = Number.POSITIVE_INFINITY, by }: UsageQuery,
): readonly UsageGroup[] {
  const agents = new Map([...data.sessions.values()].map(({ row }) => [row.id, row.agentId]));
  const keyOf = {
    day: ({ at }: UsageRow) => new Date(at).toISOString().slice(0, 10),
    agent: ({ sessionId }: UsageRow) => agents.get(sessionId) ?? "",
    session: ({ sessionId }: UsageRow) => sessionId,
    model: ({ report }: UsageRow) => report.model,
  }[by];
  const groups = new Map<string, UsageRow[]>();
  for (const row of data.usage.values()) {
    if (row.at < from || row.at >= to) continue;
    const group = groups.get(keyOf(row)) ?? [];
    group.push(row);
    groups.set(keyOf(row), group);
  }
  const sums = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, rows]) => ({ key, ...sumOf(rows) }));
  return listedGroups(by, sums);
}

const noTokens: TokenUsage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
export const tokensOf = (rows: readonly UsageRow[]): TokenUsage =>
  rows.reduce((total, { report: { tokens } }) => plus(total, tokens), noTokens);
const plus = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  reasoning: a.reasoning + b.reasoning,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
});

function costOf(rows: readonly UsageRow[]): { currency: string; amount: number }[] {
  const amounts = new Map<string, number>();
  for (const { report } of rows)
    if (report.cost) amounts.set(report.cost.currency, (amounts.get(report.cost.currency) ?? 0) + report.cost.amount);
  return [...amounts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, amount]) => ({ currency, amount }));
}
