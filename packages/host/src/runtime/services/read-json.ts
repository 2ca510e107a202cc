/** A small JSON file a person writes: bounded, and what is wrong with it named. */
import { readFile, stat } from "node:fs/promises";
import { MooringError, messageOf } from "../../index.ts";
import { runtimeLimits } from "../limits.ts";

/** Null: there is no such file. Rejects with `bad-config`, naming the file and what is wrong. */
export async function readJson(path: string): Promise<unknown> {
  try {
    const { size } = await stat(path);
    if (size > runtimeLimits.configBytes) throw bad(path, `it has ${size} bytes, at most ${runtimeLimits.configBytes}`);
    return JSON.parse(await readFile(path, "utf8")) as unknown;
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw MooringError.isInstance(cause) ? cause : bad(path, messageOf(cause));
  }
}
const bad = (path: string, why: string): MooringError =>
  new MooringError("bad-config", `${path} cannot be read: ${why}. Correct or remove it.`, { detail: { path } });
export const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR");
