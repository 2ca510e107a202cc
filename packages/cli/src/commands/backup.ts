/** `mooring backup PATH`: a directory that opens as a data directory. The host, wherever it is, writes it. */
import { resolve } from "node:path";
import type { BackupCommand } from "../command.ts";
import { plainText } from "../text/plain-text.ts";
import { type Context, listingRequest } from "./host-request.ts";

export async function backup(request: BackupCommand, context: Context): Promise<void> {
  const { terminal } = context;
  const path = resolve(terminal.cwd, request.path);
  await context.withHost(listingRequest(context, "backup"), ({ host }) => host.backup(path));
  terminal.out(
    `Wrote ${plainText(path)}: sessions and files. Keys (secrets.json) and workspaces are not part of it.\n` +
      `${terminal.look.dim(`It opens as a data directory: MOORING_HOME=${plainText(path)} ${terminal.command} serve`)}\n`,
  );
}
