/** A session's title stands in every listing: it is one line's worth. */
import { MooringError } from "../../protocol/errors.ts";

/** Characters. */
const most = 500;

/** Throws `bad-session`. */
export function checkTitle(title: string | undefined): void {
  if (title === undefined || title.length <= most) return;
  throw new MooringError("bad-session", `A title has at most ${most} characters, not ${title.length}.`, {
    detail: { field: "title" },
  });
}
/** As much of it as a listing takes: of one that nobody can be asked to shorten. */
export const cutTitle = (title: string): string => (title.length <= most ? title : `${title.slice(0, most - 1)}…`);
