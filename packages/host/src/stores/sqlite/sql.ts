/** One SQLite connection with its statements kept prepared. Synchronous: used inside the store's thread only. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqlRow, SqlValue } from "./columns.ts";

export class Sql {
  readonly db: DatabaseSync;
  readonly #kept = new Map<string, StatementSync>();
  readonly #limit: number;

  /** `keep`: prepared statements held at most. */
  constructor(db: DatabaseSync, keep: number) {
    this.db = db;
    this.#limit = keep;
  }

  /** Rows changed, and the key of the last one inserted. */
  run(text: string, ...values: readonly SqlValue[]): { readonly changes: number; readonly key: number } {
    const done = this.#prepared(text).run(...values);
    return { changes: Number(done.changes), key: Number(done.lastInsertRowid) };
  }

  /** `Row`: what the statement selects, as the schema has it. */
  get<Row extends SqlRow>(text: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#prepared(text).get(...values) as Row | undefined;
  }

  all<Row extends SqlRow>(text: string, ...values: readonly SqlValue[]): Row[] {
    return this.#prepared(text).all(...values) as Row[];
  }

  each<Row extends SqlRow>(text: string, ...values: readonly SqlValue[]): Iterable<Row> {
    return this.#prepared(text).iterate(...values) as Iterable<Row>;
  }

  #prepared(text: string): StatementSync {
    const known = this.#kept.get(text);
    if (known) return known;
    if (this.#kept.size >= this.#limit) this.#kept.clear();
    const statement = this.db.prepare(text);
    this.#kept.set(text, statement);
    return statement;
  }
}
