/** Medians and quantiles: on a shared machine a mean says what the neighbours did. */
import type { Figure } from "./bench.ts";

/** Of no values: not a number. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const figure = (values: readonly number[]): Figure => ({
  value: median(values),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
});

/** Measured once, or not by repetition. */
export const exactly = (value: number): Figure => ({ value, low: value, high: value });

/** Three significant digits. */
export const digits = (value: number): string => String(Number(value.toPrecision(3)));
