/**
 * The stored rules of a host, in memory: what judges a call must not wait for a read. Invariants: what is here is
 * stored; a rule that an answer made is here before its agent is released; the order is that of storing.
 */
import type { Store } from "../../ports/store.ts";
import type { AgentId, RuleId, SessionId } from "../../protocol/ids.ts";
import type { RuleRow } from "../../protocol/permission.ts";

type Place = Pick<RuleRow, "scope" | "sessionId" | "agentId">;

export class RuleBook {
  readonly #places = new Map<string, Map<RuleId, RuleRow>>();
  readonly #all = new Map<RuleId, RuleRow>();

  static async open(store: Store): Promise<RuleBook> {
    const book = new RuleBook();
    for (const row of await store.query.rules()) book.add(row);
    return book;
  }

  /** Twice is once. */
  add(row: RuleRow): void {
    const key = placeOf(row);
    const rows = this.#places.get(key) ?? new Map<RuleId, RuleRow>();
    this.#places.set(key, rows.set(row.id, row));
    this.#all.set(row.id, row);
  }
  get(id: RuleId): RuleRow | undefined {
    return this.#all.get(id);
  }
  remove(id: RuleId): void {
    const row = this.#all.get(id);
    if (!row) return;
    this.#all.delete(id);
    const rows = this.#places.get(placeOf(row));
    rows?.delete(id);
    if (rows?.size === 0) this.#places.delete(placeOf(row));
  }
  /** All that hold in a session: its own, its agent's, the host's. */
  holding(session: SessionId, agent: AgentId): readonly RuleRow[] {
    return [...this.#at(ofSession(session)), ...this.#at(ofAgent(agent)), ...this.#at(ofHost)];
  }
  of(place: Place): readonly RuleRow[] {
    return [...this.#at(place)];
  }
  list(): readonly RuleRow[] {
    return [...this.#all.values()];
  }
  /** The session or agent is gone, and its rules with it. */
  forget(place: Place): void {
    for (const { id } of this.of(place)) this.remove(id);
  }
  #at(place: Place): Iterable<RuleRow> {
    return this.#places.get(placeOf(place))?.values() ?? [];
  }
}
export const ofHost: Place = { scope: "host", sessionId: null, agentId: null };
export const ofAgent = (agentId: AgentId): Place => ({ scope: "agent", sessionId: null, agentId });
export const ofSession = (sessionId: SessionId): Place => ({ scope: "session", sessionId, agentId: null });
const placeOf = ({ scope, sessionId, agentId }: Place): string => `${scope}:${sessionId ?? agentId ?? ""}`;
