/** What every command that opens the host says about itself. */
import type { HostRequest } from "../compose.ts";
import type { Terminal } from "../terminal.ts";

/** What a command gets beside what it was asked. */
export type Context = { readonly terminal: Terminal; readonly debug: boolean };

/** For a command that starts no turn. `name`: what a second process is told that runs here. */
export const listingRequest = ({ terminal, debug }: Context, name: string): HostRequest => ({
  env: terminal.env,
  cwd: terminal.cwd,
  command: `mooring ${name}`,
  roots: [],
  runsTurns: false,
  debug,
});
