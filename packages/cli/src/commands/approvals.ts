/** `mooring approvals ls|allow|deny`. */
import type { ApprovalRow } from "@mooring/host";
import type { ApprovalsCommand } from "../command.ts";
import type { CommandHost } from "../command-host.ts";
import { exitCodeOf, exitCodes } from "../exit-codes.ts";
import { withDeparture } from "../follow/departure.ts";
import { followSession } from "../follow/follow-session.ts";
import type { Terminal } from "../terminal.ts";
import { agoText } from "../text/amounts.ts";
import { jsonText, oneLine } from "../text/plain-text.ts";
import { questionText } from "../text/question.ts";
import { sessionsWhere } from "./all-sessions.ts";
import { type Context, listingRequest, turnsRequest } from "./host-request.ts";
import { listing } from "./listing.ts";

type Of<K extends ApprovalsCommand["kind"]> = Extract<ApprovalsCommand, { kind: K }>;

/** Resolves to the exit status. */
export async function approvals(request: ApprovalsCommand, context: Context): Promise<number> {
  if (request.kind === "approvals answer") return answer(request, context);
  await context.withHost(listingRequest(context, request.kind), ({ host }) => list(host, request, context.terminal));
  return 0;
}

async function list(host: CommandHost, { session, json }: Of<"approvals ls">, terminal: Terminal): Promise<void> {
  const rows = await openApprovals(host, session);
  if (json) return terminal.out(listing(rows));
  if (rows.length === 0) return terminal.out("Nothing is asked.\n");
  for (const row of rows) terminal.out(rowText(row, terminal));
}

/** Of one session or of all. */
async function openApprovals(host: CommandHost, session?: string): Promise<readonly ApprovalRow[]> {
  const isAsking = ({ openApprovals: count }: { readonly openApprovals: number }): boolean => count > 0;
  const ids = session === undefined ? await sessionsWhere(host, isAsking) : [(await host.get(session)).id];
  return (await Promise.all(ids.map((sessionId) => host.approvals({ sessionId, open: true })))).flat();
}

function rowText(row: ApprovalRow, { look }: Terminal): string {
  return `${questionText(row, look)}${look.dim(`    ${row.sessionId} · ${agoText(row.createdAt, Date.now())}`)}\n`;
}

/** The turn goes on at the answer: it is followed, because without a server it lives in this process. */
function answer(request: Of<"approvals answer">, context: Context): Promise<number> {
  const { approval, decision, scope, reason, json } = request;
  const { terminal } = context;
  const given = {
    decision,
    by: "terminal",
    ...(reason === undefined ? {} : { reason }),
    ...(scope === undefined ? {} : { scope }),
  };
  return withDeparture(context, turnsRequest(context, `approvals ${decision}`), async ({ host }, departure) => {
    const sessionId = (await openApprovals(host)).find(({ id }) => id === approval)?.sessionId;
    if (sessionId === undefined) {
      // It was answered, is over or never was: the host says which, and rejects all but the same answer again.
      const { approval: row } = await host.answer(approval, given);
      if (json) terminal.out(`${jsonText(row)}\n`);
      else terminal.out(alreadyText(row));
      return exitCodes.done;
    }
    const following = { host, sessionId, terminal, departure, json };
    const state = await followSession(following, (follower) => follower.answer(approval, given));
    return exitCodeOf(state.outcome);
  });
}

function alreadyText({ how, answer: given, closedAt }: ApprovalRow): string {
  const who = given === null ? "" : ` by ${oneLine(given.by, 80)}`;
  const when = closedAt === null ? "" : `, ${agoText(closedAt, Date.now())}`;
  return `It was ${how === "deny" ? "denied" : "allowed"} already${who}${when}. Nothing changed.\n`;
}
