/** What `--json` printed, parsed. Throws when a line is not JSON. */

export type Line = { readonly type: string; readonly [field: string]: unknown };

export const jsonLines = (out: string): readonly Line[] =>
  out
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line));

/** The session a command said it works in. */
export const sessionIn = (out: string): string => /ses_[0-9a-f-]{36}/.exec(out)?.[0] ?? "no session";
