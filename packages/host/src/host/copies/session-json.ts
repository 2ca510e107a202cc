/**
 * A session as JSON text, row by row, so that neither the host's loop nor its memory is held by a long one. Invariants:
 * resume tokens, anchors and every key the host knows stay here; an open message comes as far as it is stored.
 */
import type { SessionRows, Store } from "../../ports/store.ts";
import {
  type ExportedMessage,
  type ExportedSession,
  sessionFormat,
  sessionFormatVersion,
} from "../../protocol/export.ts";
import type { SessionNo } from "../../protocol/ids.ts";
import type { MessageRow } from "../../protocol/rows.ts";
import type { HostContext } from "../host-context.ts";
import type { Found } from "../sessions/sessions.ts";
import { jsonWithout, knownKeys } from "./known-keys.ts";

type Json = (value: unknown) => string;
const lists = [
  ["inputs", "input"],
  ["turns", "turn"],
  ["approvals", "approval"],
  ["usage", "usage"],
] as const satisfies readonly (readonly [string, keyof SessionRows])[];

/** Pieces of one document; each is bounded by a page of the store. */
export async function* sessionJson(context: HostContext, { row, no }: Found): AsyncGenerator<string> {
  const { store, agents } = context;
  const json = jsonWithout(knownKeys(context));
  const { resumeToken: _, removedAt: __, compacting: ___, ...rest } = row;
  const session: ExportedSession = { ...rest, agentName: agents.byId(row.agentId)?.name ?? "" };
  yield `{"format":${json(sessionFormat)},"version":${sessionFormatVersion},\n"session":${json(session)},\n"messages":[`;
  yield* linesOf(messagePages(store, no), json);
  for (const [name, kind] of lists) {
    yield `],\n"${name}":[`;
    yield* linesOf(store.query.rows(no, kind), json);
  }
  yield "]}\n";
}

async function* linesOf(pages: AsyncIterable<readonly object[]>, json: Json): AsyncGenerator<string> {
  let before = "\n";
  for await (const page of pages) {
    yield before + page.map(json).join(",\n");
    before = ",\n";
  }
}

// --- messages -----------------------------------------------------------------------------------------------------

async function* messagePages(store: Store, no: SessionNo): AsyncGenerator<readonly ExportedMessage[]> {
  for await (const page of store.query.rows(no, "message")) {
    const written = page.some(({ status }) => status === "open") ? await writtenSoFar(store, no) : noContents;
    yield await Promise.all(page.map((row) => exported(store, no, row, written)));
  }
}
type Contents = ReadonlyMap<string, Pick<MessageRow, "parts" | "metadata">>;
const noContents: Contents = new Map();

async function writtenSoFar(store: Store, no: SessionNo): Promise<Contents> {
  const { open } = await store.snapshot(no);
  return new Map(open.map(({ id, parts, metadata }) => [id, { parts, metadata: metadata ?? null }]));
}
async function exported(store: Store, no: SessionNo, row: MessageRow, written: Contents): Promise<ExportedMessage> {
  const closedMeanwhile = row.status === "open" && !written.has(row.id);
  const newest = closedMeanwhile ? ((await store.query.message(no, row.id)) ?? row) : row;
  const { resumeToken: _, anchor: __, ...rest } = newest;
  return { ...rest, ...written.get(row.id) };
}
