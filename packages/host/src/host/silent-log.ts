/** The log of a host that was given none: an embedder decides whether anything is printed. */
import type { Log } from "../ports/log.ts";

const nothing = (): void => {};

export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
