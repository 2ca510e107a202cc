/** How much a usual turn makes the database grow, against the JSON of its stored messages, before and after the fold. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as tick } from "node:timers/promises";
import { atMost, type Bench, type Line } from "./bench.ts";
import { type BenchHost, sqliteIn, withBenchHost } from "./bench-host.ts";
import { digits, exactly } from "./stats.ts";
import { withTempDir } from "./temp-dir.ts";
import { typicalTurn } from "./typical-turn.ts";

export const diskPerTurn: Bench = {
  name: "disk-per-turn",
  run: ({ quick }) =>
    withTempDir(async (directory) => {
      const store = await sqliteIn(directory);
      return withBenchHost({ directory, store }, (bench) =>
        measure(bench, join(directory, "mooring.db"), quick ? 5 : 200),
      );
    }),
};

async function measure(bench: BenchHost, path: string, count: number): Promise<readonly Line[]> {
  const { host, store } = bench;
  const made = await Promise.all(Array.from({ length: count }, () => host.create({})));
  const ids = made.map(({ id }) => id);
  const empty = usedBytes(path);
  await runTurns(bench, ids);
  const pages = await Promise.all(ids.map((id) => host.messages(id)));
  const messages = pages.reduce((total, page) => total + JSON.stringify(page.messages).length, 0);
  const before = usedBytes(path) - empty;
  await store.fold(Date.now() + 1_000, count);
  const after = usedBytes(path) - empty;
  const note = (bytes: number): string =>
    `${digits(bytes / count / 1e3)} to ${digits(messages / count / 1e3)} KB a turn`;
  const line = { against: "bytes of its stored messages", unit: "x" } as const;
  return [
    { what: "disk per turn", ...line, measured: exactly(before / messages), budget: atMost(8), note: note(before) },
    {
      what: "disk per turn, folded",
      ...line,
      measured: exactly(after / messages),
      budget: atMost(1.5),
      note: note(after),
    },
  ];
}

/** All sessions at once; each chunk of a turn in a flush of its own, as when a model takes 20 ms for one. */
async function runTurns({ host, store, driver }: BenchHost, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => host.submit(id, { text: "Please look at it and tell me what you think." })));
  const connections = await Promise.all(ids.map(() => driver.connections.next()));
  const turns = await Promise.all(
    connections.map(async (connection, n) => {
      const { turnId } = await connection.sends.next();
      return { connection, turnId, chunks: typicalTurn(n) };
    }),
  );
  const flushed = async (): Promise<void> => {
    await tick();
    await store.change([]);
  };
  for (let next = 0; next < typicalTurn().length; next++) {
    for (const { connection, turnId, chunks } of turns)
      for (const chunk of chunks.slice(next, next + 1)) connection.chunk(turnId, chunk);
    await flushed();
  }
  for (const { connection, turnId } of turns) connection.complete(turnId);
  for (let saves = 0; saves < 3; saves++) await flushed();
}

/** Pages in use: what is freed is used again before the file grows. */
function usedBytes(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const read = (pragma: string): number => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
  const used = (read("page_count") - read("freelist_count")) * read("page_size");
  db.close();
  return used;
}
