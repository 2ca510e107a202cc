/** What a benchmark is and what it reports: one line per figure, held against a budget of DESIGN section 11 or none. */

export type Unit = "x" | "ms" | "MB" | "KB" | "/s" | "us";
/** What was measured several times: the median, and the quartiles that say how noisy it was. */
export type Figure = { readonly value: number; readonly low: number; readonly high: number };
export type Budget = { readonly kind: "at-most" | "at-least"; readonly value: number };

export type Line = {
  readonly what: string;
  readonly against: string;
  readonly unit: Unit;
  readonly measured: Figure;
  /** Null: reported, held against nothing. */
  readonly budget: Budget | null;
  /** The figures behind a ratio, in their own units. */
  readonly note: string;
};
export type BenchOptions = {
  /** Once through with as little as possible, to see that it runs; the figures mean nothing. */
  readonly quick: boolean;
  /** A directory of the run for the compiled modules of children. */
  readonly cache: string;
};

export type Bench = {
  readonly name: string;
  /** In the order in which they are shown. */
  run(options: BenchOptions): Promise<readonly Line[]>;
};

export const atMost = (value: number): Budget => ({ kind: "at-most", value });
export const atLeast = (value: number): Budget => ({ kind: "at-least", value });

/** Null: there is no budget. */
export function isWithin({ measured, budget }: Line): boolean | null {
  if (budget === null) return null;
  return budget.kind === "at-most" ? measured.value <= budget.value : measured.value >= budget.value;
}
