/** Every row of one kind of a session, as the port gives them: in the order they were stored. */
import type { SessionRows } from "../../ports/store.ts";
import type { SessionNo } from "../../protocol/ids.ts";
import { branchPageRows } from "../limits.ts";
import type { MemoryData, MemorySession } from "./data.ts";

type Kinds = {
  readonly [Kind in keyof SessionRows]: (data: MemoryData, session: MemorySession) => SessionRows[Kind][];
};

const kinds: Kinds = {
  message: (_, { messages }) => [...messages.values()].flatMap(({ row, dropped }) => (dropped ? [] : [row])),
  input: (_, { inputs }) => [...inputs.values()],
  turn: (_, { turns }) => [...turns.values()],
  approval: ({ approvals }, { row }) => [...approvals.values()].filter(({ sessionId }) => sessionId === row.id),
  usage: ({ usage }, { row }) => [...usage.values()].filter(({ sessionId }) => sessionId === row.id),
};

export async function* rowsOf<Kind extends keyof SessionRows>(
  data: MemoryData,
  no: SessionNo,
  kind: Kind,
): AsyncGenerator<readonly SessionRows[Kind][]> {
  const session = data.sessions.get(no);
  const rows = session ? kinds[kind](data, session) : [];
  for (let at = 0; at < rows.length; at += branchPageRows) yield rows.slice(at, at + branchPageRows);
}
