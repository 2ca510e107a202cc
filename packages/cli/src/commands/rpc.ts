/**
 * `mooring rpc`: one session at a time for another program, over standard input and output. Invariants: standard output
 * has nothing but its lines; the end of the input, and a signal, end it in order.
 */
import { resolve } from "node:path";
import type { RpcCommand } from "../command.ts";
import { runRpc } from "../compose.ts";
import { dataDirOf } from "../data-dir.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Context, turnsRequest } from "./host-request.ts";

/** Resolves to the exit status. */
export async function rpc({ agent, workspace, session }: RpcCommand, context: Context): Promise<number> {
  const { terminal } = context;
  const { env, cwd } = terminal;
  const at = resolve(cwd, workspace ?? ".");
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
