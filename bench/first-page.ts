/**
 * The newest page of a session with 10 000 messages, against reading the same rows and parsing them: a prepared
 * statement on a connection of its own, on this thread.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { atMost, type Bench, type Line } from "./bench.ts";
import { type BenchHost, sqliteIn, withBenchHost } from "./bench-host.ts";
import { pairedRounds, timed } from "./paired-rounds.ts";
import { seedAgent, seedIdleSessions } from "./seed.ts";
import { digits } from "./stats.ts";
import { withTempDir } from "./temp-dir.ts";
import { typicalTurn } from "./typical-turn.ts";

const page = 50;
/** Pages in one round. */
const pages = 20;

export const firstPage: Bench = {
  name: "first-page",
  run: ({ quick }) =>
    withTempDir(async (directory) => {
      const store = await sqliteIn(directory);
      await seedAgent(store);
      const turns = quick ? 50 : 5_000;
      const [session] = await seedIdleSessions(store, 1, { turns, chunks: typicalTurn(), journal: false });
      return withBenchHost({ directory, store }, async (bench) => [
        await measure(bench, directory, session ?? "", quick ? 1 : 30),
      ]);
    }),
};

async function measure({ host }: BenchHost, directory: string, id: string, rounds: number): Promise<Line> {
  const db = new DatabaseSync(join(directory, "mooring.db"), { readOnly: true });
  const newest = db.prepare(
    "SELECT id, role, parent_id, status, turn_id, input_id, created_at, parts FROM messages ORDER BY no DESC LIMIT ?",
  );
  const bare = async (): Promise<unknown> => {
    const rows = newest.all(page).reverse();
    return rows.map((row) => ({ ...row, parts: JSON.parse(String(row["parts"])) as unknown }));
  };
  const { ratio, baseline, subject } = await pairedRounds(rounds, {
    baseline: () => timed(() => repeat(bare)),
    subject: () => timed(() => repeat(() => host.messages(id, { limit: page }))),
  });
  db.close();
  return {
    what: "first page of a session with 10000 messages",
    against: `read and parse the same ${page}`,
    unit: "x",
    measured: ratio,
    budget: atMost(1.5),
    note: `${digits(subject / pages)} to ${digits(baseline / pages)} ms`,
  };
}

async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < pages; n++) await work();
}
