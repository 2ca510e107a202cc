/**
 * `mooring rpc`: one session at a time for another program, over standard input and output. Invariants: standard output
 * has nothing but its lines; the end of the input, and a signal, end it in order.
 */
import { resolve } from "node:path";
import type { RpcCommand } from "../command.ts";
import { runRpc } from "../compose.ts";
import { dataDirOf } from "../data-dir.ts";
import { exitCodes } from "../exit-codes.ts";
import { findServer } from "../serve/find-server.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { type Context, turnsRequest } from "./host-request.ts";

/** Resolves to the exit status. */
export async function rpc({ agent, workspace, session }: RpcCommand, context: Context): Promise<number> {
  const { terminal } = context;
  const { env, cwd } = terminal;
  const at = resolve(cwd, workspace ?? ".");
  await refuseBeside(terminal);
  const stop = new AbortController();
  const unwatch = terminal.onStop(() => stop.abort());
  terminal.onBrokenPipe(() => stop.abort());
  try {
    const opening = { ...turnsRequest(context, "rpc", [at]), dataDir: dataDirOf(env, cwd) };
    const wanted = {
      cwd: at,
      ...(agent === undefined ? {} : { agent }),
      ...(session === undefined ? {} : { session }),
    };
    const input = terminal.bytes(stop.signal);
    await runRpc(opening, wanted, { input, output: (line) => terminal.out(line) });
  } finally {
    unwatch();
  }
  return stop.signal.aborted ? exitCodes.terminated : exitCodes.done;
}

/** A server has the sessions, and answers for them: two hosts over one data directory would not know of each other. */
async function refuseBeside({ env, cwd, command }: Terminal): Promise<void> {
  const dataDir = dataDirOf(env, cwd);
  const server = await findServer(dataDir);
  if (server === null) return;
  throw new UsageError(
    `A server has the sessions of ${dataDir} (pid ${server.pid}, ${server.url}).`,
    `Speak to it with ${command} run --json or over HTTP, or give rpc a MOORING_HOME of its own.`,
  );
}
