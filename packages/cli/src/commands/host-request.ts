/** What a command gets beside what it was asked, and what it says about itself when it opens the host. */
import type { HostRequest, WithHost } from "../command-host.ts";
import type { Terminal } from "../terminal.ts";

export type Context = { readonly terminal: Terminal; readonly debug: boolean; readonly withHost: WithHost };

/** `name`: of the command. */
export const turnsRequest = (
  { terminal, debug }: Context,
  name: string,
  roots: readonly string[] = [],
): HostRequest => ({
  env: terminal.env,
  cwd: terminal.cwd,
  command: `mooring ${name}`,
  roots,
  runsTurns: true,
  debug,
  err: terminal.err,
});

/** For a command that starts no turn. */
export const listingRequest = (context: Context, name: string): HostRequest => ({
  ...turnsRequest(context, name),
  runsTurns: false,
});
