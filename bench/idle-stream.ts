/** Memory of a reader whose session says nothing, in the server and in a loop that only writes. */
import { atMost, type Bench } from "./bench.ts";
import { sqliteIn } from "./bench-host.ts";
import { askChild } from "./child.ts";
import type { IdleStreamAnswer } from "./idle-stream-program.ts";
import { seedAgent, seedIdleSessions } from "./seed.ts";
import { digits, figure, median } from "./stats.ts";
import { withTempDir } from "./temp-dir.ts";

export const idleStream: Bench = {
  name: "idle-stream",
  run: async ({ quick, cache }) => {
    const [rounds, sessions, each] = quick ? [1, 5, 2] : [1, 50, 10];
    const answers: IdleStreamAnswer[] = [];
    for (let round = 0; round < rounds; round++)
      answers.push(await withTempDir((directory) => ask(directory, sessions, [String(each), cache])));
    const [served, raw] = [median(answers.map((one) => one.servedKb)), median(answers.map((one) => one.rawKb))];
    return [
      {
        what: "memory of an idle SSE connection",
        against: "one of a loop that only writes",
        unit: "x",
        measured: figure(answers.map(({ servedKb, rawKb }) => servedKb / rawKb)),
        budget: atMost(2),
        note: `${digits(served)} to ${digits(raw)} KB, ${sessions * each} connections`,
      },
    ];
  },
};

async function ask(directory: string, count: number, [each = "", cache = ""]: readonly string[]) {
  const store = await sqliteIn(directory);
  await seedAgent(store);
  const sessions = await seedIdleSessions(store, count, { turns: 0, chunks: [], journal: false });
  await store.close();
  return askChild<IdleStreamAnswer>("idle-stream-program.ts", { args: [directory, each, ...sessions], cache });
}
