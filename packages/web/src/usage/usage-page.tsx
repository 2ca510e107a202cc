/** What everything used, as pictures: tokens by day, by agent, by model; and the same numbers as tables. */
import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import type { UsageTotal } from "../api/types.ts";
import { useLoaded } from "../api/use-loaded.ts";
import { money, tokens } from "../ui/amounts.ts";

type By = "day" | "agent" | "model";
const titles: { readonly [B in By]: string } = { day: "By day", agent: "By agent", model: "By model" };
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
        <h1 className="m-0 text-lg font-semibold">Usage</h1>
        <select
          aria-label="Time span"
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
          className="rounded-md border border-line bg-card px-2 py-1 text-sm"
        >
          {spans.map((span) => (
            <option key={span} value={span}>{`Last ${span} days`}</option>
          ))}
        </select>
      </div>
      {(["day", "agent", "model"] as const).map((by) => (
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
  return (
    <section aria-label={titles[by]}>
      <h2 className="mb-2 mt-0 text-base font-semibold">{titles[by]}</h2>
      {totals.length === 0 ? <p className="m-0 text-sm text-soft">Nothing was used.</p> : null}
      {totals.length === 0 ? null : (
        <table className="w-full border-collapse text-sm">
          <thead className="text-left text-xs text-soft">
            <tr>
              <th className="font-medium">{by === "day" ? "Day" : by === "agent" ? "Agent" : "Model"}</th>
              <th className="w-2/5 font-medium">
                <span className="sr-only">Share</span>
              </th>
              <th className="text-right font-medium">In</th>
              <th className="text-right font-medium">Out</th>
              <th className="text-right font-medium">Requests</th>
              <th className="text-right font-medium">Cost</th>
            </tr>
          </thead>
          <tbody>
            {totals.map((row) => (
              <UsageRow key={row.key} row={row} share={sumOf(row) / most} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function UsageRow({ row, share }: { readonly row: UsageTotal; readonly share: number }) {
  const { name, total, requests, cost } = row;
  return (
    <tr className="border-t border-line">
      <td className="max-w-40 truncate py-1 pr-2">{name}</td>
      <td className="py-1 pr-2">
        <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="block h-3 w-full" aria-hidden="true">
          <rect width="100" height="8" rx="1" className="fill-raised" />
          <rect width={share * 100} height="8" rx="1" className="fill-accent" />
        </svg>
      </td>
      <td className="py-1 text-right tabular-nums">{tokens(total.input)}</td>
      <td className="py-1 text-right tabular-nums">{tokens(total.output)}</td>
      <td className="py-1 text-right tabular-nums">{requests}</td>
      <td className="py-1 text-right tabular-nums">{cost.map(money).join(", ") || "–"}</td>
    </tr>
  );
}
