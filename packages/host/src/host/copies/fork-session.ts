/**
 * Forks a session: another one in the same workspace with the conversation up to a message. Invariants: nothing is
 * copied while a turn is open; the new session and its whole branch are one transaction; an agent with a history of its
 * own forks that at the same place, or begins anew and is told the transcript because it was asked for. A session
 * without a token whose branch is not empty is told it at its next connect (`connect-input.ts`): nothing else marks it.
 */
import type { Write } from "../../ports/store.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { MessageId, SessionId } from "../../protocol/ids.ts";
import type { MessageRow, SessionRow } from "../../protocol/rows.ts";
import type { Fork } from "../api.ts";
import { refusal } from "../calls/submit.ts";
import type { HostContext } from "../host-context.ts";
import type { Found, Sessions } from "../sessions/sessions.ts";
import { copyBranch } from "./branch-copy.ts";
import { nativeBeginning } from "./native-beginning.ts";
import { sizeOfRows } from "./size-of-rows.ts";
import { wholeBranch } from "./whole-branch.ts";

/**
 * Rejects with `bad-fork`, `no-such-message`, `session-busy`, `session-too-large`, `rewind-unsupported`, `fork-failed` or
 * `fork-late`.
 */
export async function forkSession(context: HostContext, sessions: Sessions, id: string, fork: Fork): Promise<Found> {
  check(fork);
  const source = await sessions.find(id);
  const branch = await branchTo(context, sessions, source, fork);
  const begin = await nativeBeginning(context, source.row, branch, fork.seed);
  const at = context.clock.now();
  const rows = copyBranch(branch, context.ids, begin.native);
  const row: SessionRow = {
    ...source.row,
    id: context.ids.make("ses"),
    externalId: null,
    parentId: source.row.id,
    leaf: rows.at(-1)?.id ?? null,
    resumeToken: begin.token,
    compacting: false,
    createdAt: at,
    updatedAt: at,
  };
  const writes: readonly Write[] = [
    ...rows.map((copy): Write => ({ write: "message", row: copy })),
    ...(begin.told ? [toldTranscript(row.id, at)] : []),
  ];
  const no = await context.store.create(row, writes);
  context.feeds.announce(row.id);
  return { row, no };
}
/** Tells people why the agent of this session begins anew. */
export const toldTranscript = (sessionId: SessionId, at: number): Write => {
  const text = "The agent begins anew here. With the next message it is told what was said before, as a transcript.";
  return { write: "event", at, event: { type: "notice", sessionId, level: "info", code: "told-transcript", text } };
};

function check({ messageId, position, seed }: Fork): void {
  if (position !== undefined && position !== "before" && position !== "at")
    throw bad("position", "A position is before or at.");
  if (position === "before" && messageId === undefined)
    throw bad("messageId", "Name the user message that the fork ends before.");
  if (seed !== undefined && seed !== "transcript") throw bad("seed", "A seed is transcript, or absent.");
}
const bad = (field: string, message: string): MooringError =>
  new MooringError("bad-fork", message, { detail: { field } });

// --- what is copied -----------------------------------------------------------------------------------------------

async function branchTo(
  context: HostContext,
  sessions: Sessions,
  source: Found,
  fork: Fork,
): Promise<readonly MessageRow[]> {
  const { store, limits } = context;
  await refuseIfBusy(context, sessions, source);
  const stored = await store.query.session(source.row.id); // of the row in memory, the leaf may not be stored yet
  const { messageId, position } = fork;
  const leaf =
    messageId === undefined ? (stored?.row.leaf ?? null) : await leafAt(context, source, messageId, position);
  const branch = await wholeBranch(store, source.no, leaf);
  if (branch.some(({ status }) => status === "open")) throw refusal("session-busy"); // a turn began meanwhile
  const bytes = await sizeOfRows(branch);
  if (bytes <= limits.copyBytes) return branch;
  throw new MooringError(
    "session-too-large",
    `The branch has ${bytes} bytes; at most ${limits.copyBytes} are copied. Fork at an earlier message.`,
    { detail: { bytes, maxBytes: limits.copyBytes } },
  );
}
async function refuseIfBusy({ store }: HostContext, sessions: Sessions, { no }: Found): Promise<void> {
  const state = sessions.peek(no)?.state;
  if (state === undefined) {
    const [newest] = await store.query.turns(no, { limit: 1 });
    if (newest?.status === "open" || newest?.status === "waiting") throw refusal("session-busy");
    return;
  }
  if (state.phase.kind === "reloading" || state.phase.kind === "gone") throw refusal("unavailable");
  if (state.phase.kind !== "idle" || state.parked !== null) throw refusal("session-busy");
}
async function leafAt({ store }: HostContext, { no }: Found, messageId: MessageId, position: Fork["position"]) {
  const row = await store.query.message(no, messageId);
  if (row === null || row.kind === "flow")
    throw new MooringError("no-such-message", `There is no message "${messageId}" in this session to fork at.`, {
      detail: { message: messageId },
    });
  if (position !== "before") return row.id;
  if (row.role === "user") return row.parentId;
  throw bad("position", "Only a user message can be forked before. Fork at the message, or before the one it answers.");
}
