/** Rows in aligned columns. The last column is never padded; cells are one line each. */
import type { Look } from "./look.ts";
import { oneLine } from "./plain-text.ts";

/** Characters of one cell. */
const cellMax = 80;

export function table(head: readonly string[], rows: readonly (readonly string[])[], look: Look): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => oneLine(cell, cellMax)));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ""))));
  return cells.map((row, index) => `${index === 0 ? look.dim(line(row, widths)) : line(row, widths)}\n`).join("");
}

const widthOf = (text: string): number => [...text].length;

const line = (row: readonly string[], widths: readonly number[]): string =>
  row
    .map((cell, column) =>
      column === row.length - 1 ? cell : cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)),
    )
    .join("  ")
    .trimEnd();
