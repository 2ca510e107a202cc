/** What everything used, as pictures: tokens by day, agent, session and model, with time and cost; and the same numbers as tables. */
import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import type { UsageTotal } from "../api/types.ts";
import { useLoaded } from "../api/use-loaded.ts";
import { duration, money, tokens } from "../ui/amounts.ts";

const views = ["day", "agent", "session", "model"] as const;
type By = (typeof views)[number];
const names: { readonly [B in By]: string } = { day: "Day", agent: "Agent", session: "Session", model: "Model" };
const dayMs = 86_400_000;
const spans = [7, 30, 90] as const;

export function UsagePage() {
  const [days, setDays] = useState<number>(30);
  useEffect(() => {
    document.title = "Usage · Mooring";
  }, []);
  return (
    <section aria-label="Usage" className="mx-auto w-full max-w-3xl space-y-6 overflow-y-auto p-4">
      <div className="flex items-center justify-between">
        <h1 className="text-lg font-semibold">Usage</h1>
        <select
          aria-label="Time span"
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
          className="min-h-9 rounded-md border border-line bg-card px-2 text-sm"
        >
          {spans.map((span) => (
            <option key={span} value={span}>{`Last ${span} days`}</option>
          ))}
        </select>
      </div>
      {views.map((by) => (
        <UsageBy key={by} by={by} days={days} />
      ))}
    </section>
  );
}

const sumOf = ({ total }: UsageTotal): number => total.input + total.output;

function UsageBy({ by, days }: { readonly by: By; readonly days: number }) {
  const totals = useLoaded(() => api.usage(by, Date.now() - days * dayMs), days);
  if (totals === undefined) return null;
  const most = Math.max(1, ...totals.map(sumOf));
  const title = `By ${by}`;
  return (
    <section aria-label={title} className="space-y-2">
      {by === "day" ? <Summary totals={totals} /> : null}
      <h2 className="text-base font-semibold">{title}</h2>
      {totals.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line p-4 text-sm text-soft">
          Nothing was used in this time.
        </p>
      ) : (
        <UsageTable by={by} totals={totals} most={most} />
      )}
    </section>
  );
}

/** Of the whole time, in large figures. */
function Summary({ totals }: { readonly totals: readonly UsageTotal[] }) {
  const sum = (of: (row: UsageTotal) => number): number => totals.reduce((all, row) => all + of(row), 0);
  const figures = [
    ["Tokens in", tokens(sum(({ total }) => total.input))],
    ["Tokens out", tokens(sum(({ total }) => total.output))],
    ["Requests", `${sum(({ requests }) => requests)}`],
    ["Time", duration(sum(({ modelMs }) => modelMs))],
    ["Cost", costs(totals.flatMap(({ cost }) => cost))],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-2 pb-4 sm:grid-cols-5">
      {figures.map(([name, figure]) => (
        <div key={name} className="rounded-lg border border-line bg-card px-3 py-2">
          <dt className="text-xs text-soft">{name}</dt>
          <dd className="text-lg font-semibold tabular-nums">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

function UsageTable({
  by,
  totals,
  most,
}: {
  readonly by: By;
  readonly totals: readonly UsageTotal[];
  readonly most: number;
}) {
  const number = "px-1 pb-1 text-right font-medium";
  return (
    <table className="w-full table-fixed border-collapse text-sm">
      <thead className="text-left text-xs text-soft">
        <tr>
          <th className="w-24 pb-1 font-medium sm:w-36">{names[by]}</th>
          <th className="pb-1">
            <span className="sr-only">Share</span>
          </th>
          <th className={`w-14 sm:w-20 ${number}`}>In</th>
          <th className={`w-14 sm:w-20 ${number}`}>Out</th>
          <th className={`hidden w-20 sm:table-cell ${number}`}>Requests</th>
          <th className={`hidden w-20 sm:table-cell ${number}`}>Time</th>
          <th className="w-20 pb-1 text-right font-medium sm:w-24">Cost</th>
        </tr>
      </thead>
      <tbody>
        {totals.map((row) => (
          <UsageRow key={row.key} row={row} share={sumOf(row) / most} />
        ))}
      </tbody>
    </table>
  );
}

function UsageRow({ row, share }: { readonly row: UsageTotal; readonly share: number }) {
  const { name, total, requests, modelMs, cost } = row;
  const number = "px-1 py-1.5 text-right tabular-nums";
  return (
    <tr className="border-t border-line">
      <th scope="row" className="truncate py-1.5 pr-2 text-left font-normal" title={name}>
        {name}
      </th>
      <td className="py-1.5 pr-2">
        <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="block h-3 w-full" aria-hidden="true">
          <rect width="100" height="8" rx="1" className="fill-raised" />
          <rect width={share * 100} height="8" rx="1" className="fill-accent" />
        </svg>
      </td>
      <td className={number}>{tokens(total.input)}</td>
      <td className={number}>{tokens(total.output)}</td>
      <td className={`hidden sm:table-cell ${number}`}>{requests}</td>
      <td className={`hidden sm:table-cell ${number}`}>{modelMs === 0 ? "–" : duration(modelMs)}</td>
      <td className="py-1.5 text-right tabular-nums">{costs(cost)}</td>
    </tr>
  );
}
/** Each currency of its own: nothing is converted. */
function costs(cost: UsageTotal["cost"]): string {
  const sums = new Map<string, number>();
  for (const { currency, amount } of cost) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].map(([currency, amount]) => money({ currency, amount })).join(", ") || "–";
}
