/** Heap of a session that does nothing: in memory without an agent, and after it has left memory. */
import { atMost, type Bench, type Line } from "./bench.ts";
import { sqliteIn } from "./bench-host.ts";
import { askChild } from "./child.ts";
import type { IdleAnswer } from "./idle-program.ts";
import { seedAgent, seedIdleSessions } from "./seed.ts";
import { digits, figure, median } from "./stats.ts";
import { withTempDir } from "./temp-dir.ts";
import { typicalTurn } from "./typical-turn.ts";

export const idleSession: Bench = {
  name: "idle-session",
  run: async ({ quick, cache }) => {
    const [rounds, sessions] = quick ? [1, 10] : [1, 500];
    const answers: IdleAnswer[] = [];
    for (let round = 0; round < rounds; round++)
      answers.push(await withTempDir((directory) => ask(directory, sessions, cache)));
    const connected = median(answers.map((answer) => answer.connectedKb));
    return [
      lineOf(
        "an idle session in memory, before its first turn",
        answers.map((answer) => answer.loadedKb),
      ),
      lineOf(
        "an idle session in memory, after a turn",
        answers.map((answer) => answer.restedKb),
        `${digits(connected)} KB while the fake agent's connection is open`,
      ),
      lineOf(
        "a session that left memory",
        answers.map((answer) => answer.evictedKb),
      ),
    ];
  },
};

async function ask(directory: string, count: number, cache: string): Promise<IdleAnswer> {
  const store = await sqliteIn(directory);
  await seedAgent(store);
  const sessions = await seedIdleSessions(store, count, { turns: 1, chunks: typicalTurn(), journal: false });
  await store.close();
  const args = [directory, ...sessions];
  return askChild<IdleAnswer>("idle-program.ts", { args, cache });
}

const lineOf = (what: string, kilobytes: readonly number[], note = ""): Line => ({
  what: `heap of ${what}`,
  against: "no session",
  unit: "KB",
  measured: figure(kilobytes),
  budget: atMost(10),
  note,
});
