/** A listing for programs: one JSON array. */
import { jsonText } from "../text/plain-text.ts";

export const listing = (rows: readonly unknown[]): string => `${jsonText(rows, 2)}\n`;
