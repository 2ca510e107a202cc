/** Opening a pipe or a device can wait for ever, beyond the reach of any abort: such files are refused before. */
import { stat } from "node:fs/promises";
import { ToolFailure } from "./tool-failure.ts";

/** Rejects with a `ToolFailure` when `file` exists and is neither a regular file nor a directory. */
export async function checkRegular(file: string, path: string): Promise<void> {
  const found = await stat(file).catch(() => null); // missing or unreadable: whoever opens it says so
  if (found && !found.isFile() && !found.isDirectory()) throw new ToolFailure(`${path} is not a regular file.`);
}
