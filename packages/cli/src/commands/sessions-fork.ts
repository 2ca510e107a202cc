/** `mooring sessions fork`. */
import type { Fork } from "@mooring/host";
import type { SessionCopyCommand } from "../command.ts";
import { type Context, listingRequest } from "./host-request.ts";

type ForkCommand = Extract<SessionCopyCommand, { kind: "sessions fork" }>;

export async function forkSession(request: ForkCommand, context: Context): Promise<void> {
  const { session, at, before, transcript } = request;
  const messageId = at ?? before;
  const fork: Fork = {
    ...(messageId === undefined ? {} : { messageId }),
    position: before === undefined ? "at" : "before",
    ...(transcript ? { seed: "transcript" } : {}),
  };
  const { id } = await context.withHost(listingRequest(context, request.kind), ({ host }) => host.fork(session, fork));
  const { out, look, command } = context.terminal;
  out(`Forked: ${id}\n${look.dim(`Go on with: ${command} run --session ${id} "…"`)}\n`);
}
