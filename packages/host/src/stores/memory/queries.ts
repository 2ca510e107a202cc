/** The port's queries over the maps. */
import type { Page, Queries, SessionListRow, SessionQuery } from "../../ports/store.ts";
import type { MessageRow, UsageRow } from "../../protocol/rows.ts";
import type { TokenUsage } from "../../protocol/usage.ts";
import { rowsAsked } from "../limits.ts";
import { isLiveTurn, type MemoryData, type MemorySession } from "./data.ts";
import { liveInputs, openApprovals, upFrom } from "./views.ts";

export function memoryQueries(data: MemoryData): Queries {
  const usageOf = (no: number): UsageRow[] =>
    [...data.usage.values()].filter((row) => row.sessionId === data.sessions.get(no)?.row.id);
  return {
    agents: async () =>
      sorted([...data.agents.values()], (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    sessions: async (q) => sessionPage(data, q),
    session: async (idOrExternal) => {
      const found = data.sessionOf(idOrExternal);
      return found ? { row: found.row, no: found.no } : null;
    },
    input: async (session, id) => data.sessions.get(session)?.inputs.get(id) ?? null,
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
    branch: async (session, leaf) => branchOf(data.sessions.get(session), leaf),
    usage: async (session) => {
      const rows = usageOf(session);
      return { total: totalOf(rows), requests: rows.length, cost: costOf(rows) };
    },
    turnUsage: async (session, turn) => totalOf(usageOf(session).filter((row) => row.turnId === turn)),
    processes: async () => sorted([...data.processes.values()], (a, b) => a.startedAt - b.startedAt),
    setting: async (key) => data.settings.get(key) ?? null,
  };
}

/** Stable: rows that are equal keep the order they were stored in. */
const sorted = <T>(rows: T[], order: (a: T, b: T) => number): T[] => rows.sort(order);

function sessionPage(data: MemoryData, q: SessionQuery): Page<SessionListRow> {
  const limit = rowsAsked(q.limit);
  const found = [...data.sessions.values()].filter((session) => matches(session, q)).sort((a, b) => b.no - a.no);
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
    fields.some((field) => field !== null && lower(field).includes(text))
  );
}
/** As SQLite's LIKE: ASCII letters only. */
const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function listed(data: MemoryData, session: MemorySession): SessionListRow {
  const turn = [...session.turns.values()].filter(isLiveTurn).sort((a, b) => b.no - a.no)[0]?.status;
  const waiting = liveInputs(session).filter(({ state }) => state === "queued" || state === "held");
  return {
    ...session.row,
    turn: turn === "open" || turn === "waiting" ? turn : null,
    waitingInputs: waiting.length,
    openApprovals: openApprovals(data, session).length,
  };
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

const noTokens: TokenUsage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const totalOf = (rows: readonly UsageRow[]): TokenUsage =>
  rows.reduce((total, { report: { tokens } }) => plus(total, tokens), noTokens);
const plus = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  reasoning: a.reasoning + b.reasoning,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
});

function costOf(rows: readonly UsageRow[]): { currency: string; amount: number }[] {
  const amounts = new Map<string, number>();
  for (const { report } of rows)
    if (report.cost) amounts.set(report.cost.currency, (amounts.get(report.cost.currency) ?? 0) + report.cost.amount);
  return [...amounts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, amount]) => ({ currency, amount }));
}
