/** `mooring backup PATH`: a directory that opens as a data directory. The host, wherever it is, writes it. */
import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import type { BackupCommand } from "../command.ts";
import { plainText } from "../text/plain-text.ts";
import { UsageError } from "../usage-error.ts";
import { type Context, listingRequest } from "./host-request.ts";

export async function backup(request: BackupCommand, context: Context): Promise<void> {
  const { out, look, command, cwd } = context.terminal;
  const path = resolve(cwd, request.path);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new UsageError(`${path} exists already and was left as it is.`, "Name a new directory.");
  await context.withHost(listingRequest(context, "backup"), ({ host }) => host.backup(path));
  const shown = plainText(path);
  out(`Wrote ${shown}: sessions and files. Keys (secrets.json) and workspaces are not part of it.\n`);
  out(look.dim(`It is a data directory: MOORING_HOME=${shown} ${command} sessions ls\n`));
}
