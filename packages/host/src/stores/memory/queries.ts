/** The port's queries over the maps. */
import type { Page, PlacedRow, Queries, SessionListRow, SessionQuery, SessionState } from "../../ports/store.ts";
import type { FileId, MessageId, TurnId } from "../../protocol/ids.ts";
import type { MessageRow, UsageRow } from "../../protocol/rows.ts";
import { fileIdsIn } from "../file-ids.ts";
import { rowsAsked } from "../limits.ts";
import { isLiveTurn, type MemoryData, type MemoryMessage, type MemorySession } from "./data.ts";
import { rowsOf } from "./session-rows.ts";
import { sumOf, tokensOf, totalsOf } from "./usage-sums.ts";
import { liveInputs, openApprovals, upFrom } from "./views.ts";

export function memoryQueries(data: MemoryData): Queries {
  const usageOf = (no: number): UsageRow[] =>
    [...data.usage.values()].filter((row) => row.sessionId === data.sessions.get(no)?.row.id);
  return {
    agents: async () =>
      sorted([...data.agents.values()], (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    rules: async () => sorted([...data.rules.values()], (a, b) => a.createdAt - b.createdAt),
    sessions: async (q) => sessionPage(data, q),
    session: async (idOrExternal) => {
      const found = data.sessionOf(idOrExternal);
      return found ? { row: found.row, no: found.no } : null;
    },
    input: async (session, id) => data.sessions.get(session)?.inputs.get(id) ?? null,
    clientInput: async (session, clientId) => {
      const inputs = [...(data.sessions.get(session)?.inputs.values() ?? [])];
      return inputs.findLast(({ input }) => input.client?.id === clientId) ?? null;
    },
    inputs: async (session) => liveInputs(data.sessions.get(session)),
    turn: async (session, id) => data.sessions.get(session)?.turns.get(id) ?? null,
    turns: async (session, { limit }) =>
      sorted([...(data.sessions.get(session)?.turns.values() ?? [])], (a, b) => b.no - a.no).slice(0, rowsAsked(limit)),
    approval: async (id) => data.approvals.get(id) ?? null,
    approvals: async (q) => {
      const wanted = [...data.approvals.values()].filter(
        (row) =>
          (q.open === undefined || q.open === (row.how === null)) &&
          (q.sessionId === undefined || q.sessionId === row.sessionId),
      );
      return sorted(wanted.reverse(), (a, b) => b.createdAt - a.createdAt).slice(0, rowsAsked(q.limit));
    },
    message: async (session, id) => {
      const message = data.sessions.get(session)?.messages.get(id);
      return message && !message.dropped ? message.row : null;
    },
    placed: async (session, id) => placed(data.sessions.get(session)?.messages.get(id)),
    reply: async (session, turn, after) => placed(replyOf(data.sessions.get(session), turn, after)),
    branch: async (session, leaf) => branchOf(data.sessions.get(session), leaf),
    usage: async (session) => sumOf(usageOf(session)),
    turnReports: async (session, ids) => {
      const used = usageOf(session);
      const turns = [...(data.sessions.get(session)?.turns.values() ?? [])].filter(({ id }) => ids.includes(id));
      return turns
        .sort((a, b) => a.no - b.no)
        .map((turn) => ({ ...turn, used: sumOf(used.filter((row) => row.turnId === turn.id)) }));
    },
    turnUsage: async (session, turn) => tokensOf(usageOf(session).filter((row) => row.turnId === turn)),
    usageTotals: async (q) => totalsOf(data, q),
    rows: (session, kind) => rowsOf(data, session, kind),
    file: async (id) => data.files.get(id) ?? null,
    files: async ({ before, after = "", limit }) =>
      sorted(
        [...data.files.values()].filter((row) => row.createdAt < before && row.id > after),
        (a, b) => (a.id < b.id ? -1 : 1),
      ).slice(0, limit),
    sameBytes: async ({ hash, id }) =>
      [...data.files.values()].find((row) => row.hash === hash && row.id !== id) ?? null,
    namedFiles: () => namedFiles(data),
    processes: async () => sorted([...data.processes.values()], (a, b) => a.startedAt - b.startedAt),
    setting: async (key) => data.settings.get(key) ?? null,
  };
}

async function* namedFiles(data: MemoryData): AsyncGenerator<readonly FileId[]> {
  for (const session of data.sessions.values()) {
    const { messages, inputs, segments } = session;
    yield fileIdsIn(JSON.stringify([[...messages.values()], [...inputs.values()], segments]));
  }
  yield fileIdsIn(JSON.stringify([...data.approvals.values()]));
}

/** Stable: rows that are equal keep the order they were stored in. */
const sorted = <T>(rows: T[], order: (a: T, b: T) => number): T[] => rows.sort(order);

function sessionPage(data: MemoryData, q: SessionQuery): Page<SessionListRow> {
  const limit = rowsAsked(q.limit);
  const isWanted = (session: MemorySession): boolean =>
    matches(session, q) && (q.state === undefined || stateOf(listed(data, session)) === q.state);
  const found = [...data.sessions.values()].filter(isWanted).sort((a, b) => b.no - a.no);
  const page = found.slice(0, limit);
  return {
    items: page.map((session) => listed(data, session)),
    next: found.length > limit ? String(page.at(-1)?.no) : null,
  };
}

function matches({ no, row }: MemorySession, q: SessionQuery): boolean {
  const text = lower(q.text ?? "");
  const fields = [row.title, row.workspace, row.externalId, row.id];
  return (
    (q.removed === true) === (row.removedAt !== null) &&
    (q.after === undefined || no < Number(q.after)) &&
    (q.agentId === undefined || row.agentId === q.agentId) &&
    (q.ids === undefined || q.ids.includes(row.id)) &&
    fields.some((field) => field !== null && lower(field).includes(text))
  );
}
/** As SQLite's LIKE: ASCII letters only. */
const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function listed(data: MemoryData, session: MemorySession): SessionListRow {
  const newestFirst = [...session.turns.values()].sort((a, b) => b.no - a.no);
  const turn = newestFirst.find(isLiveTurn)?.status;
  const before = newestFirst.find((one) => !isLiveTurn(one))?.status;
  const waiting = liveInputs(session).filter(({ state }) => state === "queued" || state === "held");
  return {
    ...session.row,
    turn: turn === "open" || turn === "waiting" ? turn : null,
    lastOutcome: before === undefined || before === "open" || before === "waiting" ? null : before,
    waitingInputs: waiting.length,
    openApprovals: openApprovals(data, session).length,
  };
}

const placed = (message: MemoryMessage | undefined): PlacedRow | null =>
  message && !message.dropped ? { row: message.row, opened: message.opened } : null;

function replyOf(session: MemorySession | undefined, turn: TurnId, after: MessageId | null): MemoryMessage | undefined {
  const messages = [...(session?.messages.values() ?? [])];
  const from = after === null ? 0 : messages.findIndex(({ row }) => row.id === after) + 1;
  return messages
    .slice(from)
    .find(({ row, dropped }) => !dropped && row.turnId === turn && row.role === "assistant" && row.kind === "message");
}

function stateOf({ turn, waitingInputs }: SessionListRow): SessionState {
  if (turn !== null) return turn === "open" ? "busy" : "waiting";
  return waitingInputs > 0 ? "held" : "idle";
}

function branchOf(session: MemorySession | undefined, leaf: string | undefined): MessageRow[] {
  const rows: MessageRow[] = [];
  if (!session) return rows;
  for (const { row } of upFrom(session, leaf ?? session.row.leaf)) {
    rows.push(row);
    if (row.kind === "entry" && row.label === "compaction") break;
  }
  return rows.reverse();
}
