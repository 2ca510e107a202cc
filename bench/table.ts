/** The report as text: what, against what, the budget, what was measured with its quartiles, and whether it is within. */
import { isWithin, type Line } from "./bench.ts";
import { digits } from "./stats.ts";

const heads = ["what", "against", "budget", "measured", "(quartiles)", "", "note"] as const;

export function tableOf(lines: readonly Line[]): string {
  const rows = [heads, ...lines.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const text = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return text.join("\n");
}

function cellsOf(line: Line): readonly string[] {
  const { what, against, unit, measured, budget, note } = line;
  const sign = budget?.kind === "at-least" ? ">=" : "<=";
  const isOne = measured.low === measured.value && measured.high === measured.value;
  return [
    what,
    against,
    budget === null ? "-" : `${sign} ${digits(budget.value)} ${unit}`,
    `${digits(measured.value)} ${unit}`,
    isOne ? "" : `(${digits(measured.low)}-${digits(measured.high)})`,
    verdictOf(line),
    note,
  ];
}

function verdictOf(line: Line): string {
  const within = isWithin(line);
  if (within === null) return "";
  return within ? "ok" : "OVER";
}
