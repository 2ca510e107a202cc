/** `mooring sessions import`. */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { SessionCopyCommand } from "../command.ts";
import { limits } from "../limits.ts";
import { UsageError } from "../usage-error.ts";
import { type Context, listingRequest } from "./host-request.ts";

type ImportCommand = Extract<SessionCopyCommand, { kind: "sessions import" }>;

export async function importSession({ kind, file, agent, workspace }: ImportCommand, context: Context): Promise<void> {
  const { terminal } = context;
  const document = file === "-" ? await terminal.readAll() : await readDocument(resolve(terminal.cwd, file));
  const directory = workspace === undefined ? null : resolve(terminal.cwd, workspace);
  const source = {
    document,
    ...(agent === undefined ? {} : { agent }),
    ...(directory === null ? {} : { workspace: directory }),
  };
  const request = { ...listingRequest(context, kind), roots: directory === null ? [] : [directory] };
  const { id } = await context.withHost(request, ({ host }) => host.import(source));
  terminal.out(`Imported: ${id}\n${terminal.look.dim(`Read it with: sessions show ${id}`)}\n`);
}

async function readDocument(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size <= limits.stdinBytes) return readFile(path, "utf8");
  throw new UsageError(`${path} has ${size} bytes.`, `At most ${limits.stdinBytes} are taken.`);
}
