/** `mooring sessions export`. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { SessionCopyCommand } from "../command.ts";
import { escapedJson, plainText } from "../text/plain-text.ts";
import { UsageError } from "../usage-error.ts";
import { type Context, listingRequest } from "./host-request.ts";

type ExportCommand = Extract<SessionCopyCommand, { kind: "sessions export" }>;

export async function exportSession(request: ExportCommand, context: Context): Promise<void> {
  const { session, format, out } = request;
  const { terminal } = context;
  const text = await context.withHost(listingRequest(context, request.kind), ({ host }) =>
    host.export(session, format),
  );
  if (out === undefined) return terminal.out(format === "json" ? escapedJson(text) : plainText(text));
  const path = resolve(terminal.cwd, out);
  await writeFile(path, text, { flag: "wx", mode: 0o600 }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "EEXIST")
      throw new UsageError(`${path} exists already.`, "Name another file; nothing is overwritten.");
    throw new UsageError(`${path} cannot be written: ${cause.message}`, "Name another file.");
  });
  terminal.out(`Wrote ${plainText(path)}\n`);
}
