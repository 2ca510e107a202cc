/** Sums of what was used: of one session, of one turn, and of all sessions by day, agent, session or model. */
import type { UsageGroup, UsageQuery, UsageSum } from "../../ports/store.ts";
import type { SessionNo, TurnId } from "../../protocol/ids.ts";
import type { TokenUsage } from "../../protocol/usage.ts";
import { listedGroups } from "../usage-order.ts";
import { type SqlRow, type SqlValue, selectList, turnColumns } from "./columns.ts";
import { turnJson } from "./row-json.ts";
import type { Sql } from "./sql.ts";

const tokenSums = `coalesce(sum(u.input), 0) AS input, coalesce(sum(u.output), 0) AS output,
  coalesce(sum(u.reasoning), 0) AS reasoning, coalesce(sum(u.cache_read), 0) AS cacheRead,
  coalesce(sum(u.cache_write), 0) AS cacheWrite`;

export function readUsage(sql: Sql, session: SessionNo): string {
  const [all] = groupsOf(sql, "''", "usage_records u WHERE u.session_no = ?", [session]);
  return JSON.stringify(sumOf(all));
}
function sumOf(group: UsageGroup | undefined): UsageSum {
  if (group === undefined) return { total: noTokens, requests: 0, modelMs: 0, cost: [] };
  const { key: _, ...sum } = group;
  return sum;
}
const noTokens: TokenUsage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

const turnsOf = `SELECT ${selectList(turnColumns, "t")} FROM turns t
  WHERE t.session_no = ?1 AND t.id IN (SELECT value FROM json_each(?2)) ORDER BY t.no`;
export function readTurnReports(sql: Sql, session: SessionNo, ids: readonly TurnId[]): string {
  const wanted = JSON.stringify(ids);
  const rows = "usage_records u WHERE u.session_no = ?1 AND u.turn_id IN (SELECT value FROM json_each(?2))";
  const used = new Map(groupsOf(sql, "u.turn_id", rows, [session, wanted]).map((group) => [group.key, group]));
  const reports = sql.all<SqlRow>(turnsOf, session, wanted).map((row) => {
    const sum = JSON.stringify(sumOf(used.get(String(row["id"]))));
    return `${turnJson(row).slice(0, -1)},"used":${sum}}`;
  });
  return `[${reports.join(",")}]`;
}

export const readTurnUsage = (sql: Sql, session: SessionNo, turn: TurnId): string =>
  JSON.stringify(
    sql.get(`SELECT ${tokenSums} FROM usage_records u WHERE u.session_no = ? AND u.turn_id = ?`, session, turn),
  );

const keys: { readonly [By in UsageQuery["by"]]: string } = {
  day: "strftime('%Y-%m-%d', u.at / 1000, 'unixepoch')",
  agent: "s.agent_id",
  session: "s.id",
  model: "u.model",
};

export function readUsageTotals(sql: Sql, { from, to, by }: UsageQuery): string {
  const values = [from, to].flatMap((at) => (at === undefined ? [] : [at]));
  const conditions = [...(from === undefined ? [] : ["u.at >= ?"]), ...(to === undefined ? [] : ["u.at < ?"]), "1"];
  const rows = `usage_records u JOIN sessions s ON s.no = u.session_no WHERE ${conditions.join(" AND ")}`;
  return JSON.stringify(listedGroups(by, groupsOf(sql, keys[by], rows, values)));
}

type Tokens = TokenUsage & { readonly key: string; readonly requests: number; readonly modelMs: number };
type Cost = { readonly key: string; readonly currency: string; readonly amount: number };

/** `rows`: tables with the usage as `u`, and conditions that more may be added to. */
function groupsOf(sql: Sql, key: string, rows: string, values: readonly SqlValue[]): UsageGroup[] {
  const sums = sql.all<Tokens>(
    `SELECT ${key} AS key, count(*) AS requests,
     coalesce(sum(u.total_ms), 0) AS modelMs, ${tokenSums} FROM ${rows} GROUP BY 1 ORDER BY 1`,
    ...values,
  );
  const costs = sql.all<Cost>(
    `SELECT ${key} AS key, u.cost_currency AS currency, sum(u.cost_amount) AS amount FROM ${rows}
     AND u.cost_currency IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
    ...values,
  );
  return sums.map(({ key: name, requests, modelMs, ...total }) => ({
    key: name,
    total,
    requests,
    modelMs,
    cost: costs.filter((cost) => cost.key === name).map(({ currency, amount }) => ({ currency, amount })),
  }));
}
