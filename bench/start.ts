/** A host that starts over 1 000 sessions, in a fresh process: until the first submit is accepted, and its memory then. */
import { atMost, type Bench, type Line } from "./bench.ts";
import { sqliteIn } from "./bench-host.ts";
import { askChild } from "./child.ts";
import { seedAgent, seedIdleSessions } from "./seed.ts";
import type { StartAnswer } from "./start-program.ts";
import { digits, figure, median } from "./stats.ts";
import { withTempDir } from "./temp-dir.ts";
import { typicalTurn } from "./typical-turn.ts";

export const start: Bench = {
  name: "start",
  run: ({ quick, cache }) =>
    withTempDir(async (directory) => {
      const [rounds, sessions] = quick ? [1, 20] : [7, 1_000];
      const session = await seed(directory, sessions);
      const run = { args: [directory, session], cache };
      if (!quick) await askChild<StartAnswer>("start-program.ts", run); // fills the cache
      const answers: StartAnswer[] = [];
      for (let round = 0; round < rounds; round++) answers.push(await askChild<StartAnswer>("start-program.ts", run));
      return linesOf(answers, sessions);
    }),
};

async function seed(directory: string, count: number): Promise<string> {
  const store = await sqliteIn(directory);
  await seedAgent(store);
  const sessions = await seedIdleSessions(store, count, { turns: 1, chunks: typicalTurn(), journal: true });
  await store.close();
  return sessions[0] ?? "";
}

function linesOf(answers: readonly StartAnswer[], sessions: number): readonly Line[] {
  const of = (pick: (answer: StartAnswer) => number): string => digits(median(answers.map(pick)));
  const parts = `node ${of((a) => a.bootMs)}, modules ${of((a) => a.loadMs)}, open ${of((a) => a.openMs)}, submit ${of((a) => a.submitMs)} ms; CPU ${of((a) => a.cpuMs)} ms`;
  return [
    {
      what: `start to serving, ${sessions} sessions`,
      against: "process start to first submit accepted",
      unit: "ms",
      measured: figure(answers.map(({ bootMs, loadMs, openMs, submitMs }) => bootMs + loadMs + openMs + submitMs)),
      budget: atMost(500),
      note: parts,
    },
    {
      what: "idle memory of the host",
      against: "resident, after that submit",
      unit: "MB",
      measured: figure(answers.map(({ rssMb }) => rssMb)),
      budget: atMost(90),
      note: "",
    },
  ];
}
