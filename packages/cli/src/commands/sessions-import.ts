/**
 * `mooring sessions import`. Invariant: one export makes one session unless asked for another: the id it had where it
 * comes from becomes the new session's own id, of which there is one.
 */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { ImportSource, SessionView } from "@mooring/host";
import type { SessionCopyCommand } from "../command.ts";
import type { CommandHost } from "../command-host.ts";
import { codeOf, messageOf } from "../failure.ts";
import { limits } from "../limits.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { type Context, listingRequest } from "./host-request.ts";

type ImportCommand = Extract<SessionCopyCommand, { kind: "sessions import" }>;

export async function importSession(command: ImportCommand, context: Context): Promise<void> {
  const { kind, file, agent, workspace, again } = command;
  const { terminal } = context;
  const document = file === "-" ? await terminal.readAll() : await readDocument(resolve(terminal.cwd, file));
  const directory = workspace === undefined ? null : resolve(terminal.cwd, workspace);
  const origin = again ? null : originOf(document);
  const source = {
    document,
    ...(agent === undefined ? {} : { agent }),
    ...(directory === null ? {} : { workspace: directory }),
    ...(origin === null ? {} : { id: `imported-${origin}` }),
  };
  const request = { ...listingRequest(context, kind), roots: directory === null ? [] : [directory] };
  const { id } = await context.withHost(request, ({ host }) => importOnce(host, source, terminal));
  const { out, look, command: name } = terminal;
  out(`Imported: ${id}\n${look.dim(`Read it with: ${name} sessions show ${id}`)}\n`);
}

async function importOnce(host: CommandHost, source: ImportSource, { command }: Terminal): Promise<SessionView> {
  try {
    return await host.import(source);
  } catch (cause) {
    if (codeOf(cause) !== "session-exists" || source.id === undefined) throw cause;
    const { id } = await host.get(source.id);
    throw new UsageError(
      `This was imported already: it is session ${id}.`,
      `Go on with it: ${command} run --session ${id} "…". --again makes another session of it.`,
    );
  }
}

async function readDocument(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= limits.stdinBytes) return await readFile(path, "utf8");
    throw new UsageError(`${path} has ${size} bytes.`, `At most ${limits.stdinBytes} are taken.`);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`${path} cannot be read: ${messageOf(cause)}`, "Name the file of a JSON export, or - .");
  }
}

/** The id of the session that was exported; null: it has none that can be taken over. The host reads the rest. */
function originOf(document: string): string | null {
  try {
    const found: unknown = JSON.parse(document);
    const id: unknown = Object(Object(found).session).id;
    return typeof id === "string" && /^[A-Za-z0-9._-]{1,100}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}
