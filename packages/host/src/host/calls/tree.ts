/**
 * A session's conversation as a tree, changed from outside its turns. Invariants: the branch is moved at rest only; an
 * entry never changes what an agent is told, except by where the branch goes.
 */
import { MooringError } from "../../protocol/errors.ts";
import type { MessageId } from "../../protocol/ids.ts";
import type { MessageRow } from "../../protocol/rows.ts";
import { isCompacting } from "../../session/look.ts";
import type { NewEntry, SessionHost } from "../api.ts";
import { driverOf } from "../connections/session-config.ts";
import type { HostContext } from "../host-context.ts";
import type { PlacedEntry } from "../sessions/entry-places.ts";
import type { LoadedSession } from "../sessions/loaded-session.ts";
import { unavailable } from "../sessions/replies.ts";
import { entryRow } from "../sessions/scribe-rows.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { refusal } from "./submit.ts";

export function treeOf(context: HostContext, sessions: Sessions): SessionHost["tree"] {
  const use = async (id: string) => sessions.use((await sessions.find(id)).no);
  return {
    read: async (id) => {
      const { row, no } = await sessions.find(id);
      const rows: Omit<MessageRow, "resumeToken" | "anchor">[] = [];
      for await (const page of context.store.query.rows(no, "message"))
        for (const { resumeToken: _, anchor: __, ...message } of page) if (message.kind !== "flow") rows.push(message);
      return { leaf: row.leaf, rows };
    },
    append: async (id, entry) => append(await use(id), checked(entry)),
    move: async (id, { leaf, entry }) => {
      const { row, no } = await sessions.find(id);
      if (driverOf(context, row.driver).capabilities.history !== "host")
        throw new MooringError("rewind-unsupported", "This agent keeps its history itself. Fork the session instead.");
      if (leaf !== null && !(await isOnTree(context, no, leaf))) throw noSuchMessage(leaf);
      const note = entry && checked(entry);
      return move(await sessions.use(no), leaf, note); // what is looked at next is true until it is written
    },
  };
}
type Entry = Required<NewEntry>;

/** Behind the open message it is stored with that one's end: then it is waited for. */
async function append(session: LoadedSession, entry: Entry): Promise<MessageId> {
  refuseUnreadable(session);
  const { promise, resolve, reject } = Promise.withResolvers<MessageId>();
  const lost = session.onLost(() => reject(unavailable()));
  try {
    await session.branch({ entry: placed(entry, resolve) });
    const id = await promise;
    await session.saved();
    return id;
  } finally {
    promise.catch(() => {}); // told already, or given up with the write
    lost();
  }
}
async function move(session: LoadedSession, leaf: MessageId | null, entry?: Entry): Promise<MessageId | null> {
  refuseUnreadable(session);
  const { phase, parked, link } = session.state;
  if (phase.kind !== "idle" || parked !== null || isCompacting(session.state)) throw refusal("session-busy");
  let end = leaf;
  const note = entry && placed(entry, (id) => (end = id));
  await session.branch({ leaf, ...(note === undefined ? {} : { entry: note }) });
  if (link.kind === "open") session.post({ type: "reap", connection: link.connection }); // the agent begins from the branch
  return end;
}
const placed = (entry: Entry, told: (id: MessageId) => void): PlacedEntry => ({
  row: (at) => entryRow(at, { ...entry, parts: [...entry.parts] }),
  placed: told,
});
function refuseUnreadable({ state }: LoadedSession): void {
  if (state.phase.kind === "reloading" || state.phase.kind === "gone") throw refusal("unavailable");
}
async function isOnTree({ store }: HostContext, no: number, id: MessageId): Promise<boolean> {
  const row = await store.query.message(no, id);
  return row !== null && row.kind !== "flow" && row.status !== "open";
}
const noSuchMessage = (id: MessageId): MooringError =>
  new MooringError("no-such-message", `There is no message or entry "${id}" in this session.`, {
    detail: { message: id },
  });

/** Through JSON: what is kept is what can be kept. */
function checked({ label, parts = [], metadata = null, told = false }: NewEntry): Entry {
  if (typeof label !== "string" || !/^[a-z][a-z0-9_.:-]{0,63}$/.test(label) || label === "compaction")
    throw new MooringError(
      "bad-entry",
      "An entry's label is 1 to 64 lower-case letters, digits or _.:- and not compaction.",
    );
  return {
    label,
    parts: JSON.parse(JSON.stringify(parts)),
    metadata: JSON.parse(JSON.stringify(metadata) ?? "null"),
    told,
  };
}
