/** `mooring backup PATH`. */
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import type { BackupCommand } from "../command.ts";
import { withHost } from "../compose.ts";
import { plainText } from "../text/plain-text.ts";
import { UsageError } from "../usage-error.ts";
import { type Context, listingRequest } from "./host-request.ts";

export async function backup(request: BackupCommand, context: Context): Promise<void> {
  const { terminal } = context;
  const path = resolve(terminal.cwd, request.path);
  if (await exists(path)) throw new UsageError(`${path} exists already.`, "Name another file; nothing is overwritten.");
  process.umask(0o077); // it holds conversations: for its owner only, as the data directory is
  await withHost(listingRequest(context, "backup"), ({ host }) => host.backup(path));
  terminal.out(`Wrote ${plainText(path)}. Keys are not part of it (secrets.json).\n`);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
