/** A session as one text. Others have their turn between its pieces. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { MooringError } from "../../protocol/errors.ts";
import type { ExportFormat } from "../api.ts";
import type { HostContext } from "../host-context.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { sessionJson } from "./session-json.ts";
import { sessionMarkdown } from "./session-markdown.ts";

const writers = { json: sessionJson, markdown: sessionMarkdown };

/** Rejects with `bad-format` or `no-such-session`. */
export async function exportSession(
  context: HostContext,
  sessions: Sessions,
  id: string,
  format: ExportFormat,
): Promise<string> {
  if (!Object.hasOwn(writers, format))
    throw new MooringError("bad-format", "A session is exported as json or markdown.", { detail: { field: "format" } });
  const pieces: string[] = [];
  for await (const piece of writers[format](context, await sessions.find(id))) {
    pieces.push(piece);
    await nextTurn();
  }
  return pieces.join("");
}
