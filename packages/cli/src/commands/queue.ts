/** `mooring queue ls|edit|rm|move|release`. */
import type { InputId, InputRow, SessionId } from "@mooring/host";
import type { QueueCommand } from "../command.ts";
import type { CommandHost } from "../command-host.ts";
import { exitCodeOf } from "../exit-codes.ts";
import { withDeparture } from "../follow/departure.ts";
import { followSession } from "../follow/follow-session.ts";
import { wordsOf } from "../render/view.ts";
import type { Terminal } from "../terminal.ts";
import { agoText } from "../text/amounts.ts";
import { table } from "../text/table.ts";
import { sessionsWhere } from "./all-sessions.ts";
import { type Context, listingRequest, turnsRequest } from "./host-request.ts";
import { listing } from "./listing.ts";

type Of<K extends QueueCommand["kind"]> = Extract<QueueCommand, { kind: K }>;
type Waiting = { readonly sessionId: SessionId; readonly input: InputRow };

/** Resolves to the exit status. */
export async function queue(request: QueueCommand, context: Context): Promise<number> {
  if (request.kind === "queue release") return release(request, context);
  await context.withHost(listingRequest(context, request.kind), ({ host }) => change(host, request, context.terminal));
  return 0;
}

async function change(
  host: CommandHost,
  request: Exclude<QueueCommand, { kind: "queue release" }>,
  terminal: Terminal,
): Promise<void> {
  switch (request.kind) {
    case "queue ls":
      return list(host, request, terminal);
    case "queue edit":
      await host.inputs(request.session).edit(request.input, [{ type: "text", text: request.text }]);
      return terminal.out("Changed.\n");
    case "queue rm":
      await host.inputs(request.session).cancel(request.input);
      return terminal.out("Cancelled.\n");
    case "queue move":
      await host.inputs(request.session).move(request.input, request.before);
      return terminal.out("Moved.\n");
  }
}

async function list(host: CommandHost, { session, json }: Of<"queue ls">, { out, look }: Terminal): Promise<void> {
  const ids =
    session === undefined ? await sessionsWhere(host, (row) => row.waitingInputs > 0) : [(await host.get(session)).id];
  const waiting = (await Promise.all(ids.map((id) => waitingOf(host, id)))).flat();
  if (json) return out(listing(waiting.map(({ sessionId, input }) => ({ sessionId, ...input }))));
  if (waiting.length === 0) return out("No input waits.\n");
  const cells = waiting.map(({ sessionId, input }) => [
    sessionId,
    input.id,
    input.reason === null ? input.state : `${input.state} (${input.reason})`,
    agoText(input.createdAt, Date.now()),
    wordsOf(input.input.parts),
  ]);
  out(table(["SESSION", "INPUT", "STATE", "SINCE", "TEXT"], cells, look));
}

async function waitingOf(host: CommandHost, sessionId: SessionId): Promise<readonly Waiting[]> {
  const inputs = await host.inputs(sessionId).list();
  return inputs.filter((input) => input.position !== null).map((input) => ({ sessionId, input }));
}

/** A released input starts: it is followed, because its turn lives in this process. */
function release(request: Of<"queue release">, context: Context): Promise<number> {
  const { terminal } = context;
  return withDeparture(context, turnsRequest(context, request.kind), async ({ host }, departure) => {
    const { id: sessionId } = await host.get(request.session);
    const held = (await waitingOf(host, sessionId)).filter(({ input }) => input.state === "held");
    const released = held.map(({ input }) => input.id).filter((id) => isNamed(id, request.input));
    const following = { host, sessionId, terminal, departure, json: request.json };
    const inputs = host.inputs(sessionId);
    const state = await followSession(following, (follower) =>
      follower.free(() => inputs.release(request.input), released),
    );
    return exitCodeOf(state.outcome);
  });
}
const isNamed = (id: InputId, named: InputId | undefined): boolean => named === undefined || named === id;
