/** About how much rows are as JSON, measured in slices so that the loop is not held up. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Rows looked at before others have their turn. */
export const rowsAtOnce = 200;

export async function sizeOfRows(rows: readonly object[]): Promise<number> {
  let bytes = 0;
  for (const [at, row] of rows.entries()) {
    bytes += JSON.stringify(row).length;
    if (at % rowsAtOnce === rowsAtOnce - 1) await nextTurn();
  }
  return bytes;
}
