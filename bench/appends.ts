/**
 * Durable events per second: the store's writer on this thread, the store as the host has it, and the whole host path
 * (fake driver, pump, core, scribe, store, subscriber), each against the same events appended raw with one fdatasync per
 * batch. Batches are equal: the raw side writes as many events at once as the flushes held. No two events merge.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defaultStoreLimits } from "../packages/host/src/stores/limits.ts";
import { Flusher } from "../packages/host/src/stores/sqlite/flush.ts";
import { Sql } from "../packages/host/src/stores/sqlite/sql.ts";
import { writeJob } from "../packages/host/src/stores/sqlite/write-job.ts";
import { atLeast, type Bench, type Line } from "./bench.ts";
import { type BenchHost, type BenchStore, sqliteIn, withBenchHost } from "./bench-host.ts";
import { type Paired, pairedRounds, timed } from "./paired-rounds.ts";
import { chunkWrite, seedOpenTurns, type TurnIds } from "./seed.ts";
import { digits } from "./stats.ts";
import { openStreams, type Stream, textOf } from "./streams.ts";
import { withTempDir } from "./temp-dir.ts";

/** How 200 events are on their way at once: `sessions` of them times `each`. */
type Shape = { readonly sessions: number; readonly each: number };
const busy: Shape = { sessions: 20, each: 10 };
const wide: Shape = { sessions: 200, each: 1 };

type Sizes = Shape & { readonly rounds: number; readonly events: number };
type Append = (directory: string, sizes: Sizes) => Promise<Measured>;
type Measured = Paired & { readonly batch: number };

export const appends: Bench = {
  name: "appends",
  run: async ({ quick }) => {
    const lines: Line[] = [];
    const measure = async (shape: Shape, what: string, budget: number | null, append: Append): Promise<void> => {
      const rounds = budget === null ? 5 : 10;
      const sizes = quick ? { rounds: 1, events: 400, sessions: 2, each: 5 } : { rounds, events: 8_000, ...shape };
      lines.push(lineOf(what, shape, budget, await withTempDir((directory) => append(directory, sizes))));
    };
    await measure(busy, "store in its thread", 0.7, inThread);
    await measure(busy, "store", null, storeAlone);
    await measure(busy, "driver to subscriber", 0.3, wholePath);
    if (!quick) await measure(wide, "driver to subscriber", null, wholePath);
    return lines;
  },
};

const lineOf = (what: string, shape: Shape, budget: number | null, measured: Measured): Line => ({
  what: `durable appends, ${what}, ${shape.sessions} sessions`,
  against: "raw append + fdatasync, equal batches",
  unit: "x",
  measured: measured.ratio,
  budget: budget === null ? null : atLeast(budget),
  note: `${thousands(measured.subject)} to ${thousands(measured.baseline)} events/s, ${Math.round(measured.batch)} a batch`,
});
const thousands = (rate: number): string => `${digits(rate / 1_000)}k`;

// --- the raw side -------------------------------------------------------------------------------------------------

const id = "0190a000-0000-7000-8000-000000000000";
const ids = { sessionId: `ses_${id}`, turnId: `trn_${id}`, messageId: `msg_${id}` };
/** Events as subscribers get them, one a line. */
const lines = Array.from({ length: 1_000 }, (_, n) => `${JSON.stringify(chunkWrite(ids, textOf(n)).event)}\n`);

/** Events per second. */
function appendRaw(path: string, events: number, batch: number): number {
  const file = openSync(path, "a");
  const from = performance.now();
  for (let done = 0; done < events; done += batch) {
    let text = "";
    for (let n = done; n < Math.min(events, done + batch); n++) text += lines[n % lines.length] ?? "";
    writeSync(file, text);
    fdatasyncSync(file);
  }
  const took = performance.now() - from;
  closeSync(file);
  return (events / took) * 1_000;
}

/** `append`: appends all events. */
async function against(
  directory: string,
  store: { readonly flushes: number },
  { rounds, events, sessions, each }: Sizes,
  append: () => Promise<unknown>,
): Promise<Measured> {
  let batch = sessions * each;
  const subject = async (): Promise<number> => {
    const before = store.flushes;
    const took = await timed(append);
    batch = Math.max(1, Math.round(events / (store.flushes - before)));
    return (events / took) * 1_000;
  };
  const raw = join(directory, "raw.log");
  return { ...(await pairedRounds(rounds, { baseline: () => appendRaw(raw, events, batch), subject })), batch };
}

// --- the subjects -------------------------------------------------------------------------------------------------

type Owned = { readonly no: number; readonly epoch: number; readonly turn: TurnIds };

async function ownedTurns(store: BenchStore, count: number): Promise<readonly Owned[]> {
  const owned = async (turn: TurnIds): Promise<Owned> => {
    const no = (await store.query.session(turn.sessionId))?.no ?? 0;
    return { no, epoch: await store.claim(no), turn };
  };
  return Promise.all((await seedOpenTurns(store, count)).map(owned));
}

/** Encodes, applies and commits as the store's thread does, without the way there and back. */
async function inThread(directory: string, sizes: Sizes): Promise<Measured> {
  const store = await sqliteIn(directory);
  const turns = await ownedTurns(store, sizes.sessions);
  await store.close();
  const db = new DatabaseSync(join(directory, "mooring.db"));
  db.exec("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4096");
  const flusher = new Flusher(new Sql(db, defaultStoreLimits.preparedStatements), defaultStoreLimits);
  const lanes = turns.flatMap((turn) => Array.from({ length: sizes.each }, () => turn));
  const done = { flushes: 0 };
  const append = async (): Promise<void> => {
    for (let n = 0; n < sizes.events / lanes.length; n++) {
      flusher.flush(lanes.map(({ no, epoch, turn }) => writeJob(no, epoch, [chunkWrite(turn, textOf(n))]).payload));
      done.flushes++;
    }
  };
  const measured = await against(directory, done, sizes, append);
  db.close();
  return measured;
}

async function storeAlone(directory: string, sizes: Sizes): Promise<Measured> {
  const store = await sqliteIn(directory);
  const turns = await ownedTurns(store, sizes.sessions);
  const lanes = turns.flatMap((turn) => Array.from({ length: sizes.each }, () => turn));
  const inLane = async ({ no, epoch, turn }: Owned): Promise<void> => {
    for (let n = 0; n < sizes.events / lanes.length; n++) await store.write(no, epoch, [chunkWrite(turn, textOf(n))]);
  };
  const measured = await against(directory, store, sizes, () => Promise.all(lanes.map(inLane)));
  await store.close();
  return measured;
}

async function wholePath(directory: string, sizes: Sizes): Promise<Measured> {
  const store = await sqliteIn(directory);
  return withBenchHost({ directory, store }, async (bench) => {
    const streams = await openStreams(bench, sizes.sessions);
    const talk = (): Promise<unknown> => Promise.all(streams.map((stream) => sayAndHear(bench, stream, sizes)));
    return against(directory, store, sizes, talk);
  });
}

/** Says another piece for each one that the subscriber got. */
async function sayAndHear({ host }: BenchHost, { sessionId, say }: Stream, sizes: Sizes): Promise<void> {
  const reader = host.events(sessionId, { after: await host.cursor(sessionId) })[Symbol.asyncIterator]();
  const count = sizes.events / sizes.sessions;
  let said = 0;
  while (said < Math.min(sizes.each, count)) say(textOf(said++));
  for (let heard = 0; heard < count; ) {
    const { value } = await reader.next();
    if (value?.event.type !== "chunk" || !("delta" in value.event.chunk)) continue;
    heard++;
    if (said < count) say(textOf(said++));
  }
  await reader.return?.();
}
