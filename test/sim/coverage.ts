/** Which legal cells of the table a run of the simulator has been through, and why the others are not expected. */
import { cells } from "./table.ts";
import type { Stats } from "./world.ts";

/** Legal cells the simulator does not reach, each with its reason. */
const once = "the shell answers one reload with one reloaded";
const held = "under the hold recovery nothing of the kind begins before it ends";
const unsent = "a turn that was not sent has no send that fails";
const unreached: Readonly<Record<string, string>> = {
  "idle/reloaded": once,
  "opening/reloaded": once,
  "preparing/reloaded": once,
  "streaming/reloaded": once,
  "waiting/reloaded": once,
  "gated/reloaded": once,
  "concluding/reloaded": once,
  "settling/reloaded": once,
  "opening/recovered": held,
  "gated/recovered": held,
  "concluding/recovered": held,
  "opening/send-failed": unsent,
  "preparing/send-failed": unsent,
};
export type Coverage = { readonly legal: number; readonly hit: number; readonly missed: readonly string[] };

/** A cell is legal when the event means something in the phase: the table does not ignore it. */
const legalCells: readonly string[] = Object.entries(cells).flatMap(([phase, row]) =>
  Object.entries(row)
    .filter(([, cell]) => !cell.startsWith("ignored: "))
    .map(([type]) => `${phase}/${type}`),
);
export function coverageOf(st: Stats): Coverage {
  const expected = legalCells.filter((cell) => unreached[cell] === undefined);
  const missed = expected.filter((cell) => !st.cells.has(cell));
  return { legal: expected.length, hit: expected.length - missed.length, missed };
}
export const spokenCoverage = ({ legal, hit, missed }: Coverage): string =>
  `legal cells hit: ${hit} of ${legal} (${((100 * hit) / legal).toFixed(1)} %)${missed.length > 0 ? `, not hit: ${missed.join(" ")}` : ""}`;
