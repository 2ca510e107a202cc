/** Every stored session that meets a condition, page by page: a listing must not stop at the first page. */
import type { SessionHost, SessionId } from "@mooring/host";
import type { CommandHost } from "../command-host.ts";

export type SessionListRow = Awaited<ReturnType<SessionHost["list"]>>["items"][number];

/** The newest first. */
export async function sessionsWhere(
  host: CommandHost,
  isMeant: (row: SessionListRow) => boolean,
): Promise<readonly SessionId[]> {
  const ids: SessionId[] = [];
  let after: string | null = null;
  do {
    const place: { readonly after?: string } = after === null ? {} : { after };
    const page = await host.list(place);
    ids.push(...page.items.filter(isMeant).map((row) => row.id));
    after = page.next;
  } while (after !== null);
  return ids;
}
