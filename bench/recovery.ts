/** A host that starts after a crash, in a fresh process: 10 000 sessions, 1 000 of them in the middle of a turn. */
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { atMost, type Bench, type Line } from "./bench.ts";
import { sqliteIn } from "./bench-host.ts";
import { askChild } from "./child.ts";
import type { RecoveryAnswer } from "./recovery-program.ts";
import { seedAgent, seedIdleSessions, seedOpenTurns } from "./seed.ts";
import { digits, figure, median } from "./stats.ts";
import { withTempDir } from "./temp-dir.ts";
import { typicalTurn } from "./typical-turn.ts";

/** Of the usual turn: the second call is running. */
const saidBeforeTheCrash = 40;
type Sizes = { readonly rounds: number; readonly sessions: number; readonly open: number };

export const recovery: Bench = {
  name: "recovery",
  run: ({ quick, cache }) =>
    withTempDir(async (directory) => {
      const sizes = quick ? { rounds: 1, sessions: 100, open: 10 } : { rounds: 3, sessions: 10_000, open: 1_000 };
      const left = join(directory, "left");
      await seed(left, sizes);
      if (!quick) await recoverCopy(left, cache); // fills the compile cache
      const answers: RecoveryAnswer[] = [];
      for (let round = 0; round < sizes.rounds; round++) answers.push(await recoverCopy(left, cache));
      return [lineOf(answers, sizes)];
    }),
};

async function seed(directory: string, { sessions, open }: Sizes): Promise<void> {
  const store = await sqliteIn(directory);
  await seedAgent(store);
  await seedIdleSessions(store, sessions - open, { turns: 1, chunks: typicalTurn(), journal: false });
  await seedOpenTurns(store, open, typicalTurn().slice(0, saidBeforeTheCrash));
  await store.close();
}

async function recoverCopy(left: string, cache: string): Promise<RecoveryAnswer> {
  const copy = `${left}-copy`;
  await cp(left, copy, { recursive: true });
  const answer = await askChild<RecoveryAnswer>("recovery-program.ts", { args: [copy], cache });
  await rm(copy, { recursive: true });
  return answer;
}

function lineOf(answers: readonly RecoveryAnswer[], { sessions, open }: Sizes): Line {
  const openMs = median(answers.map((answer) => answer.openMs));
  const cpuMs = median(answers.map((answer) => answer.cpuMs));
  const working = Math.max(...answers.map((answer) => answer.working));
  return {
    what: `recovery of ${sessions} sessions, ${open} open turns`,
    against: "open store to host ready",
    unit: "ms",
    measured: figure(answers.map((answer) => answer.openMs + answer.recoverMs)),
    budget: atMost(2_000),
    note: `store ${digits(openMs)} ms of it; CPU ${digits(cpuMs)} ms; ${working} busy afterwards`,
  };
}
