/** `mooring pause|resume`: asked of a running server, because a pause ends with the host it was asked of. */
import type { PauseCommand } from "../command.ts";
import type { RunningServer } from "../command-host.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Terminal } from "../terminal.ts";
import { countText } from "../text/amounts.ts";
import { plainText } from "../text/plain-text.ts";
import { UsageError } from "../usage-error.ts";
import { type Context, listingRequest } from "./host-request.ts";

/** Resolves to the exit status: 1 when a drain ended before what runs. */
export function pause(request: PauseCommand, context: Context): Promise<number> {
  const { terminal } = context;
  return context.withHost(listingRequest(context, request.kind), async ({ server }) => {
    if (server === null) {
      const hint = `Nothing runs that could go on. ${terminal.command} serve starts a server.`;
      throw new UsageError(`There is no running server to ${request.kind}.`, hint);
    }
    return request.kind === "pause" ? hold(server, request, terminal) : release(server, request.reason, terminal);
  });
}

async function hold(
  server: RunningServer,
  { reason, drain }: Extract<PauseCommand, { kind: "pause" }>,
  { out, command }: Terminal,
): Promise<number> {
  await server.pause(reason);
  out(`Paused: no turn starts until ${command} resume "${plainText(reason)}"\n`);
  if (drain === undefined) {
    const { length } = await server.work();
    if (length > 0) out(`What runs goes on (${countText(length, "piece")} of work); --drain waits for it.\n`);
    return exitCodes.done;
  }
  const left = await server.drain(drain * 1_000);
  if (left.length === 0) out("Nothing is in flight any more.\n");
  else out(`Still in flight after ${drain} s, in ${countText(left.length, "session")}:\n  ${left.join("\n  ")}\n`);
  return left.length === 0 ? exitCodes.done : exitCodes.failed;
}

async function release(server: RunningServer, named: string | undefined, { out }: Terminal): Promise<number> {
  const reasons = named === undefined ? await server.pauses() : [named];
  for (const reason of reasons) await server.resume(reason);
  out(reasons.length === 0 ? "Nothing was paused.\n" : `Resumed: ${reasons.map(plainText).join(", ")}\n`);
  return exitCodes.done;
}
